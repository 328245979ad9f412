import { type Db, type Tx, UnwritableError } from './db.ts';

/** How often a store that takes no writes is tried, while it is asked whether it does. */
const TRIAL_EVERY_MS = 2_000;

/** What differs once a transaction has written something. */
const MARK = {
  sqlite: 'select total_changes() as mark',
  postgres: 'select pg_current_xact_id_if_assigned()::text as mark',
} as const;

/** Changes nothing, and is written all the same. */
const TRIAL = 'update migrations set date_applied = date_applied where name = (select max(name) from migrations)';

/**
 * As much as a write of usual size needs, in a table of its own, so that it takes no room that others have left: where
 * only a page is left, or a row fits where another one was, there is room for `TRIAL` and for nothing else.
 */
const ROOM = {
  sqlite: 'create table trial as select zeroblob(65536) as room',
  postgres: "create table trial as select repeat('x', 1900) as room from generate_series(1, 34)",
} as const;

/** Why the latest write failed, if the store had no room for it or is read-only, until one succeeds. */
export class Writable {
  #fault: UnwritableError | null = null;
  #trying: Promise<void> | null = null;
  /** When it was last tried, by us or by others. */
  #triedAt = 0;

  /** Notes what comes of transactions. */
  watch(transaction: Db['transaction']): Db['transaction'] {
    return async (work) => {
      let hasWritten = false;
      try {
        const result = await transaction(async (tx) => {
          if (!this.#fault) return work(tx);
          // One that only reads succeeds on a full disk, too.
          const before = await readMark(tx);
          const result = await work(tx);
          hasWritten = (await readMark(tx)) !== before;
          return result;
        });
        if (hasWritten) this.#fault = null;
        return result;
      } catch (error) {
        if (error instanceof UnwritableError) {
          this.#fault = error;
          this.#triedAt = performance.now();
        }
        throw error;
      }
    };
  }

  /** Why the store takes no writes, null if it does. If no others come, one of our own finds out whether it does again. */
  async fault(transaction: Db['transaction']): Promise<UnwritableError | null> {
    if (!this.#fault) return null;
    if (!this.#trying && performance.now() - this.#triedAt >= TRIAL_EVERY_MS) {
      this.#triedAt = performance.now();
      const trial = transaction(tryToWrite);
      this.#trying = trial
        .catch(() => {})
        .finally(() => {
          this.#trying = null;
        });
    }
    await this.#trying;
    return this.#fault;
  }
}

async function tryToWrite(tx: Tx): Promise<void> {
  await tx.run(TRIAL, []);
  if (tx.engine === 'postgres') return takeRoom(tx);
  try {
    // Otherwise pages that are freed at once are never written.
    await tx.run('pragma secure_delete = on', []);
    await takeRoom(tx);
  } finally {
    await tx.run('pragma secure_delete = off', []);
  }
}

async function takeRoom(tx: Tx): Promise<void> {
  await tx.run(ROOM[tx.engine], []);
  await tx.run('drop table trial', []);
}

async function readMark(tx: Tx): Promise<unknown> {
  const [row] = await tx.run<{ mark: unknown }>(MARK[tx.engine], []);
  return row?.mark;
}
