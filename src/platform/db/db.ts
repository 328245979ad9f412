import type { Kysely } from 'kysely';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import { type LocalizedMessage, msg } from '../messages.ts';
import type { LogPosition } from './durability.ts';
import type { Topic } from './topics.ts';

/**
 * Every table of the store. Each feature adds its own beside the code that uses it:
 * `declare module './db.ts' { interface Tables { posts: PostTable } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Tables {}

export type Engine = 'sqlite' | 'postgres';

/** A place to send queries to: the store, or a transaction on it. */
export type Reader = Kysely<Tables> & {
  readonly engine: Engine;
  /** Runs a statement whose text is ready, without a detour through the query builder: for `prepare`. */
  run<R>(sql: string, parameters: readonly unknown[]): Rows<R>;
};

/** Rows of a statement: SQLite gives them at once, PostgreSQL later. */
export type Rows<R> = MaybePromise<R[]>;

declare const insideTransaction: unique symbol;

/** An open transaction. Only `Db.transaction` makes one, so what asks for a `Tx` cannot be called without. */
export type Tx = Reader & {
  readonly [insideTransaction]: true;
  /** Once the transaction is committed, tells those who `listen`, in this process and in others on the same store. */
  notify(topic: Topic): void;
  /**
   * For a transaction that has locked what others wait for: at its commit they continue before it is on disk. Its own
   * caller is answered after that, as always (docs/decisions/0002).
   * @param upTo what of a log is durable with the transaction, so that who reads it need not wait for it again
   */
  commitEarly(upTo: LogPosition): void;
};

/** The store. One query text serves both engines. */
export type Db = {
  readonly engine: Engine;
  /** For reads outside a transaction; they see what is committed. */
  readonly read: Reader;
  /**
   * For reads outside a transaction that can take longer than 5 ms: searches, exports. SQLite would hold up the event
   * loop for as long, so there they run on a thread of their own, with a limit of time.
   */
  readonly slow: Reader;
  /**
   * Runs `work` in a transaction and resolves once it is on disk. When `work` throws, nothing of it remains.
   * `work` must await nothing but its `tx`: on SQLite all writers of the process wait for it.
   * What the transaction has read is on disk then as well, also if it has written nothing.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Resolves once what reads outside transactions have shown until now is on disk, on a synchronous standby too: neither
   * a crash nor a failover can take it back (docs/decisions/0002).
   * @param upTo when only so much of a log was shown; as a rule it is known to be on disk, and there is no waiting
   */
  durable(upTo?: LogPosition): Promise<void>;
  /** For how long the oldest commit in progress has waited for the disk, or for a standby; 0 when none does. */
  commitAgeMs(): number;
  /** The connections for reads and transactions. On SQLite that is the one that writes. */
  connections(): { inUse: number; idle: number; waiting: number };
  /** Calls `listener` when there may be something new of this kind, until the returned function is called. */
  listen(topic: Topic, listener: () => void): () => void;
  /** Whether hints of other processes reach this one, as found out within so many milliseconds. */
  hearsHints(limitMs: number): Promise<boolean>;
  /** @throws StoreUnavailableError when something in between takes away the statements that this program prepares */
  requireStatements(): Promise<void>;
  /** A consistent copy of a running SQLite store at `file`; PostgreSQL has tools of its own, so it throws there. */
  backup(file: string): Promise<void>;
  /**
   * Counts tables anew that have grown to several times what PostgreSQL believes they are, which its autovacuum does
   * within a minute: until then it reads all of them for one row. SQLite plans by the indexes alone.
   */
  analyzeGrown(): Promise<void>;
  /**
   * Gives some of the space that removed rows have left back to the system, in some milliseconds (docs/decisions/0013). Does
   * nothing on PostgreSQL, whose autovacuum sees to it.
   */
  giveBack(): Promise<void>;
  close(): Promise<void>;
};

/** Told of each statement after it ran: for metrics, and for the tests that count statements. */
export type StatementObserver = (sql: string, milliseconds: number) => void;

/** A failure of the store, not of a statement: gone, locked, full, read-only or too slow. Trying again later can help. */
export class StoreUnavailableError extends Error {
  /** Where and why, for operators and not for visitors; it has no password. */
  readonly detail: string | null;

  constructor(message: string, { cause, detail = null }: { cause?: unknown; detail?: string | null } = {}) {
    super(message, { cause });
    this.detail = detail;
  }

  /** What visitors are told, and what the pages, which have no classes of the server, know it by. */
  get visitorMessage(): LocalizedMessage {
    return AWAY;
  }
}

const AWAY = msg`The board is temporarily unavailable: try again in a minute`;

/** A transaction that was undone because of another one: running it again solves it, which `Db.transaction` does. */
export class CollisionError extends StoreUnavailableError {}

/**
 * Waits for work on a transaction whose parts need no answer of each other: what they send at once shares a round trip to
 * PostgreSQL and is carried out in the order given. None of it is in progress any more when this returns or throws, as it could be
 * with `Promise.all`; the transaction that follows on the same connection would get it.
 * @param work a list, or an object where the results are easier to tell apart by name
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
 * The same store inside an open transaction: each further transaction is a savepoint of it.
 * @param onCollision told when one of them failed for another transaction's sake: only the outer one can be run again
 */
export function withinTransaction(db: Db, tx: Tx, onCollision: (error: CollisionError) => void = () => {}): Db {
  return {
    ...db,
    read: tx,
    slow: tx,
    // The outer transaction waits at its end, for what it has read too.
    durable: async () => {},
    async transaction(work) {
      // Not waited for: they share the round trip of the statements that follow, and fail only when those do as well.
      const msg = (command: string) => void Promise.resolve(tx.run(command, [])).catch(() => {});
      try {
        msg('savepoint nested');
        const result = await work(tx);
        msg('release savepoint nested');
        return result;
      } catch (error) {
        if (error instanceof CollisionError) onCollision(error);
        msg('rollback to savepoint nested');
        msg('release savepoint nested');
        throw error;
      }
    },
  };
}
