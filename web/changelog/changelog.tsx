import './changelog.css';
import { type ActionFunctionArgs, Link, type LoaderFunctionArgs, useActionData, useLoaderData } from 'react-router';
import { listEntries, listUsedLabels } from '#src/feedback/changelog/list.ts';
import { may } from '#src/identity/users/authority.ts';
import { parseLocale } from '../i18n/format.ts';
import { formatTime } from '../i18n/measures.ts';
import * as m from '../i18n/messages.ts';
import { usePrefix } from '../lib/prefix.ts';
import { formAnswerOf, orFormAnswer, readForm } from '../parts/requests/forms.ts';
import { describePage } from '../parts/requests/head.ts';
import { openView } from '../parts/requests/joining.ts';
import { useBoard, useIsStatic, useLocale } from '../parts/requests/locale.ts';
import { Icon } from '../parts/show/icon.tsx';
import { ChangelogEntry } from './article.tsx';
import { viewEntries } from './entries.ts';
import { labelIn, labelName, searchFor } from './labels.ts';
import { useLastSeen } from './last-visit.ts';
import { Subscribe } from './subscribe.tsx';
import { changeSubscription, viewSubscription } from './subscription.ts';

const PAGE = 10;
/** Entries that are not published, of each kind, above the others. */
const WAITING = 20;

export async function loader(args: LoaderFunctionArgs) {
  const view = await openView(args);
  const { context } = view;
  const after = args.url.searchParams.get('after');
  const label = labelIn(args.url.searchParams);
  const isFirst = after === null;
  const list = (cursor: string | null) => listEntries(context, 'PUBLISHED', { cursor, limit: PAGE }, label);
  // A cursor that was cut off leads to the first page.
  const page = await list(after).catch((error) => {
    if (after === null) throw error;
    return list(null);
  });
  const mayWrite = may(context.actor, 'changelog.edit');
  const l = parseLocale(view.visit.language());
  return {
    head: describePage(context, {
      title: m.changelog(l),
      description: m.changelogHelp(l),
      path: '/changelog',
      isIndexed: isFirst && label === null && context.board.changelog_count > 0,
      feed: { title: m.changelog(l), path: '/changelog.atom' },
    }),
    entries: await viewEntries(view, page.nodes, false),
    next: page.cursor,
    isFirst,
    label,
    labels: await listUsedLabels(context),
    subscription: await viewSubscription(view),
    mayWrite,
    waiting: mayWrite && isFirst && label === null ? await viewWaiting(view) : [],
  };
}

/** The form for the changelog by mail, from here and from the pages of entries. */
export async function action(args: ActionFunctionArgs) {
  const view = await openView(args);
  const form = await readForm(args.request);
  return orFormAnswer(form, () => changeSubscription(view, form));
}

/** Drafts and scheduled entries, by their titles. */
async function viewWaiting(view: Awaited<ReturnType<typeof openView>>) {
  const first = { cursor: null, limit: WAITING };
  const scheduled = await listEntries(view.context, 'SCHEDULED', first);
  const drafts = await listEntries(view.context, 'DRAFT', first);
  const entries = await viewEntries(view, [...scheduled.nodes, ...drafts.nodes], false);
  return entries.map(({ id, title, path, state, date }) => ({ id, title, path, state, date }));
}

/** What the team has done, the newest first. */
export default function Changelog() {
  const prefix = usePrefix();
  const { entries, next, isFirst, label, labels, subscription, mayWrite, waiting } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const board = useBoard();
  const seen = useLastSeen(board?.pid ?? '', entries[0]?.date ?? null);
  const l = useLocale();
  if (!board) return null;
  const home = `/b/${board.pid}/changelog`;
  return (
    <main id="main" className="page changelog">
      <div className="changelog-head">
        <div className="intro">
          <h1>{m.changelog(l)}</h1>
          <p>{m.changelogHelp(l)}</p>
        </div>
        <div className="row">
          {board.hasFeeds && (
            <a className="button" href={`${prefix}${home}.atom${searchFor(label)}`} title={m.feed(l)}>
              <Icon name="rss" />
              {m.rss(l)}
            </a>
          )}
          {mayWrite && (
            <Link className="button" data-kind="primary" to={`${home}/new`}>
              {m.newEntry(l)}
            </Link>
          )}
        </div>
      </div>
      {waiting.length > 0 && <Waiting entries={waiting} />}
      <Subscribe
        subscription={subscription}
        labels={labels}
        answer={formAnswerOf(result)}
        result={result && 'change' in result ? result : undefined}
      />
      <Labels home={home} />
      {entries.length === 0 ? (
        <div className="empty">
          <Icon name="megaphone" />
          <strong>{m.noEntries(l)}</strong>
        </div>
      ) : (
        <div>
          {entries.map((entry) => (
            <ChangelogEntry key={entry.id} entry={entry} level="h2" isNew={seen !== null && entry.date > seen} />
          ))}
        </div>
      )}
      {(next || !isFirst) && (
        <nav className="row" aria-label={m.pages(l)}>
          {!isFirst && (
            <Link className="button" to={home + searchFor(label)}>
              {m.firstPage(l)}
            </Link>
          )}
          {next && (
            <Link className="button" to={searchFor(label, next)}>
              {m.nextPage(l)}
            </Link>
          )}
        </nav>
      )}
    </main>
  );
}

/** Links to the entries of one label, of those that there are. */
function Labels({ home }: { home: string }) {
  const { label: shown, labels } = useLoaderData<typeof loader>();
  const isStatic = useIsStatic();
  const l = useLocale();
  if (isStatic || labels.length === 0) return null;
  return (
    <nav className="tabs" aria-label={m.entryLabels(l)}>
      {[null, ...labels].map((label) => (
        <Link key={label} to={home + searchFor(label)} aria-current={label === shown ? 'page' : undefined}>
          {label === null ? m.all(l) : labelName(l, label)}
        </Link>
      ))}
    </nav>
  );
}

type WaitingProps = { entries: Awaited<ReturnType<typeof loader>>['waiting'] };

function Waiting({ entries }: WaitingProps) {
  const board = useBoard();
  const l = useLocale();
  return (
    <section className="release-waiting" aria-labelledby="waiting">
      <h2 id="waiting">{m.notPublished(l)}</h2>
      <ul className="waiting-entries">
        {entries.map(({ id, title, path, state, date }) => (
          <li key={id} className="row">
            <Link to={`/b/${board?.pid}/${path}`} dir="auto">
              {title}
            </Link>
            <span className="muted small">
              {state === 'DRAFT' ? m.entryDraft(l) : m.scheduledFor(l, { time: formatTime(l, date) })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
