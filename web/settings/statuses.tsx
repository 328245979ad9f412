import type { HTMLAttributes } from 'react';
import { redirect, useActionData, useLoaderData, useSubmit } from 'react-router';
import { deleteStatus } from '#src/feedback/lifecycle/deleting-status.ts';
import { createStatus, rearrangeStatuses, updateStatus } from '#src/feedback/statuses/managing.ts';
import { listStatuses, type PostVisibility } from '#src/feedback/statuses/statuses.ts';
import { MAX_UNDONE } from '#src/identity/activity/activity.ts';
import type { ActorContext } from '#src/identity/users/request-context.ts';
import * as m from '../i18n/messages.ts';
import { Checkbox, PageForm, Select, Submit, TextField } from '../parts/forms/form.tsx';
import { type FormAnswer, formAnswerOf } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { memberAction, memberLoader } from '../parts/requests/member.ts';
import { withUndo } from '../parts/requests/undo.ts';
import { Icon } from '../parts/show/icon.tsx';
import { PageTitle } from '../parts/show/page-title.tsx';
import { StatusChip } from '../posts/status.tsx';
import { nameOfStatus, statusViewOf } from '../posts/statuses.ts';
import { useDragOrder } from './drag-order.ts';
import { Move, putBefore, swapped } from './move.tsx';
import { nextColor } from './next-color.ts';

const visibilities: readonly PostVisibility[] = ['PUBLIC', 'TEAM', 'HIDDEN'];
const MAX_NAME = 50;

export const loader = memberLoader('status.edit', async ({ context }) => {
  const statuses = await listStatuses(context.db.read, context.board.id);
  const viewOf = statusViewOf(statuses);
  return {
    open: nameOfStatus(statuses.find(({ type }) => type === 'UNASSIGNED')?.name ?? ''),
    statuses: statuses.map((status) => ({
      id: status.id,
      name: status.name,
      color: status.color,
      visibility: status.post_visibility,
      isOnRoadmap: status.is_on_roadmap === 1,
      mayBeOnRoadmap: status.type !== 'MERGED',
      posts: status.post_count,
      isFinal: status.post_count >= MAX_UNDONE,
      isOwn: status.type === 'CUSTOM',
      view: viewOf(status),
    })),
  };
});

export const action = memberAction('status.edit', async ({ visit, context, form }) => {
  const [intent = '', id = ''] = (form.intent ?? '').split(':');
  const { name = '', color = '' } = form;
  const here = `/b/${context.board.pid}/settings/statuses`;
  switch (intent) {
    case 'add':
      await createStatus(context, { name, color, isOnRoadmap: form.isOnRoadmap === 'on' });
      throw redirect(withUndo(visit, `${here}?done=saved`));
    case 'edit': {
      const postVisibility = visibilities.find((known) => known === form.visibility);
      await updateStatus(context, id, { name, color, postVisibility, isOnRoadmap: form.isOnRoadmap === 'on' });
      throw redirect(withUndo(visit, `${here}?done=saved`));
    }
    case 'up':
    case 'down':
      await rearrangeStatuses(context, swapped(await listIds(context), id, intent === 'up' ? -1 : 1));
      throw redirect(withUndo(visit, `${here}?done=saved#status-${id}`));
    case 'put':
      await rearrangeStatuses(context, putBefore(await listIds(context), id, form.before ?? ''));
      throw redirect(withUndo(visit, `${here}?done=saved`));
    case 'delete':
      if (form.sure !== 'on') throw redirect(`${here}#status-${id}`);
      await deleteStatus(context, id);
      throw redirect(withUndo(visit, `${here}?done=removed`));
    default:
      throw new Response(null, { status: 400 });
  }
});

async function listIds({ db, board }: ActorContext): Promise<string[]> {
  return (await listStatuses(db.read, board.id)).map(({ id }) => id);
}

