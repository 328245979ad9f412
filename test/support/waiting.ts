import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../src/platform/db/db.ts';

/** Whether an answer is there within some milliseconds; a failure counts as one. */
export async function isAnswered(answer: Promise<unknown>, withinMs: number): Promise<boolean> {
  const settled = answer.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, delay(withinMs, false)]);
}

/** Whether a transaction on this PostgreSQL waits for the lock of another. */
export async function isLockAwaited({ read }: Db): Promise<boolean> {
  const { rows } = await sql`select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(read);
  return rows.length > 0;
}
