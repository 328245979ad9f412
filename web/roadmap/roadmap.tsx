import './roadmap.css';
import { Fragment } from 'react';
import {
  Link,
  type LoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { listPostsOfEach } from '#src/feedback/posts/list.ts';
import { listRoadmap } from '#src/feedback/roadmap/roadmap.ts';
import { listStatuses } from '#src/feedback/statuses/statuses.ts';
import { isTeam } from '#src/feedback/visibility/posts.ts';
import { makeSlug } from '#src/platform/texts/text.ts';
import { formatCount, parseLocale } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { describePage } from '../parts/requests/head.ts';
import { openView } from '../parts/requests/joining.ts';
import { useBoard, useIsStatic, useLocale } from '../parts/requests/locale.ts';
import { Avatar } from '../parts/show/avatar.tsx';
import { expectedName } from '../posts/expected.ts';
import { type PostView, viewPosts } from '../posts/posts.ts';
import { CommentCount, PostTitle } from '../posts/row.tsx';
import { StatusChip } from '../posts/status.tsx';
import { statusViewOf } from '../posts/statuses.ts';
import { Tag } from '../posts/tag.tsx';
import { VoteButton } from '../posts/votes/vote-button.tsx';

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
  const viewOf = statusViewOf(await listStatuses(db.read, board.id));
  const l = parseLocale(visit.language());
  return {
    head: describePage(context, { title: m.roadmap(l), description: m.roadmapHelp(l), path: '/roadmap' }),
    lanes: await Promise.all(
      statuses.map(async (status) => ({
        id: status.id,
        status: viewOf(status),
        slug: makeSlug(status.name),
        count: status.post_count - (isOnTeam ? 0 : status.held_count),
        hasMore: pages.get(status.id)?.hasMore ?? false,
        posts: await viewPosts(view, pages.get(status.id)?.nodes ?? [], statuses),
      })),
    ),
  };
}

type Lane = ReturnType<typeof useLoaderData<typeof loader>>['lanes'][number];

/** Switching between lanes on a phone needs no new data. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  return currentUrl.pathname === nextUrl.pathname && !formMethod ? false : defaultShouldRevalidate;
}

/** The roadmap: a lane for each status; on a phone, one at a time, or in an export one below the other. */
export default function Roadmap() {
  const { lanes } = useLoaderData<typeof loader>();
  const [params] = useSearchParams();
  const board = useBoard();
  const l = useLocale();
  const isStatic = useIsStatic();
  if (!board) return null;
  const shown = lanes.find(({ slug }) => slug === params.get('lane')) ?? lanes[0];
  return (
    <main id="main" className="page">
      <div className="intro">
        <h1>{m.roadmap(l)}</h1>
        <p>{m.roadmapHelp(l)}</p>
      </div>
      {!isStatic && (
        <nav className="segments lane-tabs" aria-label={m.status(l)}>
          {lanes.map(({ id, slug, status, count }) => (
            <Link
              key={id}
              to={`?lane=${encodeURIComponent(slug)}`}
              aria-current={id === shown?.id || undefined}
              preventScrollReset
            >
              {status.name} {formatCount(l, count)}
            </Link>
          ))}
        </nav>
      )}
      {/* Scrolls sideways on narrow screens, so it must be reachable with the keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <section className="lanes" aria-label={m.roadmap(l)} tabIndex={0} data-stacked={isStatic || undefined}>
        {lanes.map((lane) => (
          <LaneColumn key={lane.id} lane={lane} isShown={isStatic || lane.id === shown?.id} />
        ))}
      </section>
    </main>
  );
}

function LaneColumn({ lane, isShown }: { lane: Lane; isShown: boolean }) {
  const board = useBoard();
  const l = useLocale();
  return (
    <section className="lane" aria-labelledby={`lane-${lane.id}`} data-shown={isShown || undefined}>
      <header>
        <h2 id={`lane-${lane.id}`}>
          <StatusChip status={lane.status} />
        </h2>
        {formatCount(l, lane.count)}
      </header>
      {lane.posts.length === 0 ? (
        <p className="muted">{m.nothingPlanned(l)}</p>
      ) : (
        groupByTime(lane.posts).map(([expected, posts], _, { length }) => (
          <Fragment key={expected}>
            {(expected !== '' || length > 1) && (
              <p className="lane-time">
                {expected !== '' && <span className="visually-hidden">{`${m.expected(l)}: `}</span>}
                {expected === '' ? m.undated(l) : expectedName(l, expected)}
              </p>
            )}
            <ol className="cards flat-votes">
              {posts.map((post) => (
                <IdeaCard key={post.id} post={post} />
              ))}
            </ol>
          </Fragment>
        ))
      )}
      {lane.hasMore && (
        <Link to={`/b/${board?.pid}?sort=top&status=${encodeURIComponent(lane.slug)}`}>
          {m.allOfStatus(l, { count: lane.count })}
        </Link>
      )}
    </section>
  );
}

/** Ideas by when they are expected, the soonest first and those without a date last; each in the order that it has. */
function groupByTime(posts: readonly PostView[]): [string, PostView[]][] {
  const groups = [...Map.groupBy(posts, ({ expected }) => expected ?? '')];
  return groups.sort(([one], [other]) => (endOf(one) < endOf(other) ? -1 : 1));
}

/** The month in which a quarter or a month ends. */
function endOf(expected: string): string {
  const [year, quarter] = expected.split('-Q');
  if (expected === '') return '~';
  return quarter ? `${year}-${String(Number(quarter) * 3).padStart(2, '0')}` : expected;
}

function IdeaCard({ post }: { post: PostView }) {
  return (
    <li className="idea-card">
      <PostTitle post={post} level="h3" />
      <footer>
        <VoteButton post={post} />
        <div className="meta">
          {post.tags.slice(0, 1).map((tag) => (
            <Tag key={tag.name} {...tag} />
          ))}
          <CommentCount count={post.comments} />
        </div>
        {post.author && (
          <>
            <Avatar {...post.author} size={24} />
            <bdi className="visually-hidden">{post.author.name}</bdi>
          </>
        )}
      </footer>
    </li>
  );
}
