import type { TestContext } from 'node:test';
import type { Reader } from '../../src/platform/db/db.ts';
import { openDb } from '../../src/platform/db/open.ts';
import type { StorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';
import { withReader } from './board.ts';
import { type CountingReceiver, type Reception, startCountingReceiver } from './counting-receiver.ts';
import { makeRandom } from './random.ts';
import { askEarshotIn } from './server.ts';

/** What processes need that deliver to receivers on this machine. */
export const WEBHOOK_ENV = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };

/** Receivers that keep count, by the ids of their webhooks. */
export type Receivers = ReadonlyMap<string, CountingReceiver>;

/** Starts receivers, each with a webhook that is enabled. */
export async function addReceivers(
  t: TestContext,
  place: StorePlace,
  { count, seed }: { count: number; seed: number },
): Promise<Receivers> {
  const receivers = new Map<string, CountingReceiver>();
  for (let n = 0; n < count; n++) {
    const receiver = await startCountingReceiver(t, makeRandom(seed + n));
    const options = ['--url', receiver.url, '--signing-secret', receiver.secret, '--enable'];
    const { id = '' } = await askEarshotIn(WEBHOOK_ENV, place, 'webhook', 'create', ...options);
    receivers.set(id, receiver);
  }
  return receivers;
}

/** Waits until nothing waits to be delivered. */
export async function untilDelivered(place: StorePlace, limitMs: number): Promise<void> {
  await withReader(place, (reader) =>
    until('everything is delivered', async () => !(await findWaiting(reader)), limitMs),
  );
}

async function findWaiting(reader: Reader): Promise<unknown> {
  return reader.selectFrom('deliveries').select('id').where('state', '=', 'waiting').limit(1).executeTakeFirst();
}

/**
 * Makes everything that is due later due by so much earlier, as if nothing had run for that time: while no worker runs,
 * a test need not wait for leases and retries.
 */
export async function passTime(place: StorePlace, milliseconds: number): Promise<void> {
  const db = openDb(place);
  try {
    await db.transaction(async (tx) => {
      const deliveries = tx.updateTable('deliveries').where('date_due', 'is not', null);
      await deliveries.set((e) => ({ date_due: e('date_due', '-', milliseconds) })).execute();
      await tx
        .updateTable('webhooks')
        .set((e) => ({ date_next_probe: e('date_next_probe', '-', milliseconds) }))
        .execute();
    });
  } finally {
    await db.close();
  }
}

/** A lease: which event it is for and to which webhook. */
export type Lease = { webhookId: string; eventId: string; token: string };

/** The leases there are: at most those of the attempts in flight. */
export async function readLeases(reader: Reader): Promise<Lease[]> {
  const rows = await reader
    .selectFrom('deliveries')
    .select(['webhook_id', 'event_id', 'lease_token'])
    .where('lease_token', 'is not', null)
    .execute();
  return rows.map((row) => ({ webhookId: row.webhook_id, eventId: row.event_id, token: row.lease_token ?? '' }));
}

/**
 * Compares what a receiver has got with the log of events, once nothing waits any more.
 * @returns one line for each event that is lost, made up, changed or out of order, and for each delivery that is not done
 */
export async function findMisdeliveries(
  reader: Reader,
  webhookId: string,
  receiver: CountingReceiver,
): Promise<string[]> {
  const events = await reader.selectFrom('events').select(['id', 'post_id', 'body']).orderBy('seq').execute();
  const ids = new Set(events.map(({ id }) => id));
  const phantoms = [...receiver.events.keys()].filter((id) => !ids.has(id));
  return [
    ...receiver.problems,
    ...phantoms.map((id) => `${id} never happened`),
    ...events.flatMap((event) => compare(event, receiver.events.get(event.id))),
    ...findDisorder(events, receiver),
    ...(await findUnfinished(reader, webhookId, events.length)),
  ];
}

function compare({ id, body }: { id: string; body: string }, reception: Reception | undefined): string[] {
  if (!reception) return [`${id} is lost`];
  return [
    ...(reception.acceptedAt === null ? [`${id} was never accepted`] : []),
    ...(reception.body === body ? [] : [`${id} arrived with other bytes`]),
  ];
}

/** Before an event of a post arrives for the first time, the one before it must have been accepted. */
function findDisorder(events: readonly { id: string; post_id: string | null }[], receiver: CountingReceiver): string[] {
  const byPost = Map.groupBy(events, ({ post_id }) => post_id);
  return [...byPost.values()].flatMap((line) =>
    line.slice(1).flatMap(({ id }, n) => {
      const accepted = receiver.events.get(line[n]?.id ?? '')?.acceptedAt ?? Number.POSITIVE_INFINITY;
      const arrived = receiver.events.get(id)?.arrivedAt ?? Number.POSITIVE_INFINITY;
      return arrived < accepted ? [`${id} came before ${line[n]?.id}`] : [];
    }),
  );
}

async function findUnfinished(reader: Reader, webhookId: string, events: number): Promise<string[]> {
  const rows = await reader
    .selectFrom('deliveries')
    .select(['event_id', 'state', 'attempts', 'lease_token', 'date_due', 'date_done'])
    .where('webhook_id', '=', webhookId)
    .execute();
  const unfinished = rows.filter((row) => {
    const isDone = row.state === 'delivered' && row.attempts > 0 && row.date_done !== null;
    return !isDone || row.lease_token !== null || row.date_due !== null;
  });
  return [
    ...(rows.length === events ? [] : [`${events} events have ${rows.length} deliveries`]),
    ...unfinished.map((row) => `${row.event_id} is ${JSON.stringify(row)}`),
  ];
}
