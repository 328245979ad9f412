import { sql } from 'kysely';
import type { RequestContext } from '../../identity/users/request-context.ts';
import type { Role } from '../../identity/users/users.ts';
import type { Rows } from '../../platform/db/db.ts';
import { isOneOf, prepare, rowLimit } from '../../platform/db/prepare.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import type { PostRow } from '../posts/posts.ts';

const WEEK_MS = 7 * DAY_MS;
/** Weeks that are counted. */
const WEEKS = 14;
/** Counting more votes takes longer than a request may hold up others. */
const MANY_VOTES = 2_000;

/** The upvotes on a post in each week of its life, 14 at most, the last of which ends now; the oldest first. */
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

/** A user who voted. */
export type Voter = { name: string; role: Role; image: string | null };

/** Those who upvoted a post last, except users without a name and erased ones. */
export function findNewestVoters({ db }: RequestContext, post: PostRow, limit: number): Rows<Voter> {
  return newestVoters(db.read, { boardId: post.board_id, postId: post.id, limit });
}

const newestVoters = prepare<{ boardId: string; postId: string; limit: number }, Voter>((reader, param) =>
  reader
    .selectFrom('votes')
    .innerJoin('users', (join) =>
      join.onRef('users.board_id', '=', 'votes.board_id').onRef('users.id', '=', 'votes.user_id'),
    )
    .select(['users.name', 'users.role', 'users.image'])
    .$narrowType<{ name: string }>()
    .where('votes.board_id', '=', param('boardId'))
    .where('votes.post_id', '=', param('postId'))
    .where('votes.type', '=', sql.lit('UP'))
    .where('users.name', 'is not', null)
    .orderBy('votes.date_created', 'desc')
    .orderBy('votes.id', 'desc')
    .limit(rowLimit(param('limit'))),
);

/** How many upvotes each of the posts would have if this one were merged into it, by its id. */
export async function countTogether(
  { db }: RequestContext,
  { board_id: boardId, id: sourceId, upvotes }: PostRow,
  targets: readonly PostRow[],
): Promise<Map<string, number>> {
  const targetIds = targets.map(({ id }) => id);
  const rows = targets.length > 0 ? await votersOfBoth(db.slow, { boardId, sourceId, targetIds }) : [];
  const common = new Map(rows.map(({ post_id, count }) => [post_id, count]));
  return new Map(targets.map((target) => [target.id, target.upvotes + upvotes - (common.get(target.id) ?? 0)]));
}

/** How many upvotes a post would have if others were merged into it: who has a vote there counts once, as it is. */
export async function countMerged(
  { db }: RequestContext,
  { board_id: boardId, id, upvotes }: PostRow,
  sources: readonly PostRow[],
): Promise<number> {
  const ofBoard = db.slow.selectFrom('votes').where('board_id', '=', boardId);
  const there = ofBoard.select('user_id').where('post_id', '=', id);
  const sourceIds = sources.map((source) => source.id);
  const { added } = await ofBoard
    .select((e) => e.cast<number>(e.fn.count('user_id').distinct(), 'integer').as('added'))
    .where(isOneOf(db.slow, 'post_id', sourceIds))
    .where('type', '=', 'UP')
    .where('user_id', 'not in', there)
    .executeTakeFirstOrThrow();
  return upvotes + added;
}

/** Those who upvoted the source and have a vote on the target, which stays as it is. */
const votersOfBoth = prepare<
  { boardId: string; sourceId: string; targetIds: readonly string[] },
  { post_id: string; count: number }
>((reader, param) =>
  reader
    .selectFrom('votes as own')
    .innerJoin('votes as other', (join) =>
      join.onRef('other.board_id', '=', 'own.board_id').onRef('other.user_id', '=', 'own.user_id'),
    )
    .select('other.post_id')
    .select((e) => e.cast<number>(e.fn.countAll(), 'integer').as('count'))
    .where('own.board_id', '=', param('boardId'))
    .where('own.post_id', '=', param('sourceId'))
    .where('own.type', '=', sql.lit('UP'))
    .where(isOneOf(reader, 'other.post_id', param('targetIds')))
    .groupBy('other.post_id'),
);
