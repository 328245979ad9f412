import { recordChange, type State } from '../../identity/activity/activity.ts';
import { lockBoard } from '../../identity/board/board.ts';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { updateRow } from '../../platform/db/rows.ts';
import { badRequest, conflict, forbidden, notFound } from '../../platform/errors.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { msg } from '../../platform/messages.ts';
import { requireLine, requireLineOr } from '../../platform/texts/text.ts';
import { parseConditions, type ViewKind } from './parameters.ts';
import { conditionsOf, readKnown, readViews, type View, type ViewRow, viewOf } from './views.ts';

/** Views that a user may keep, and that a board may share. */
export const MAX_OWN = 50;
export const MAX_SHARED = 100;

/** Characters of a name. */
export const MAX_VIEW_NAME = 60;
const NAME = { field: 'name', min: 1, max: MAX_VIEW_NAME };

/** The values of each parameter, as a client names them. */
export type GivenConditions = Readonly<Record<string, readonly string[]>>;

export type NewView = {
  kind: ViewKind;
  name: string;
  isShared?: boolean | null | undefined;
  conditions: GivenConditions;
};

/**
 * Keeps a filter under a name, after the others of its list.
 * @throws CONFLICT for one too many or a name that another one has, BAD_REQUEST for a broken condition
 */
export async function createView(context: ActorContext, input: NewView): Promise<View> {
  const { kind } = input;
  const name = requireLine(input.name, NAME);
  requireRight(context.actor, 'view.use');
  const conditions = await requireConditions(context, kind, input.conditions);
  return change(context, async (tx, views) => {
    const { board, actor, clock } = context;
    const is_shared = input.isShared ? 1 : 0;
    requireRoom(views, is_shared);
    requireFreeName(views, { kind, is_shared, name });
    const position = nextPosition(views, { kind, is_shared });
    const dates = { date_created: clock.now(), date_updated: clock.now() };
    const row: ViewRow = {
      board_id: board.id,
      id: makeId(),
      kind,
      name,
      conditions,
      owner_id: actor.id,
      is_shared,
      position,
      ...dates,
    };
    await tx.insertInto('views').values(row).execute();
    await recordViewChange(tx, context, row, { exists: false }, { exists: true, ...stateOfView(row) });
    return row;
  });
}

/** Changes to a view; omitted properties stay unchanged. */
export type ViewChanges = {
  name?: string | null | undefined;
  isShared?: boolean | null | undefined;
  conditions?: GivenConditions | null | undefined;
};

/** Changes a view. Only its owner can take a shared one back. @throws as `createView`; NOT_FOUND, FORBIDDEN */
export async function updateView(context: ActorContext, id: string, changes: ViewChanges): Promise<View> {
  const name = requireLineOr(changes.name ?? null, NAME);
  const { actor, clock } = context;
  requireRight(actor, 'view.use');
  const given = changes.conditions ?? null;
  const kind = given && requireKnownView(await readViews(context.db.read, context), id).kind;
  const conditions = kind && given && (await requireConditions(context, kind, given));
  return change(context, async (tx, views) => {
    const view = requireKnownView(views, id);
    const is_shared = changes.isShared == null ? view.is_shared : changes.isShared ? 1 : 0;
    const isMoved = is_shared !== view.is_shared;
    if (isMoved) requireRoom(views, is_shared);
    if (isMoved && view.owner_id !== actor.id) throw forbidden(msg('viewOfOther'));
    requireFreeName(views, { ...view, is_shared, name: name ?? view.name }, id);
    const set = {
      ...(name !== null && { name }),
      ...(conditions && { conditions }),
      ...(isMoved && ({ is_shared, position: nextPosition(views, { kind: view.kind, is_shared }) } as const)),
    };
    if (Object.keys(set).length === 0) return view;
    const changed = await updateRow(tx, 'views', view, { ...set, date_updated: clock.now() });
    // A view that is or was shared is the team's.
    const shared = isMoved ? ({ ...changed, is_shared: 1 } as const) : changed;
    await recordViewChange(tx, context, shared, stateOfView(view), stateOfView(changed));
    return changed;
  });
}

/** Deletes a view. @throws NOT_FOUND */
export async function deleteView(context: ActorContext, id: string): Promise<View> {
  requireRight(context.actor, 'view.use');
  return change(context, async (tx, views) => {
    const view = requireKnownView(views, id);
    await tx.deleteFrom('views').where('board_id', '=', view.board_id).where('id', '=', id).execute();
    await recordViewChange(tx, context, view, { exists: true, ...wholeState(view) }, { exists: false });
    return view;
  });
}

/** A deleted view as it was. */
export type DeletedView = ReturnType<typeof wholeState>;

/** Brings a deleted view back, where it was in its list. @throws CONFLICT if there is no room for it */
export async function restoreView(context: ActorContext, id: string, deleted: DeletedView): Promise<View> {
  requireRight(context.actor, 'view.use');
  return change(context, async (tx, views) => {
    const { kind, name, conditions, ownerId, isShared, position } = deleted;
    const is_shared = isShared ? 1 : 0;
    requireRoom(views, is_shared);
    requireFreeName(views, { kind, is_shared, name });
    const now = context.clock.now();
    const keys = { board_id: context.board.id, id, kind, name, owner_id: ownerId, is_shared, position } as const;
    const row = { ...keys, conditions: JSON.stringify(conditions), date_created: now, date_updated: now };
    await tx.insertInto('views').values(row).execute();
    await recordViewChange(tx, context, row, { exists: false }, { exists: true });
    return row;
  });
}

