import { Link, useLoaderData } from 'react-router';
import { listOperations } from '#src/feedback/undo/operations.ts';
import * as m from '../i18n/messages.ts';
import { PageForm, Submit } from '../parts/forms/form.tsx';
import { orErrorPage } from '../parts/requests/failure.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { memberLoader } from '../parts/requests/member.ts';
import { peopleOf } from '../parts/requests/people.ts';
import { Byline } from '../parts/show/byline.tsx';
import { Icon } from '../parts/show/icon.tsx';
import { Older } from '../parts/show/older.tsx';
import { Time } from '../parts/show/time.tsx';
import { viewActivity } from './activity.ts';
import { ModerationTabs } from './tabs.tsx';

const PAGE = 20;

export const loader = memberLoader('post.see.team', async (view, args) => {
  const part = { cursor: args.url.searchParams.get('after'), limit: PAGE };
  const page = await orErrorPage(listOperations(view.context, part));
  const personOf = await peopleOf(
    view,
    page.nodes.flatMap(({ actorId, undoneBy }) => [actorId, undoneBy]),
  );
  const people = page.nodes.map(({ actorId, undoneBy, via }) => ({
    by: personOf(actorId),
    via,
    undoneBy: personOf(undoneBy),
  }));
  const entries = await viewActivity(view.context, page.nodes);
  return {
    next: page.cursor,
    entries: entries.map((entry, n) => ({ ...entry, by: null, via: null, undoneBy: null, ...people[n] })),
  };
});

type Entry = ReturnType<typeof useLoaderData<typeof loader>>['entries'][number];

/** What the team did in the last 30 days, each with a button that undoes it. */
export default function Activity() {
  const { entries, next } = useLoaderData<typeof loader>();
  const board = useBoard();
  const l = useLocale();
  return (
    <main id="main" className="page">
      <title>{`${m.activity(l)} · ${board?.name ?? ''}`}</title>
      <div className="intro">
        <h1>{m.activity(l)}</h1>
        <p className="muted measure">{m.activityHelp(l)}</p>
      </div>
      <ModerationTabs />
      {entries.length === 0 && (
        <div className="empty">
          <Icon name="check" />
          <strong>{m.activityNone(l)}</strong>
        </div>
      )}
      <ol className="posts">
        {entries.map((entry) => (
          <Done key={entry.id} entry={entry} />
        ))}
      </ol>
      <Older to={next && `?after=${next}`} />
    </main>
  );
}

function Done({ entry }: { entry: Entry }) {
  const board = useBoard();
  const l = useLocale();
  return (
    <li className="entry stack">
      <ul className="stack">
        {entry.lines.map((line, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the changes of an operation keep their order
          <li key={n}>
            {line.words}
            {line.title !== null && ': '}
            {line.path ? (
              <Link to={`/b/${board?.pid}/${line.path}`} dir="auto">
                {line.title}
              </Link>
            ) : (
              <bdi>{line.title}</bdi>
            )}
            {line.detail && ' '}
            {line.detail && (
              <span className="muted" dir="auto">
                {line.detail}
              </span>
            )}
          </li>
        ))}
        {entry.more > 0 && <li className="muted">{m.activityMore(l, { count: entry.more })}</li>}
      </ul>
      <div className="row">
        <p className="meta">
          <Byline author={entry.by} date={entry.date} />
          {entry.via !== null && <bdi>{m.activityVia(l, { name: entry.via })}</bdi>}
        </p>
        {entry.isLasting && <p className="meta">{m.cannotBeUndone(l)}</p>}
        {entry.isUndoable && (
          <PageForm answer={undefined} action={`/b/${board?.pid}/undo`} className="row">
            <input type="hidden" name="next" value={`/b/${board?.pid}/activity`} />
            <Submit kind="plain" name="operation" value={entry.id}>
              {m.undo(l)}
            </Submit>
          </PageForm>
        )}
      </div>
      {entry.dateUndone !== null && (
        <p className="meta">
          {m.undoneBy(l, { name: entry.undoneBy?.name ?? m.formerUser(l) })} <Time date={entry.dateUndone} />
        </p>
      )}
    </li>
  );
}
