import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { listPostsOfEach } from '#src/feedback/posts/list.ts';
import { listRoadmap } from '#src/feedback/roadmap/roadmap.ts';
import { isTeam } from '#src/feedback/visibility/posts.ts';
import { makeSlug } from '#src/platform/lib/text.ts';
import * as m from '../i18n/messages.ts';
import { openView } from '../lib/joining.ts';
import { useBoard, useLocale } from '../lib/locale.ts';
import { viewPosts } from '../lib/posts.ts';
import { PostRow } from '../ui/post-row.tsx';
import { StatusName } from '../ui/status.tsx';

/** Ideas that a column shows. */
const COLUMN = 20;

export async function loader(args: LoaderFunctionArgs) {
  const view = await openView(args);
  const { visit, context } = view;
  const { db } = visit;
  const { board, actor } = context;
  const statuses = await listRoadmap(context);
  if (!statuses) throw new Response(null, { status: 404 });
  const ids = statuses.map(({ id }) => id);
  const query = { viewer: actor, order: 'TOP' as const, cursor: null, limit: COLUMN };
  const pages = await listPostsOfEach(db.read, board.id, query, 'status_id', ids);
  const isOnTeam = isTeam(actor);
  return {
    columns: await Promise.all(
      statuses.map(async (status) => ({
        ...{ id: status.id, name: status.name, color: status.color },
        slug: makeSlug(status.name),
        count: status.post_count - (isOnTeam ? 0 : status.held_count),
        hasMore: pages.get(status.id)?.hasMore ?? false,
        posts: (await viewPosts(view, pages.get(status.id)?.nodes ?? [], statuses)).map((post) => ({
          ...post,
          status: null,
        })),
      })),
    ),
  };
}

/** What is planned, in progress and done, side by side. */
export default function Roadmap() {
  const { columns } = useLoaderData<typeof loader>();
  const board = useBoard();
  const l = useLocale();
  if (!board) return null;
  return (
    <main id="main" className="page">
      <title>{`${m.roadmap(l)} · ${board.name}`}</title>
      <div className="intro">
        <h1>{m.roadmap(l)}</h1>
        <p className="muted">{m.roadmapHelp(l)}</p>
      </div>
      {/* Scrolls sideways on narrow screens, so it must be reachable with the keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <section className="roadmap" aria-label={m.roadmap(l)} tabIndex={0}>
        {columns.map((column) => (
          <section key={column.id} className="roadmap-column" aria-labelledby={`column-${column.id}`}>
            <h2 id={`column-${column.id}`}>
              <StatusName {...column} />
            </h2>
            {column.posts.length === 0 ? (
              <p className="muted">{m.nothingPlanned(l)}</p>
            ) : (
              <ol className="posts">
                {column.posts.map((post) => (
                  <PostRow key={post.id} post={post} level="h3" />
                ))}
              </ol>
            )}
            {column.hasMore && (
              <Link to={`/b/${board.pid}?sort=top&status=${encodeURIComponent(column.slug)}`}>
                {m.allOfStatus(l, { count: column.count })}
              </Link>
            )}
          </section>
        ))}
      </section>
    </main>
  );
}