/**
 * Reorders views of one list: shared ones of a kind, or the viewer's own. Those not listed keep their positions.
 * @returns the first of them
 * @throws NOT_FOUND for an unknown one or one of another list, BAD_REQUEST if one is listed twice
 */
export async function rearrangeViews(context: ActorContext, ids: readonly string[]): Promise<View> {
  if (new Set(ids).size < ids.length) throw badRequest('ids names a view more than once', 'ids');
  requireRight(context.actor, 'view.use');
  return change(context, async (tx, views) => {
    const first = requireKnownView(views, ids[0] ?? '');
    const list = views.filter((view) => isOfSameList(view, first));
    const named = ids.map((id) => requireKnownView(list, id)).values();
    const inOrder = list.map((view) => (ids.includes(view.id) ? (named.next().value ?? view) : view));
    for (const [position, view] of inOrder.entries()) await putAt(tx, context, view, position);
    return first;
  });
}

/** Puts a view at a position of its list; for undoing. */
export async function moveView(context: ActorContext, id: string, position: number): Promise<void> {
  requireRight(context.actor, 'view.use');
  await change(context, async (tx, views) => {
    const view = requireKnownView(views, id);
    await putAt(tx, context, view, position);
    return view;
  });
}

async function putAt(tx: Tx, context: ActorContext, view: ViewRow, position: number): Promise<void> {
  if (view.position === position) return;
  const moved = await updateRow(tx, 'views', view, { position });
  await recordViewChange(tx, context, view, stateOfView(view), stateOfView(moved));
}

/** What operations change of a view, by the names of the API. */
export function stateOfView(view: ViewRow) {
  return { name: view.name, isShared: view.is_shared === 1, conditions: conditionsOf(view), position: view.position };
}

function wholeState(view: ViewRow) {
  return { ...stateOfView(view), kind: view.kind, ownerId: view.owner_id };
}

/** One that its owner keeps for themselves is in no log but theirs. */
function recordViewChange(tx: Tx, context: ActorContext, view: ViewRow, before: State, after: State): Promise<void> {
  const thing = view.is_shared === 1 ? 'VIEW' : 'OWN_VIEW';
  return recordChange(tx, context, { thing, id: view.id, before, after });
}

/** A change of a view, with all that the viewer sees; the board is locked, so that they stay as many as they are. */
async function change(
  context: ActorContext,
  work: (tx: Tx, views: readonly ViewRow[]) => Promise<ViewRow>,
): Promise<View> {
  const row = await context.db.transaction(async (tx) => {
    await lockBoard(tx, context.board.id);
    return work(tx, await readViews(tx, context));
  });
  return viewOf(row, await readKnown(context));
}

/** Conditions as they are stored. @throws BAD_REQUEST naming one that the list does not have */
async function requireConditions(context: ActorContext, kind: ViewKind, given: GivenConditions): Promise<string> {
  const { conditions, leftOut } = parseConditions(kind, Object.entries(given), await readKnown(context));
  const [wrong] = leftOut;
  if (wrong) throw badRequest(msg('viewConditionUnknown', wrong.parameter, wrong.value.slice(0, 50)), 'conditions');
  return JSON.stringify(conditions);
}

function requireKnownView(views: readonly ViewRow[], id: string): ViewRow {
  const view = views.find((one) => one.id === id);
  if (!view) throw notFound('View');
  return view;
}

function isOfSameList(one: Pick<ViewRow, 'kind' | 'is_shared'>, other: Pick<ViewRow, 'kind' | 'is_shared'>): boolean {
  return one.kind === other.kind && one.is_shared === other.is_shared;
}

function requireRoom(views: readonly ViewRow[], is_shared: 0 | 1): void {
  const count = views.filter((view) => view.is_shared === is_shared).length;
  if (is_shared === 1 && count >= MAX_SHARED) throw conflict(msg('viewTooManyShared', MAX_SHARED));
  if (is_shared === 0 && count >= MAX_OWN) throw conflict(msg('viewTooManyOwn', MAX_OWN));
}

/** No two views of a list have the same name, upper and lower case being the same. */
function requireFreeName(
  views: readonly ViewRow[],
  { name, ...list }: Pick<ViewRow, 'kind' | 'is_shared' | 'name'>,
  ownId?: string,
): void {
  const folded = name.toLowerCase();
  const other = views.find(
    (view) => view.id !== ownId && isOfSameList(view, list) && view.name.toLowerCase() === folded,
  );
  if (other) throw conflict(msg('viewNameTaken', other.name));
}

function nextPosition(views: readonly ViewRow[], list: Pick<ViewRow, 'kind' | 'is_shared'>): number {
  return 1 + Math.max(-1, ...views.filter((view) => isOfSameList(view, list)).map(({ position }) => position));
}