/** The statuses of the board: their order, names, colors, and who sees the ideas in them. */
export default function Statuses() {
  const { statuses, open } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  const submit = useSubmit();
  const { handleOf, rowOf } = useDragOrder(
    statuses.map(({ id }) => id),
    (id, before) => submit({ intent: `put:${id}`, before: before ?? '' }, { method: 'post', preventScrollReset: true }),
  );
  return (
    <div className="stack sections">
      <PageTitle>{m.statuses(l)}</PageTitle>
      <p className="muted">{m.statusesHelp(l)}</p>
      <ol className="rows">
        {statuses.map((status, n) => (
          <Status
            key={status.id}
            {...{ status, open, answer, row: rowOf(status.id), handle: handleOf(status.id) }}
            isFirst={n === 0}
            isLast={n === statuses.length - 1}
          />
        ))}
      </ol>
      <section className="stack" aria-labelledby="add">
        <h2 id="add">{m.addStatus(l)}</h2>
        <p className="muted">{m.addStatusHelp(l)}</p>
        <PageForm answer={answer} intent="add" key={statuses.length}>
          <TextField name="name" label={m.statusName(l)} maxLength={MAX_NAME} required />
          <TextField
            name="color"
            type="color"
            label={m.statusColor(l)}
            defaultValue={nextColor(statuses.map(({ color }) => color))}
          />
          <Checkbox name="isOnRoadmap" label={m.statusOnRoadmap(l)} />
          <Submit>{m.addStatus(l)}</Submit>
        </PageForm>
      </section>
    </div>
  );
}

type Row = Awaited<ReturnType<typeof loader>>['statuses'][number];
type StatusProps = {
  status: Row;
  open: string;
  answer: FormAnswer | undefined;
  isFirst: boolean;
  isLast: boolean;
  /** What makes the row a place to drop others, and its handle draggable. */
  row: HTMLAttributes<HTMLElement>;
  handle: HTMLAttributes<HTMLElement>;
};

function Status({ status, open, answer, isFirst, isLast, row, handle }: StatusProps) {
  const l = useLocale();
  const { id, name, color, visibility, isOnRoadmap, mayBeOnRoadmap, posts, isFinal, isOwn, view } = status;
  const edit = `edit:${id}`;
  return (
    <li className="row-item" id={`status-${id}`} {...row}>
      <span className="drag-handle" title={m.dragToMove(l)} {...handle}>
        <Icon name="grip-vertical" />
      </span>
      <div className="person">
        <span>
          <StatusChip status={view} />
        </span>
        <span className="muted small">
          {m.ideaCount(l, { count: posts })} · {visibilityNames(l)[visibility]}
          {isOnRoadmap && ` · ${m.onRoadmap(l)}`}
        </span>
      </div>
      <div className="row">
        <Move intent={`up:${id}`} sign="↑" label={m.moveUp(l, { name })} isDisabled={isFirst} answer={answer} />
        <Move intent={`down:${id}`} sign="↓" label={m.moveDown(l, { name })} isDisabled={isLast} answer={answer} />
      </div>
      <details className="status-edit" open={answer?.values.intent === edit}>
        <summary>
          {m.change(l)} <span className="visually-hidden">{name}</span>
        </summary>
        <PageForm answer={answer} intent={edit} key={`${name} ${color} ${visibility} ${isOnRoadmap}`}>
          <TextField name="name" label={m.statusName(l)} defaultValue={name} maxLength={MAX_NAME} required />
          <TextField name="color" type="color" label={m.statusColor(l)} defaultValue={color} />
          <Select
            name="visibility"
            label={m.whoSeesIdeas(l)}
            help={m.whoSeesIdeasHelp(l, { team: m.visibleToTeam(l), admins: m.visibleToAdmins(l) })}
            defaultValue={visibility}
            options={visibilityNames(l)}
          />
          {mayBeOnRoadmap && <Checkbox name="isOnRoadmap" label={m.statusOnRoadmap(l)} defaultChecked={isOnRoadmap} />}
          <Submit>{m.save(l)}</Submit>
        </PageForm>
        {isOwn ? (
          <PageForm answer={answer} intent={`delete:${id}`} className="stack status-delete">
            <Checkbox
              name="sure"
              label={m.deleteStatusSure(l, { count: posts, open })}
              help={isFinal ? m.cannotBeUndone(l) : null}
              isRequired
            />
            <Submit kind="danger">{m.deleteStatus(l)}</Submit>
          </PageForm>
        ) : (
          <p className="muted small status-delete">{m.statusBuiltIn(l)}</p>
        )}
      </details>
    </li>
  );
}

function visibilityNames(l: ReturnType<typeof useLocale>): Record<PostVisibility, string> {
  return { PUBLIC: m.visibleToAll(l), TEAM: m.visibleToTeam(l), HIDDEN: m.visibleToAdmins(l) };
}
