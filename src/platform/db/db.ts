import type { Kysely } from 'kysely';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import { type LocalizedMessage, msg } from '../messages.ts';
import type { Presence } from './presence.ts';
import type { Topic } from './topics.ts';

/**
 * Every table of the store. Each feature adds its own next to the code that uses it: `declare module './db.ts' {
 * interface Tables { posts: PostTable } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Tables {}

export type Engine = 'sqlite' | 'postgres';

/** A place to send queries to: the store, or a transaction on it. */
export type Reader = Kysely<Tables> & {
  readonly engine: Engine;
  /** Runs a finished statement, bypassing the query builder: for `prepare`. */
  run<R>(sql: string, parameters: readonly unknown[]): Rows<R>;
};

/** Rows of a statement: SQLite returns them synchronously, PostgreSQL later. */
export type Rows<R> = MaybePromise<R[]>;

declare const insideTransaction: unique symbol;

/**
 * An open transaction. Only `Db.transaction` makes one, so a function that takes a `Tx` cannot be called outside a
 * transaction.
 */
export type Tx = Reader & {
  readonly [insideTransaction]: true;
  /**
   * Once the transaction is committed, notifies those who `listen`, in this process and in others on the same store.
   */
  notify(topic: Topic): void;
  /**
   * For a transaction that holds locks others wait for: they continue at its commit, before it is on disk. Its own
   * caller continues after that, as always (docs/decisions/0002).
   * @param upTo the position of a log that is durable with the transaction, so that its readers need not wait for it
   * again
   */
  commitEarly(upTo: LogPosition): void;
};

/** The store. One query text serves both engines. */
export type Db = {
  readonly engine: Engine;
  /** For reads outside a transaction; they see what is committed. */
  readonly read: Reader;
  /**
   * For reads outside a transaction that can take longer than 5 ms: searches, exports. SQLite would block the event
   * loop that long, so there they run on a separate thread, with a time limit.
   */
  readonly slow: Reader;
  /**
   * For reads outside a transaction that may run on a replica, such as those of a page that many visitors share. They
   * see everything that was committed before them, as on the primary (docs/decisions/0022).
   */
  readonly shared: Reader;
  /**
   * Runs `work` in a transaction and resolves once it is on disk. When `work` throws, nothing of it remains. `work`
   * must await nothing but its `tx`: on SQLite all writers of the process wait for it. What the transaction has read is
   * then on disk as well, even if it has written nothing.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Called before each transaction within a transaction, which it can refuse by throwing. */
  admit?(): void;
  /**
   * Resolves once everything that reads outside transactions have shown so far is on disk, on a synchronous standby
   * too: neither a crash nor a failover can undo it (docs/decisions/0002).
   * @param since `epoch()` before the first of these reads
   * @param upTo if a log was shown only up to this position, which is usually known to be on disk, so there is no
   * waiting
   * @throws StoreUnavailableError if another server has taken over since, or it has recovered: some of it may be lost
   */
  durable(since: number, upTo?: LogPosition): Promise<void>;
  /** Changes when something that reads have shown may have been lost since. */
  epoch(): number;
  /** How long the oldest commit in progress has waited for the disk, or for a standby; 0 if there is none. */
  commitAgeMs(): number;
  /**
   * Why the store takes no writes although it can be read, such as a full disk; null if the latest succeeded. It is tried
   * again every few seconds while it is asked for.
   */
  writeFault(): Promise<UnwritableError | null>;
  /** Lets the transactions of another handle of the same store count for that, too. */
  watchWrites(transaction: Db['transaction']): Db['transaction'];
  /** The connections for reads and transactions. On SQLite that is the one that writes. */
  connections(): Connections;
  /** The replica as it was at the latest read; null without one. */
  replica(): ReplicaState | null;
  /** Tries the replica, and returns how it is then; null without one. */
  checkReplica(): Promise<ReplicaState | null>;
  /** Calls `listener` when there may be something new on this topic, until the returned function is called. */
  listen(topic: Topic, listener: () => void): () => void;
  /** Whether hints from other processes reach this one, as determined within this many milliseconds. */
  hearsHints(limitMs: number): Promise<boolean>;
  /** Which processes work on the store. */
  presence: Presence;
  /** @throws StoreUnavailableError if a pooler drops the statements that this program prepares */
  requireStatements(): Promise<void>;
  /** Makes a consistent copy of a running SQLite store at `file`; PostgreSQL has its own tools, so it throws there. */
  backup(file: string): Promise<void>;
  /**
   * Analyzes tables that have grown to several times the size that PostgreSQL assumes, which its autovacuum does within
   * a minute: until then it reads all of them for one row. SQLite plans only by the indexes.
   */
  analyzeGrown(): Promise<void>;
  /**
   * Returns some of the space of removed rows to the file system, within a few milliseconds (docs/decisions/0013). Does
   * nothing on PostgreSQL, whose autovacuum takes care of it.
   */
  giveBack(): Promise<void>;
  /** Frees memory that holds parts of the store only so that they are read sooner the next time. */
  freeMemory(): Promise<void>;
  close(): Promise<void>;
};

