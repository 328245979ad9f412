import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db, Reader } from '../platform/db/db.ts';
import { isAmong, numbersIn, prepare, skipLocked } from '../platform/db/prepare.ts';
import { DAY_MS } from '../platform/lib/clock.ts';

/** How many events are removed at once: a few milliseconds, in which SQLite does nothing else. */
export const EVENTS_PER_STEP = 200;
/** What others have between two steps. */
const PAUSE_MS = 50;

/**
 * Removes the events that are older than this many days, except those of a delivery: it sends their bytes, and the
 * delivery log shows them. A board first records up to where its log is removed, so that no reader can miss an event
 * without learning of it (`readRemoved`).
 */
export async function removeOldEvents(db: Db, now: number, keepDays: number, signal?: AbortSignal): Promise<void> {
  const before = now - keepDays * DAY_MS;
  const boards = await db.read.selectFrom('boards').select(['id as boardId', 'events_removed as removed']).execute();
  for (const board of boards) {
    let after: number | null = 0;
    while (after !== null && !signal?.aborted) after = await removeSome(db, { ...board, after, before });
  }
}

type Step = { boardId: string; removed: number; after: number; before: number };

/** @returns the sequence number after which to continue; null at the first event to keep */
async function removeSome(db: Db, { boardId, removed, after, before }: Step): Promise<number | null> {
  const rows = await oldest(db.read, { boardId, after });
  const young = rows.findIndex((row) => row.triggered_at >= before);
  const old = young < 0 ? rows : rows.slice(0, young);
  const last = old.at(-1);
  if (!last) return null;
  const seqs = old.filter((row) => !row.is_needed).map(({ seq }) => seq);
  if (last.seq > removed) await recordRemoved(db, boardId, last.seq, before);
  if (seqs.length > 0) await removeEvents(db, boardId, seqs);
  await delay(PAUSE_MS);
  return old.length === EVENTS_PER_STEP ? last.seq : null;
}

/** The id of a delivery begins with that of its event. */
const isNeeded = sql<0 | 1>`case when exists (
    select 1 from deliveries as d
    where d.board_id = events.board_id and d.id > events.id || '-' and d.id < events.id || '.'
  ) then 1 else 0 end`;

type Oldest = { seq: number; triggered_at: number; is_needed: 0 | 1 };

const oldest = prepare<{ boardId: string; after: number }, Oldest>((reader, param) =>
  reader
    .selectFrom('events')
    .select(['seq', 'triggered_at', isNeeded.as('is_needed')])
    .where('board_id', '=', param('boardId'))
    .where('seq', '>', param('after'))
    .orderBy('seq')
    .limit(sql.lit(EVENTS_PER_STEP)),
);

/** In a transaction of its own, so that the board, which all changes need, is not locked while events are removed. */
async function recordRemoved(db: Db, boardId: string, seq: number, before: number): Promise<void> {
  await db.transaction((tx) =>
    tx
      .updateTable('boards')
      .set((e) => ({
        events_removed: seq,
        events_removed_before: e
          .case()
          .when('events_removed_before', '>', before)
          .then(e.ref('events_removed_before'))
          .else(before)
          .end(),
      }))
      .where('id', '=', boardId)
      .where('events_removed', '<', seq)
      .execute(),
  );
}

/** Removes events. Those that another transaction has locked, for example to redact them, are removed next time. */
async function removeEvents(db: Db, boardId: string, seqs: readonly number[]): Promise<void> {
  await db.transaction((tx) => {
    const ofBoard = tx.selectFrom('events').select('seq').where('board_id', '=', boardId);
    const free = skipLocked(tx, ofBoard.where('seq', 'in', numbersIn(tx, seqs)));
    return tx
      .deleteFrom('events')
      .where('board_id', '=', boardId)
      .where(isAmong(tx, 'seq', free))
      .execute();
  });
}

/** How much of the log of a board is removed: up to a sequence number, all of which happened before an instant. */
export type Removed = { seq: number; before: number };

/** Read after the events themselves, it tells whether some of them can be missing. */
export async function readRemoved(reader: Reader, boardId: string): Promise<Removed> {
  const [removed] = await removedOf(reader, { boardId });
  return removed ?? { seq: 0, before: 0 };
}

const removedOf = prepare<{ boardId: string }, Removed>((reader, param) =>
  reader
    .selectFrom('boards')
    .select(['events_removed as seq', 'events_removed_before as before'])
    .where('id', '=', param('boardId')),
);

/** The age of the oldest event that the log of any board has, except sandboxes; 0 if there is none. For metrics. */
export async function readLogAge(reader: Reader, now: number): Promise<number> {
  const first = sql<number | null>`(
    select triggered_at from events as e
    where e.board_id = boards.id and e.seq > boards.events_removed order by e.seq limit 1)`;
  const firsts = reader.selectFrom('boards').select(first.as('date')).where('sandbox_visitor', 'is', null);
  const query = reader.selectFrom(firsts.as('first')).select((e) => e.fn.min('date').as('oldest'));
  const row = await query.executeTakeFirst();
  return row?.oldest == null ? 0 : (now - row.oldest) / 1_000;
}
