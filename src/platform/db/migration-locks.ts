import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { CollisionError, type Tx } from './db.ts';

/**
 * How long a migration waits for a lock. All others wait behind it for that long: less than requests wait for a
 * connection, and than PostgreSQL waits (1 s) before it looks for a deadlock and fails a transaction that has part in it.
 */
const LOCK_LIMIT_MS = 500;
/** How long others then go on undisturbed, at least. */
const PAUSE_MS = 1_000;
/** How often a migration tries: for more than ten minutes. */
const ATTEMPTS = 200;

/**
 * Locks the tables that a migration alters before it does any work. While servers are running it otherwise has one of
 * them and waits for the next, for transactions that wait for the first.
 * @throws {CollisionError} if others hold one of them for too long; then `untilLocked` tries again
 */
export async function lockTables(tx: Tx, statements: readonly string[]): Promise<void> {
  if (tx.engine === 'sqlite') return;
  await sql.raw(`set local lock_timeout = ${LOCK_LIMIT_MS}`).execute(tx);
  const namesIn = (pattern: RegExp) => statements.flatMap((statement) => pattern.exec(statement)?.[1] ?? []);
  const created = namesIn(/^create (?:unlogged )?table (\w+)/);
  const altered = new Set(namesIn(/^alter table (\w+)/)).difference(new Set(created));
  if (altered.size > 0) await sql.raw(`lock table ${[...altered].join(', ')} in access exclusive mode`).execute(tx);
}

/**
 * Repeats a migration that has not had its locks: a backup or a long export holds them until it ends.
 * @throws the error of the last attempt
 */
export async function untilLocked<T>(work: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await work();
    } catch (error) {
      if (n === ATTEMPTS || !(error instanceof CollisionError)) throw error;
      await delay(PAUSE_MS * (1 + Math.random()));
    }
  }
}
