import { readLogAge } from '../events/retention.ts';
import type { Db } from '../platform/db/db.ts';
import type { Clock } from '../platform/lib/clock.ts';
import { readMailQueue } from '../platform/mail/queue.ts';
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
