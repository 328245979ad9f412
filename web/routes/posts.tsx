import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import type { Visit } from '../../src/web/visit.ts';
import { formatDay } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { orErrorPage } from '../lib/failure.ts';
import { useBoard, useLocale } from '../lib/locale.ts';
import { visitContext } from '../lib/visit.ts';
import { StatusName } from '../ui/status.tsx';

const PAGE = 20;
/** The orders that the page offers, by their name in the address. */
const orders = { top: 'TOP', new: 'NEWEST', trending: 'TRENDING' } as const;
type OrderName = keyof typeof orders;

export async function loader({ context, params, url }: LoaderFunctionArgs) {
  const visit = context.get(visitContext);
  const { board } = await orErrorPage(visit.openBoard(params.pid));
  const asked = url.searchParams.get('sort') ?? '';
  const sort: OrderName = Object.hasOwn(orders, asked) ? (asked as OrderName) : 'trending';
  const statuses = await visit.features.listStatuses(visit.db.read, board.id);
  const page = await orFirstPage(url.searchParams.get('after'), (cursor) =>
    visit.features.listPosts(visit.db.read, board.id, {
      order: orders[sort],
      cursor,
      limit: PAGE,
      viewer: null,
    }),
  );
  return {
    sort,
    count: await visit.features.countPostsIn(visit.db.read, board.id, statuses, null),
    next: page.cursor,
    isFirst: !url.searchParams.has('after'),
    posts: page.nodes.map((post) => describe(visit, post, statuses)),
  };
}

type Page = Awaited<ReturnType<Visit['features']['listPosts']>>;
type Statuses = Awaited<ReturnType<Visit['features']['listStatuses']>>;

/** A cursor that somebody cut off, or kept from another order, leads to the first page. */
async function orFirstPage(cursor: string | null, list: (cursor: string | null) => Promise<Page>): Promise<Page> {
  return list(cursor).catch((error) => {
    if (cursor === null) throw error;
    return list(null);
  });
}

function describe({ features }: Visit, post: Page['nodes'][number], statuses: Statuses) {
  const status = statuses.find(({ id }) => id === post.status_id);
  return {
    id: post.id,
    path: `posts/${post.number}/${encodeURIComponent(features.makeSlug(post.title))}`,
    title: post.title,
    excerpt: post.excerpt,
    votes: post.upvotes,
    comments: post.comment_count,
    date: post.date_created,
    status: status ? { name: status.name, color: status.color } : null,
  };
}

export default function Posts() {
  const { sort, count, next, isFirst, posts } = useLoaderData<typeof loader>();
  const board = useBoard();
  const l = useLocale();
  if (!board) return null;
  const names = { top: m.sortTop(l), new: m.sortNew(l), trending: m.sortTrending(l) };
  return (
    <main id="main" className="page">
      <title>{board.name}</title>
      {board.description && <meta name="description" content={board.description} />}
      <div className="intro">
        <h1>{m.ideasOf(l, { board: board.name })}</h1>
        {board.description && <p className="measure">{board.description}</p>}
      </div>
      <div className="list-head">
        <nav className="tabs" aria-label={m.sortBy(l)}>
          {Object.entries(names).map(([name, words]) => (
            <Link key={name} to={`?sort=${name}`} aria-current={name === sort ? 'page' : undefined}>
              {words}
            </Link>
          ))}
        </nav>
        <p className="muted small">{m.ideaCount(l, { count })}</p>
      </div>
      {posts.length === 0 ? (
        <p className="empty">{m.noIdeas(l)}</p>
      ) : (
        <ol className="posts">
          {posts.map((post) => (
            <PostRow key={post.id} post={post} />
          ))}
        </ol>
      )}
      {(next || !isFirst) && (
        <nav className="row" aria-label={m.pages(l)}>
          {!isFirst && (
            <Link className="button" to={`?sort=${sort}`}>
              {m.firstPage(l)}
            </Link>
          )}
          {next && (
            <Link className="button" to={`?sort=${sort}&after=${next}`}>
              {m.nextPage(l)}
            </Link>
          )}
        </nav>
      )}
    </main>
  );
}

function PostRow({ post }: { post: ReturnType<typeof describe> }) {
  const l = useLocale();
  return (
    <li className="post-row">
      <p className="votes">
        <strong>{post.votes.toLocaleString(l)}</strong>
        <span className="visually-hidden">{m.votes(l, { count: post.votes })}</span>
      </p>
      <div className="post-text">
        <h2>
          <Link to={post.path} dir="auto">
            {post.title}
          </Link>
        </h2>
        {post.excerpt && (
          <p className="muted excerpt" dir="auto">
            {post.excerpt}
          </p>
        )}
        <p className="muted small row">
          {post.status && <StatusName {...post.status} />}
          <span>{m.comments(l, { count: post.comments })}</span>
          <time dateTime={new Date(post.date).toISOString()}>{formatDay(l, post.date)}</time>
        </p>
      </div>
    </li>
  );
}
