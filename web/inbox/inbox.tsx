import { Link, type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router';
import { kinds } from '#src/feedback/notices/kinds.ts';
import {
  type InboxEntry,
  involvements,
  listInbox,
  listInvolved,
  markInboxSeen,
} from '#src/feedback/notifying/inbox.ts';
import { listStatuses } from '#src/feedback/statuses/statuses.ts';
import { beginningOf } from '#src/platform/texts/beginning.ts';
import * as m from '../i18n/messages.ts';
import { localize } from '../lib/localize.ts';
import { withNext } from '../lib/next.ts';
import { orErrorPage } from '../parts/requests/failure.ts';
import { openView } from '../parts/requests/joining.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { Icon } from '../parts/show/icon.tsx';
import { Time } from '../parts/show/time.tsx';
import { postPath, viewPosts } from '../posts/posts.ts';
import { PostRow } from '../posts/row.tsx';

const PAGE = 20;
const EXCERPT = 300;

/** Changes to posts that the viewer follows, or the viewer's own lists of posts. */
export async function loader(args: LoaderFunctionArgs) {
  const view = await openView(args);
  const { visit, context } = view;
  const { board } = context;
  const actor = await visit.people.on(board);
  const { pathname, search, searchParams } = args.url;
  if (!actor) throw redirect(withNext('/sign-in', pathname + search));
  const own = { ...context, actor };
  const part = { cursor: searchParams.get('after'), limit: PAGE };
  const shown = searchParams.get('show') ?? '';
  if (isInvolvement(shown)) {
    const page = await orErrorPage(listInvolved(own, shown, part));
    const statuses = await listStatuses(visit.db.read, board.id);
    return { shown, next: page.cursor, entries: [], posts: await viewPosts(view, page.nodes, statuses) };
  }
  const page = await orErrorPage(listInbox(own, part));
  if (page.nodes.some(({ isNew }) => isNew)) visit.personChanged(await markInboxSeen(own));
  return { shown: null, next: page.cursor, entries: page.nodes.map(viewEntry), posts: [] };
}

function isInvolvement(text: string): text is keyof typeof involvements {
  return Object.hasOwn(involvements, text);
}

function viewEntry({ id, post, change, commentId, date, isNew }: InboxEntry) {
  const { kind, entry, text } = change;
  const words = kinds[kind].inbox(change);
  return {
    id,
    date,
    isNew,
    title: post.title,
    path: entry?.path ?? `${postPath(post)}${commentId ? `#comment-${commentId}` : ''}`,
    words: localize(words.text, words),
    text: text && beginningOf(text, EXCERPT),
  };
}

export default function Inbox() {
  const { shown, next, entries, posts } = useLoaderData<typeof loader>();
  const board = useBoard();
  const l = useLocale();
  const tabs = [
    { show: null, words: m.inboxUpdates(l) },
    { show: 'ideas', words: m.inboxIdeas(l) },
    { show: 'votes', words: m.inboxVotes(l) },
    { show: 'comments', words: m.inboxComments(l) },
    { show: 'following', words: m.inboxFollowing(l) },
  ];
  const isEmpty = entries.length === 0 && posts.length === 0;
  return (
    <main id="main" className="page">
      <title>{`${m.inbox(l)} · ${board?.name ?? ''}`}</title>
      <div className="intro">
        <h1>{m.inbox(l)}</h1>
      </div>
      <nav className="tabs" aria-label={m.inbox(l)}>
        {tabs.map(({ show, words }) => (
          <Link key={words} to={show ? `?show=${show}` : '.'} aria-current={show === shown ? 'page' : undefined}>
            {words}
          </Link>
        ))}
      </nav>
      {isEmpty && (
        <div className="empty">
          <Icon name="bell" />
          <strong>{shown === null ? m.inboxEmpty(l) : m.inboxNoPosts(l)}</strong>
          <Link className="button" to={`/b/${board?.pid}`}>
            {m.inboxFindIdeas(l)}
          </Link>
        </div>
      )}
      {entries.length > 0 && (
        <ol className="posts">
          {entries.map((entry) => (
            <li key={entry.id} className="inbox-entry" data-new={entry.isNew || undefined}>
              <h2 className="post-title">
                <Link to={`/b/${board?.pid}/${entry.path}`} dir="auto">
                  {entry.title}
                </Link>
              </h2>
              <p className="small" dir="auto">
                {entry.isNew && <strong className="inbox-new">{m.inboxNew(l)}</strong>} {entry.words}
              </p>
              {entry.text && (
                <p className="muted excerpt" dir="auto">
                  {entry.text}
                </p>
              )}
              <p className="meta">
                <Time date={entry.date} />
              </p>
            </li>
          ))}
        </ol>
      )}
      {posts.length > 0 && (
        <ol className="posts">
          {posts.map((post) => (
            <PostRow key={post.id} post={post} />
          ))}
        </ol>
      )}
      {next && (
        <Link className="button" to={`?${new URLSearchParams({ ...(shown && { show: shown }), after: next })}`}>
          {m.nextPage(l)}
        </Link>
      )}
    </main>
  );
}
