import { type Expression, type SqlBool, sql } from 'kysely';
import type { SegmentFilter } from '../../identity/companies/conditions.ts';
import { isOfSegment } from '../../identity/customers/segments.ts';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { isVisiblePost, viewerFilterOf } from '../visibility/posts.ts';
import { isByProgram } from '../votes/programs.ts';

const WEEK_MS = 7 * DAY_MS;
/** Numbers of weeks that can be counted; the last week ends now. */
export const periods = [12, 26, 52] as const;
export type Period = (typeof periods)[number];
/** Ideas whose answers are read: more would take seconds. */
const MAX_READ = 10_000;

/** What is counted: ideas with a tag, by the people in a segment, and votes for and by them. */
export type Scope = { weeks: Period; tagId: string | null; segment: SegmentFilter | null };

/** How a board has done in the weeks of a period. */
export type Insights = {
  /** The oldest first, with the instant at which each begins. Votes are those of people. */
  weeks: { from: number; ideas: number; votes: number; votesOfPrograms: number }[];
  /** What came in as many weeks before. */
  before: { ideas: number; votes: number };
  /** The ideas of these weeks, how many have an answer, and the median time until it in milliseconds. */
  answers: { ideas: number; answered: number; median: number | null };
  /** The ideas that were completed in these weeks, and the median time from their creation in milliseconds. */
  completed: { ideas: number; median: number | null };
};

/**
 * Counts what came to the board, how soon the team answered, and how soon it completed ideas. An answer is the first
 * official one, or the first change of the status.
 * @throws FORBIDDEN
 */
export async function readInsights(context: ActorContext, { weeks, tagId, segment }: Scope): Promise<Insights> {
  const { clock, actor, board, db } = context;
  requireRight(actor, 'post.status');
  const from = clock.now() - weeks * WEEK_MS;
  const all = (conditions: readonly (Expression<SqlBool> | null | false)[]) =>
    sql.join<SqlBool>(
      conditions.filter((condition) => condition !== null && condition !== false),
      sql` and `,
    );
  const byPeople = (column: string) => segment && isOfSegment(db.slow, board.id, column, segment);
  const hasTag = (column: string) => tagId !== null && hasTagOf(board.id, column, tagId);
  const isCounted = all([
    isVisiblePost(viewerFilterOf(actor, board.id)),
    byPeople('posts.author_id'),
    hasTag('posts.id'),
  ]);
  const isVote = [sql<SqlBool>`votes.type = 'UP'`, byPeople('votes.user_id'), hasTag('votes.post_id')];
  const byProgram = isByProgram(db.slow, board.id);
  const ideas = await countByWeek(context, 'posts', { from, weeks }, isCounted);
  const votes = await countByWeek(context, 'votes', { from, weeks }, all(isVote));
  const ofPrograms = await countByWeek(context, 'votes', { from, weeks }, all([...isVote, byProgram]));
  const votesIn = (week: number) => (votes.get(week) ?? 0) - (ofPrograms.get(week) ?? 0);
  const before = Array.from({ length: weeks }, (_, week) => week - weeks);
  return {
    weeks: Array.from({ length: weeks }, (_, week) => ({
      from: from + week * WEEK_MS,
      ideas: ideas.get(week) ?? 0,
      votes: votesIn(week),
      votesOfPrograms: ofPrograms.get(week) ?? 0,
    })),
    before: {
      ideas: before.reduce((sum, week) => sum + (ideas.get(week) ?? 0), 0),
      votes: before.reduce((sum, week) => sum + votesIn(week), 0),
    },
    answers: await readAnswers(context, from, isCounted),
    completed: await readCompleted(context, from, isCounted),
  };
}

/** Whether the post whose id is in a column has a tag. */
function hasTagOf(boardId: string, column: string, tagId: string): Expression<SqlBool> {
  return sql<SqlBool>`exists (
    select 1 from post_tags
    where post_tags.board_id = ${boardId} and post_tags.post_id = ${sql.ref(column)} and post_tags.tag_id = ${tagId})`;
}

/** What came in each week of a period, from 0, and in the weeks before, from -1 down. */
async function countByWeek(
  { db, board }: ActorContext,
  table: 'posts' | 'votes',
  { from, weeks }: { from: number; weeks: number },
  counted: Expression<SqlBool>,
): Promise<Map<number, number>> {
  const before = from - weeks * WEEK_MS;
  // The division of integers drops the rest. What came at this very moment belongs to the last week.
  const week = sql<number>`(date_created - ${before} - 1) / ${sql.lit(WEEK_MS)}`;
  const rows = await db.slow
    .selectFrom(table)
    .select((e) => [e.cast<number>(week, 'integer').as('week'), e.cast<number>(e.fn.countAll(), 'integer').as('count')])
    .where('board_id', '=', board.id)
    .where('date_created', '>', before)
    .where(counted)
    .groupBy(sql`1`)
    .execute();
  return new Map(rows.map(({ week, count }) => [week - weeks, count]));
}

async function readAnswers(
  { db, board }: ActorContext,
  from: number,
  isCounted: Expression<SqlBool>,
): Promise<Insights['answers']> {
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
    .where(isCounted)
    .orderBy('date_created', 'desc')
    .limit(MAX_READ)
    .execute();
  const times = rows.flatMap(({ date_created, answered }) => (answered === null ? [] : [answered - date_created]));
  return { ideas: rows.length, answered: times.length, median: medianOf(times) };
}

async function readCompleted(
  { db, board }: ActorContext,
  from: number,
  isCounted: Expression<SqlBool>,
): Promise<Insights['completed']> {
  const rows = await db.slow
    .selectFrom('posts')
    .select(['date_created', 'date_completed'])
    .where('board_id', '=', board.id)
    .where('date_completed', '>', from)
    .where(isCounted)
    .orderBy('date_completed', 'desc')
    .limit(MAX_READ)
    .execute();
  return { ideas: rows.length, median: medianOf(rows.map((row) => Number(row.date_completed) - row.date_created)) };
}

function medianOf(times: readonly number[]): number | null {
  const sorted = times.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[sorted.length % 2 === 0 ? half - 1 : half], sorted[half]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
