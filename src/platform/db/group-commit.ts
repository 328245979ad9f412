import { fdatasync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { UnwritableError } from './db.ts';
import { Waits } from './durability.ts';

/** One caller's transaction: `run` does the work, `settle` resolves the caller's promise. */
type Job = { run: () => Promise<() => void>; reject: (error: unknown) => void };

type GroupCommitOptions = {
  /** The connection that writes; nothing else begins a transaction on it. */
  connection: DatabaseSync;
  /** File descriptor of the write-ahead log. */
  walFd: number;
  /** Transactions that may share one commit; 1 gives each its own. */
  groupLimit: number;
  /** How long to wait for another process that is writing. */
  lockTimeoutMs: number;
  /** Returns the message for an SQLite error. */
  explain: (error: unknown) => unknown;
  /** Called when a group is on disk, before its callers continue: what they read next must show their changes. */
  afterSync?: () => void;
};

/**
 * Runs transactions one after the other and commits them in groups: those that arrive while one group is being synced
 * become the next group, each in its own savepoint, and each caller continues after the sync.
 *
 * The connection runs with `synchronous=NORMAL`, where a commit writes the log without syncing it; the sync follows
 * here, on a thread of the pool. A caller has the same guarantee as with `synchronous=FULL` (on disk before the
 * response), but the event loop keeps serving reads in the meantime (docs/decisions/0002).
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #control: Record<'begin' | 'commit' | 'savepoint' | 'release', StatementSync>;
  #queue: Job[] = [];
  #draining: Promise<void> | null = null;
  #broken: UnwritableError | null = null;
  readonly #syncs = new Waits();

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    const prepare = (sql: string) => options.connection.prepare(sql);
    this.#control = {
      begin: prepare('begin immediate'),
      commit: prepare('commit'),
      savepoint: prepare('savepoint job'),
      release: prepare('release job'),
    };
  }

  /** Queues `work` and resolves with its result once it is on disk. */
  run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#broken) return Promise.reject(this.#broken);
    return new Promise<T>((resolve, reject) => {
      const run = async () => {
        const result = await work();
        return () => resolve(result);
      };
      this.#queue.push({ run, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves once everything that is in the log now is on disk. */
  flush(): Promise<void> {
    return this.#broken ? Promise.reject(this.#broken) : this.#sync();
  }

  /** How long the oldest sync in progress has taken. */
  syncAgeMs(): number {
    return this.#syncs.oldestMs();
  }

  /** Whether a group is being written or synced, and the transactions that wait for the next one. */
  load(): { inUse: number; idle: number; waiting: number } {
    const inUse = this.#draining ? 1 : 0;
    return { inUse, idle: 1 - inUse, waiting: this.#queue.length };
  }

  /** Resolves when no transaction is waiting or running. */
  async idle(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      if (this.#broken) {
        for (const job of this.#queue.splice(0)) job.reject(this.#broken);
        break;
      }
      const begun = await this.#begin();
      if (begun) await this.#runGroup();
    }
    // In the same step as the last check of the queue; otherwise a job that arrives in between would never run.
    this.#draining = null;
  }

  /** Takes the write lock; if another process holds it for too long, everything in the queue fails. */
  async #begin(): Promise<boolean> {
    const { lockTimeoutMs, explain } = this.#options;
    const deadline = performance.now() + lockTimeoutMs;
    for (let wait = 1; ; wait = Math.min(wait * 2, 50)) {
      try {
        this.#control.begin.run();
        return true;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) {
          for (const job of this.#queue.splice(0)) job.reject(explain(error));
          return false;
        }
        await delay(wait);
      }
    }
  }

  async #runGroup(): Promise<void> {
    const { connection, groupLimit, explain, afterSync } = this.#options;
    const done: { job: Job; settle: () => void }[] = [];
    try {
      while (this.#queue.length > 0 && done.length < groupLimit && connection.isTransaction) {
        const job = this.#queue.shift() as Job;
        const settle = await this.#runInSavepoint(job);
        if (settle) done.push({ job, settle });
      }
      requireTransaction(connection);
      this.#control.commit.run();
      await this.#sync();
      afterSync?.();
      for (const { settle } of done) settle();
    } catch (error) {
      if (connection.isTransaction) connection.exec('rollback');
      for (const { job } of done) job.reject(explain(error));
    }
  }

  /**
   * Returns the function that resolves the caller's promise after the commit; null if the work threw and the promise is
   * already rejected.
   */
  async #runInSavepoint(job: Job): Promise<(() => void) | null> {
    const { connection, explain } = this.#options;
    try {
      this.#control.savepoint.run();
      const settle = await job.run();
      requireTransaction(connection);
      this.#control.release.run();
      return settle;
    } catch (error) {
      // A full disk makes SQLite roll back the whole group by itself; the commit then fails for the others.
      if (connection.isTransaction) connection.exec('rollback to job; release job');
      job.reject(explain(error));
      return null;
    }
  }

  #sync(): Promise<void> {
    const syncing = new Promise<void>((resolve, reject) => {
      fdatasync(this.#options.walFd, (error) => {
        if (!error) return resolve();
        // What a failed sync leaves on disk is unknown, so nothing more is promised until a restart has read it again.
        this.#broken = new UnwritableError(`The store could not be synced to disk (${error.code}); restart it`);
        reject(this.#broken);
      });
    });
    return this.#syncs.watch(syncing);
  }
}

/**
 * A full or failing disk makes SQLite roll back by itself; what was meant to be one transaction must not continue as
 * several.
 */
export function requireTransaction(connection: DatabaseSync): void {
  if (!connection.isTransaction)
    throw new UnwritableError('The store rolled back a change: its disk is full or failing');
}

function isBusy(error: unknown): boolean {
  return ((error as { errcode?: number }).errcode ?? 0) % 256 === 5;
}
