import {
  createView,
  deleteView,
  type GivenConditions,
  rearrangeViews,
  updateView,
} from '#src/feedback/views/managing.ts';
import { type Conditions, viewKinds } from '#src/feedback/views/parameters.ts';
import { listViews, type View } from '#src/feedback/views/views.ts';
import type { ActorContext } from '#src/identity/users/request-context.ts';
import { linkViews, pathOfView } from './desk.ts';

/** The lists of views that can be put in order, each with at least one. */
export async function viewLists(context: ActorContext) {
  const views = await listViews(context, null);
  const links = new Map((await linkViews(context, views, {})).map((link) => [link.id, link]));
  const rows = views.flatMap(({ row, leftOut }) => {
    const link = links.get(row.id);
    if (!link) return [];
    const isOwn = row.owner_id === context.actor.id;
    return [{ ...link, kind: row.kind, isOwn, leftOut: [...new Set(leftOut.map(({ parameter }) => parameter))] }];
  });
  return [true, false].flatMap((isShared) =>
    viewKinds.flatMap((kind) => {
      const own = rows.filter((view) => view.isShared === isShared && view.kind === kind);
      return own.length > 0 ? [{ isShared, kind, views: own }] : [];
    }),
  );
}

export type ViewLists = Awaited<ReturnType<typeof viewLists>>;

/** Does what a form about views asks for. @returns where to go on, and what was done */
export async function changeViews(
  context: ActorContext,
  form: Record<string, string>,
): Promise<[path: string, done: 'viewSaved' | 'viewDeleted']> {
  const [intent = '', id = ''] = (form.intent ?? '').split(':');
  const { name = '', query = '' } = form;
  const here = `/b/${context.board.pid}/views`;
  const isShared = form.shared === undefined ? undefined : form.shared === 'on';
  const kind = viewKinds.find((known) => known === form.kind);
  switch (intent) {
    case 'save':
      if (!kind) throw new Response(null, { status: 400 });
      return [
        pathTo(context, await createView(context, { kind, name, isShared, conditions: conditionsFrom(query) })),
        'viewSaved',
      ];
    case 'replace':
      return [
        pathTo(context, await updateView(context, form.view ?? '', { conditions: conditionsFrom(query) })),
        'viewSaved',
      ];
    case 'edit':
      await updateView(context, id, { name, isShared });
      return [here, 'viewSaved'];
    case 'order':
      await rearrangeViews(context, idsInOrder(form));
      return [here, 'viewSaved'];
    case 'delete':
      await deleteView(context, id);
      return [here, 'viewDeleted'];
    default:
      throw new Response(null, { status: 400 });
  }
}

function pathTo({ board }: ActorContext, { row, conditions }: View): string {
  return pathOfView(board.pid, row.kind, conditions);
}

function conditionsFrom(query: string): GivenConditions {
  const params = new URLSearchParams(query);
  return Object.fromEntries([...new Set(params.keys())].map((name) => [name, params.getAll(name)])) as Conditions &
    GivenConditions;
}

/** The views by the numbers that the form gives them; those with the same number stay as they were. */
function idsInOrder(form: Record<string, string>): string[] {
  const numbered = Object.entries(form).flatMap(([field, number]) =>
    field.startsWith('at-') ? [{ id: field.slice('at-'.length), at: Number(number) || 0 }] : [],
  );
  return numbered.toSorted((a, b) => a.at - b.at).map(({ id }) => id);
}
