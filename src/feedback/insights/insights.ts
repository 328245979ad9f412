import { type Expression, type SqlBool, sql } from 'kysely';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { isVisiblePost, viewerFilterOf } from '../visibility/posts.ts';
import { isByProgram } from '../votes/programs.ts';

const WEEK_MS = 7 * DAY_MS;
/** Weeks that are counted, the last of which ends now. */
const WEEKS = 12;
/** Ideas whose answers are read: more would take seconds. */
const MAX_READ = 10_000;

/** How a board has done in the last twelve weeks. */
export type Insights = {
  /** The oldest first, with the instant at which each begins. Votes are those of people. */
  weeks: { from: number; ideas: number; votes: number; votesOfPrograms: number }[];
  /** The ideas of these weeks, how many have an answer, and the median time until it in milliseconds. */
  answers: { ideas: number; answered: number; median: number | null };
};

/**
 * Counts what came to the board and how soon the team answered. An answer is the first official one, or the first
 * change of the status.
 * @throws FORBIDDEN
 */
export async function readInsights(context: ActorContext): Promise<Insights> {
  const { clock, actor } = context;
  requireRight(actor, 'post.status');
  const from = clock.now() - WEEKS * WEEK_MS;
  const isUpvote = sql<SqlBool>`votes.type = 'UP'`;
  const byProgram = isByProgram(context.db.slow, context.board.id);
  const isSeen = isVisiblePost(viewerFilterOf(actor, context.board.id));
  const ideas = await countByWeek(context, 'posts', from, isSeen);
  const votes = await countByWeek(context, 'votes', from, isUpvote);
  const ofPrograms = await countByWeek(context, 'votes', from, sql`${isUpvote} and ${byProgram}`);
  return {
    weeks: Array.from({ length: WEEKS }, (_, week) => ({
      from: from + week * WEEK_MS,
      ideas: ideas.get(week) ?? 0,
      votes: (votes.get(week) ?? 0) - (ofPrograms.get(week) ?? 0),
      votesOfPrograms: ofPrograms.get(week) ?? 0,
    })),
    answers: await readAnswers(context, from),
  };
}

async function countByWeek(
  { db, board }: ActorContext,
  table: 'posts' | 'votes',
  from: number,
  counted: Expression<SqlBool>,
): Promise<Map<number, number>> {
  // The division of integers drops the rest. What came at this very moment belongs to the last week.
  const week = sql<number>`(date_created - ${from} - 1) / ${sql.lit(WEEK_MS)}`;
  const rows = await db.slow
    .selectFrom(table)
    .select((e) => [e.cast<number>(week, 'integer').as('week'), e.cast<number>(e.fn.countAll(), 'integer').as('count')])
    .where('board_id', '=', board.id)
    .where('date_created', '>', from)
    .where(counted)
    .groupBy(sql`1`)
    .execute();
  return new Map(rows.map(({ week, count }) => [week, count]));
}

async function readAnswers({ db, board, actor }: ActorContext, from: number): Promise<Insights['answers']> {
  const rows = await db.slow
    .selectFrom('posts')
    .select('date_created')
    .select((e) =>
      e
        .selectFrom('comments')
        .select((c) => c.fn.min<number | null>('comments.date_created').as('first'))
        .whereRef('comments.board_id', '=', 'posts.board_id')
        .whereRef('comments.post_id', '=', 'posts.id')
        .where('comments.type', 'in', ['OFFICIAL', 'STATUS_CHANGE'])
        .where('comments.date_deleted', 'is', null)
        .as('answered'),
    )
    .where('board_id', '=', board.id)
    .where('date_created', '>', from)
    .where(isVisiblePost(viewerFilterOf(actor, board.id)))
    .orderBy('date_created', 'desc')
    .limit(MAX_READ)
    .execute();
  const times = rows.flatMap(({ date_created, answered }) => (answered === null ? [] : [answered - date_created]));
  return { ideas: rows.length, answered: times.length, median: medianOf(times) };
}

function medianOf(times: readonly number[]): number | null {
  const sorted = times.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[sorted.length % 2 === 0 ? half - 1 : half], sorted[half]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
