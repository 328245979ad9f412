import { lockBoard } from '../../identity/board/board.ts';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext, RequestContext } from '../../identity/users/request-context.ts';
import type { Db, Reader, Tx } from '../../platform/db/db.ts';
import { locked } from '../../platform/db/prepare.ts';
import { conflict } from '../../platform/errors.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/lib/clock.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { msg } from '../../platform/messages.ts';
import type { SourceName } from './items.ts';
import { expireExport } from './upload.ts';

/** How long a job may show no progress before it counts as stopped: a batch with many pictures takes a while. */
const LEASE_MS = 2 * MINUTE_MS;

/** How a job ended. STOPPED: with its process. */
type JobOutcome = 'DONE' | 'CANCELED' | 'STOPPED' | 'FAILED';

/** What the pages do, or did last, with an uploaded export. A board has one at most. */
export type ImportJobRow = {
  board_id: string;
  /** New whenever something starts, so that a process that was given up for lost cannot interfere. */
  id: string;
  task: 'PLAN' | 'IMPORT' | 'UNDO';
  /** Null until it ends. */
  outcome: JobOutcome | null;
  file_id: string | null;
  /** As it was uploaded. */
  file_name: string | null;
  /** Null until the file has been recognized. */
  source: SourceName | null;
  /** JSON: what was chosen about a table, and how it is read; null for other files. */
  reading: string | null;
  /** Items that were read, or ideas that were removed. */
  items: number;
  /** How many there are, once that is known. */
  total: number | null;
  /** JSON of what was, or would be, added. */
  report: string | null;
  /** JSON of the first problems. */
  problems: string | null;
  /** Why it failed, if that can be helped. */
  message: string | null;
  /** When it last made progress. */
  date_seen: number;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    import_jobs: ImportJobRow;
  }
}

type NewJob = Pick<ImportJobRow, 'task' | 'file_id' | 'file_name' | 'source' | 'reading' | 'total'>;

/** The job of a board. */
export async function findJob(reader: Reader, boardId: string): Promise<ImportJobRow | null> {
  const job = reader.selectFrom('import_jobs').selectAll().where('board_id', '=', boardId);
  return (await job.executeTakeFirst()) ?? null;
}

/** Whether a job is running, or how it ended. */
export function stateOf({ outcome, date_seen }: ImportJobRow, now: number): JobOutcome | 'RUNNING' {
  return outcome ?? (date_seen > now - LEASE_MS ? 'RUNNING' : 'STOPPED');
}

/**
 * Makes a job the one of its board, in place of the one before.
 * @param choose returns what it is about
 * @throws CONFLICT while another one is running
 */
export function claimJob(
  { db, board, clock, actor }: ActorContext,
  choose: (tx: Tx, before: ImportJobRow | null) => Promise<NewJob>,
): Promise<ImportJobRow> {
  requireRight(actor, 'board.edit');
  return db.transaction(async (tx) => {
    const before = await takeJob(tx, board.id, clock.now());
    const chosen = await choose(tx, before);
    if (before && before.file_id !== chosen.file_id) await expireExport(tx, before.file_id);
    const progress = { outcome: null, items: 0, report: null, problems: null, message: null, date_seen: clock.now() };
    const row = { board_id: board.id, id: makeId(), ...chosen, ...progress };
    return tx.insertInto('import_jobs').values(row).returningAll().executeTakeFirstOrThrow();
  });
}

/**
 * Takes away the job of a board together with its file.
 * @param seen the job that the actor was shown
 * @throws CONFLICT while it is running, or if it is another one
 */
export async function discardJob({ db, board, clock, actor }: ActorContext, seen?: string): Promise<void> {
  requireRight(actor, 'board.edit');
  await db.transaction(async (tx) => {
    const job = requireSeen(await takeJob(tx, board.id, clock.now()), seen);
    await expireExport(tx, job?.file_id ?? null);
  });
}

/** @throws CONFLICT if the actor was shown another job than the one of the board */
export function requireSeen(job: ImportJobRow | null, seen: string | undefined): ImportJobRow | null {
  if (seen !== undefined && job && job.id !== seen) throw conflict(msg('changedMeanwhile'));
  return job;
}

/** Removes the row of the job that has ended. The row of the board is locked, so that no two jobs begin at once. */
async function takeJob(tx: Tx, boardId: string, now: number): Promise<ImportJobRow | null> {
  // Before the board, which the job's own transactions lock after it, too: this waits for them.
  await locked(tx, tx.selectFrom('import_jobs').select('id').where('board_id', '=', boardId)).execute();
  await lockBoard(tx, boardId);
  const job = await findJob(tx, boardId);
  if (job && stateOf(job, now) === 'RUNNING') throw conflict(msg('importIsRunning'));
  await tx.deleteFrom('import_jobs').where('board_id', '=', boardId).execute();
  return job;
}

/** Has the job of the board end, whichever process it is running in. */
export async function cancelJob({ db, board, actor }: ActorContext): Promise<void> {
  requireRight(actor, 'board.edit');
  await db.transaction((tx) =>
    tx
      .updateTable('import_jobs')
      .set({ outcome: 'CANCELED' })
      .where('board_id', '=', board.id)
      .where('outcome', 'is', null)
      .execute(),
  );
}

/**
 * Whether a job is running and has not been canceled or replaced. It cannot be before the transaction ends, so nothing of a
 * job is added once another has begun.
 */
export async function holdsBoard(tx: Tx, { board_id, id }: ImportJobRow): Promise<boolean> {
  const job = tx.selectFrom('import_jobs').select('id').where('board_id', '=', board_id).where('id', '=', id);
  return (await locked(tx, job.where('outcome', 'is', null)).execute()).length > 0;
}

/** Records what a running job has done, or how it ended. @returns false once it has been canceled or replaced */
export async function updateJob(
  { db, clock }: RequestContext,
  { board_id, id }: ImportJobRow,
  changes: Partial<ImportJobRow>,
): Promise<boolean> {
  const updated = await db.transaction((tx) =>
    tx
      .updateTable('import_jobs')
      .set({ ...changes, date_seen: clock.now() })
      .where('board_id', '=', board_id)
      .where('id', '=', id)
      .where('outcome', 'is', null)
      .returning('id')
      .execute(),
  );
  return updated.length > 0;
}

/** Removes jobs that ended a day ago; their files are gone by then. */
export async function forgetJobs(db: Db, now: number): Promise<void> {
  const before = now - DAY_MS;
  const old = db.read.selectFrom('import_jobs').select('id').where('date_seen', '<', before).limit(1);
  if (!(await old.executeTakeFirst())) return;
  await db.transaction((tx) => tx.deleteFrom('import_jobs').where('date_seen', '<', before).execute());
}
