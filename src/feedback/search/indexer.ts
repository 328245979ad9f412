import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/db.ts';
import { isOneOf, numbersIn } from '../../platform/db/prepare.ts';
import { type Clock, MINUTE_MS } from '../../platform/lib/clock.ts';
import { gramsOfPost } from '../../platform/texts/grams.ts';
import type { Postings } from './blocks.ts';
import { insertSegment, makeSegment, mergeSegments, type NewSegment } from './segment-writing.ts';
import type { Segment } from './segments.ts';

/** Pending posts are flushed to a segment at this number; every search examines fewer than that one by one. */
const LEAST_PENDING = 256;
/** Maximum number of posts in a new segment: encoding its lists takes some 10 ms. */
const MOST_PENDING = 1_024;
/** This many segments of similar size are merged into one, which is eight times as large, */
const SEGMENTS_OF_A_SIZE = 8;
/** unless it would have more posts than this: then it is 25 MB. */
const MAX_POSTS = 131_072;
/** How long merged segments are kept for searches in progress. */
const REPLACED_MS = MINUTE_MS;
/** Posts that are processed before other work has its turn, about a millisecond. */
const POSTS_PER_TURN = 20;

export type IndexerDeps = { db: Db; clock: Clock };

/**
 * Flushes pending posts to segments on every board that has at least `least` of them, and merges segments if there are
 * many.
 */
export async function indexBoards(
  { db, clock }: IndexerDeps,
  { least = LEAST_PENDING, signal }: { least?: number; signal?: AbortSignal } = {},
): Promise<void> {
  if (signal?.aborted) return;
  await removeReplaced(db, clock);
  // Not `db.slow`, which needs a thread that not every process has: except at the beginning there are few pending
  // posts.
  const boards = await db.read
    .selectFrom('search_pending')
    .select('board_id')
    .groupBy('board_id')
    .having(sql<number>`count(*)`, '>=', least)
    .execute();
  for (const { board_id: boardId } of boards) {
    let count = Number.POSITIVE_INFINITY;
    while (count >= least && !signal?.aborted) {
      count = await unlessTaken(() => indexPending(db, boardId));
      await unlessTaken(() => mergeOnce(db, clock, boardId));
    }
  }
}

type Pending = { pending_id: number; id: number | null; title: string | null; text: string | null };

/** Flushes the oldest pending posts to a segment. Returns their number. */
async function indexPending(db: Db, boardId: string): Promise<number> {
  const { rows } = await sql<Pending>`
    select p.id as pending_id, s.id, s.title, s.text
    from search_pending p left join post_search s on s.id = p.search_id and s.board_id = p.board_id
    where p.board_id = ${boardId}
    order by p.id
    limit ${sql.lit(MOST_PENDING)}`.execute(db.slow);
  const postings: Postings = new Map();
  for (const [n, { id, title, text }] of rows.entries()) {
    if (id !== null) addPost(postings, id, gramsOfPost((title ?? '').trim(), (text ?? '').trim()));
    if (n % POSTS_PER_TURN === 0) await nextTurn();
  }
  const segment = postings.size === 0 ? null : makeSegment(boardId, postings, rows.length);
  const pendingIds = rows.map((row) => row.pending_id);
  await db.transaction(async (tx) => {
    await takePending(tx, boardId, pendingIds);
    if (segment) await insertSegment(tx, segment);
  });
  return rows.length;
}

function addPost(postings: Postings, id: number, grams: readonly number[]): void {
  for (const gram of grams) {
    const ids = postings.get(gram);
    if (ids) ids.push(id);
    else postings.set(gram, [id]);
  }
}

/** Merges the oldest segments of one size if there are enough of them. Returns their number. */
async function mergeOnce(db: Db, clock: Clock, boardId: string): Promise<number> {
  const find = db.slow.selectFrom('search_segments').selectAll().where('board_id', '=', boardId);
  const segments = await find.where('date_replaced', 'is', null).orderBy('last_search_id', 'desc').execute();
  const some = chooseSegments(segments);
  if (some.length === 0) return 0;
  const merged = await mergeSegments(db.slow, boardId, some);
  await db.transaction((tx) => replaceSegments(tx, clock.now(), some, merged));
  return some.length;
}

/** Which segments to merge; none if they are few enough. */
export function chooseSegments<S extends Pick<Segment, 'post_count'>>(newestFirst: readonly S[]): S[] {
  const sizeOf = ({ post_count }: S) => Math.floor(Math.log2(Math.max(1, post_count / LEAST_PENDING)) / 3);
  for (const segments of Map.groupBy(newestFirst, sizeOf).values()) {
    if (segments.length < SEGMENTS_OF_A_SIZE) continue;
    let posts = 0;
    const chosen = segments.slice(-SEGMENTS_OF_A_SIZE).filter(({ post_count }) => {
      posts += post_count;
      return posts <= MAX_POSTS;
    });
    if (chosen.length >= SEGMENTS_OF_A_SIZE / 2) return chosen;
  }
  return [];
}

/** Work that another process has done in the meantime, so this one skips it. */
class TakenError extends Error {}

async function unlessTaken(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TakenError) return 0;
    throw error;
  }
}

async function takePending(tx: Tx, boardId: string, ids: readonly number[]): Promise<void> {
  const rows = await tx
    .deleteFrom('search_pending')
    .where('board_id', '=', boardId)
    .where('id', 'in', numbersIn(tx, ids))
    .returning('id')
    .execute();
  if (rows.length < ids.length) throw new TakenError();
}

async function replaceSegments(tx: Tx, now: number, segments: readonly Segment[], merged: NewSegment): Promise<void> {
  const rows = await tx
    .updateTable('search_segments')
    .set({ date_replaced: now })
    .where('board_id', '=', merged.row.board_id)
    .where(
      isOneOf(
        tx,
        'id',
        segments.map(({ id }) => id),
      ),
    )
    .where('date_replaced', 'is', null)
    .returning('id')
    .execute();
  if (rows.length < segments.length) throw new TakenError();
  await insertSegment(tx, merged);
}

/** Removes segments that no search reads anymore. */
async function removeReplaced(db: Db, clock: Clock): Promise<void> {
  const before = clock.now() - REPLACED_MS;
  const find = db.read.selectFrom('search_segments').select(['board_id', 'id']);
  for (const { board_id: boardId, id } of await find.where('date_replaced', '<=', before).execute()) {
    await db.transaction(async (tx) => {
      await tx.deleteFrom('search_blocks').where('board_id', '=', boardId).where('segment_id', '=', id).execute();
      await tx.deleteFrom('search_segments').where('board_id', '=', boardId).where('id', '=', id).execute();
    });
  }
}
