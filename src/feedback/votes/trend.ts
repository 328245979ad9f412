import { sql } from 'kysely';
import type { RequestContext } from '../../identity/users/request-context.ts';
import { prepare } from '../../platform/db/prepare.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import type { PostRow } from '../posts/posts.ts';

const WEEK_MS = 7 * DAY_MS;
/** Weeks that are counted. */
const WEEKS = 14;
/** Counting more votes takes longer than a request may hold up others. */
const MANY_VOTES = 2_000;

/**
 * The upvotes on a post, which its caller has found for the viewer, in each week of its life, 14 at most, the last of which
 * ends now; the oldest first.
 */
export async function countVotesByWeek({ db, clock }: RequestContext, post: PostRow): Promise<number[]> {
  const now = clock.now();
  const weeks = Math.min(WEEKS, Math.floor((now - post.date_created) / WEEK_MS) + 1);
  const from = now - weeks * WEEK_MS;
  const reader = post.upvotes > MANY_VOTES ? db.slow : db.read;
  const rows = await votesByWeek(reader, { boardId: post.board_id, postId: post.id, from });
  const counts = new Map(rows.map(({ week, count }) => [week, count]));
  return Array.from({ length: weeks }, (_, week) => counts.get(week) ?? 0);
}

const votesByWeek = prepare<{ boardId: string; postId: string; from: number }, { week: number; count: number }>(
  (reader, param) => {
    // The division of integers drops the rest. A vote of this very moment belongs to the last week.
    const week = sql<number>`(date_created - ${param('from')} - 1) / ${sql.lit(WEEK_MS)}`;
    return reader
      .selectFrom('votes')
      .select((e) => [
        e.cast<number>(week, 'integer').as('week'),
        e.cast<number>(e.fn.countAll(), 'integer').as('count'),
      ])
      .where('board_id', '=', param('boardId'))
      .where('post_id', '=', param('postId'))
      .where('date_created', '>', param('from'))
      .where('type', '=', sql.lit('UP'))
      .groupBy(sql`1`);
  },
);
