import { sql } from 'kysely';
import { readLogAge } from '../events/retention.ts';
import type { Db, Reader } from '../platform/db/db.ts';
import type { Clock } from '../platform/lib/clock.ts';
import type { StoreFigures } from '../platform/metrics/store.ts';
import { countWebhooks, readBacklog } from '../webhooks/delivery/backlog.ts';

/** Pending work in the store, for metrics. A backlog can be long, so it is read in the background. */
export async function readStoreFigures({ slow }: Db, clock: Clock): Promise<StoreFigures> {
  const now = clock.now();
  return {
    webhooks: await countWebhooks(slow),
    backlog: await readBacklog(slow, now),
    mails: await readMailQueue(slow, now),
    eventLogSeconds: await readLogAge(slow, now),
  };
}

/** The number of queued mails, how many of them have failed before, and the age of the oldest. */
type MailQueue = { waiting: number; retrying: number; oldestSeconds: number };

/** The queue of the whole store, for metrics. */
async function readMailQueue(reader: Reader, now: number): Promise<MailQueue> {
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