/** Connections of a pool, and operations waiting for one. */
export type Connections = { inUse: number; idle: number; waiting: number };

/** A position in a log whose order is the order of commits: the sequence number of an event of a board. */
export type LogPosition = { log: string; position: number };

/** How reads that may run on a replica fared. */
export type ReplicaState = {
  /** Why they run on the primary now; null if they run on the replica. */
  problem: string | null;
  /** How many bytes of the log the replica had not applied at the latest check; null if it could not be asked. */
  lagBytes: number | null;
  /** How many ran on the replica, and how many on the primary. */
  onReplica: number;
  onPrimary: number;
  connections: Connections;
};

/**
 * Called with each statement after it ran or failed, where it was asked for: for metrics and traces, and for the tests that
 * count statements.
 */
export type StatementObserver = (sql: string, milliseconds: number, error?: unknown) => void;

/**
 * A failure of the store, not of a statement: unreachable, locked, full, read-only or too slow. Trying again later can
 * help.
 */
export class StoreUnavailableError extends Error {
  /** Where and why, for operators and not for visitors; it has no password. */
  readonly detail: string | null;

  constructor(message: string, { cause, detail = null }: { cause?: unknown; detail?: string | null } = {}) {
    super(message, { cause });
    this.detail = detail;
  }

  /** The message for visitors, by which the pages, which do not have the server's classes, recognize it. */
  get visitorMessage(): LocalizedMessage {
    return AWAY;
  }
}

/** The store takes no writes: its disk is full or failing, or it is read-only. It may be read as before. */
export class UnwritableError extends StoreUnavailableError {}

const AWAY = msg('storeUnavailable');

/**
 * A transaction that was rolled back because of another one: running it again resolves this, which `Db.transaction`
 * does.
 */
export class CollisionError extends StoreUnavailableError {}

/**
 * Waits for parts of a transaction that do not need each other's results: what they send at once shares a round trip to
 * PostgreSQL and runs in the order given. None of it is still in progress when this returns or throws, as it could be
 * with `Promise.all`; it would then run in the next transaction on the same connection.
 * @param work a list, or an object if the results are easier to distinguish by name
 * @throws the first error in the order given
 */
export async function pipelined<const T extends readonly unknown[] | Readonly<Record<string, unknown>>>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(Object.values(work));
  const results = await Promise.all(Object.values(work));
  const named = Object.keys(work).map((name, index) => [name, results[index]]);
  return (Array.isArray(work) ? results : Object.fromEntries(named)) as { -readonly [K in keyof T]: Awaited<T[K]> };
}

/**
 * The store inside an open transaction: each further transaction is a savepoint of it.
 * @param onCollision called when one of them failed because of another transaction: only the outer one can be run
 * again
 */
export function withinTransaction(db: Db, tx: Tx, onCollision: (error: CollisionError) => void = () => {}): Db {
  return {
    ...db,
    read: tx,
    slow: tx,
    shared: tx,
    // The outer transaction waits at its end, for what it has read too.
    durable: async () => {},
    async transaction(work) {
      // Not awaited: they share the round trip of the following statements, and fail only if those do as well.
      const send = (command: string) => void Promise.resolve(tx.run(command, [])).catch(() => {});
      db.admit?.();
      try {
        send('savepoint nested');
        const result = await work(tx);
        send('release savepoint nested');
        return result;
      } catch (error) {
        if (error instanceof CollisionError) onCollision(error);
        send('rollback to savepoint nested');
        send('release savepoint nested');
        throw error;
      }
    },
  };
}
