import { sql } from 'kysely';
import type { Reader } from '../db/db.ts';

/** The number of queued mails, how many of them have failed before, and the age of the oldest. */
type MailQueue = { waiting: number; retrying: number; oldestSeconds: number };

/** The queue of the whole store, for metrics. */
export async function readMailQueue(reader: Reader, now: number): Promise<MailQueue> {
  const { waiting, retrying, oldest } = await reader
    .selectFrom('mails')
    .select((e) => [
      e.cast<number>(e.fn.countAll(), 'integer').as('waiting'),
      e.cast<number>(e.fn.count('last_error'), 'integer').as('retrying'),
      sql<number | null>`min(date_created)`.as('oldest'),
    ])
    .where('state', '=', sql.lit('waiting'))
    .executeTakeFirstOrThrow();
  return { waiting, retrying, oldestSeconds: oldest === null ? 0 : Math.max(0, now - oldest) / 1_000 };
}
