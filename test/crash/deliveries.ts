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

/** Waits until nothing waits to be delivered, except to these webhooks. */
export async function untilDelivered(place: StorePlace, limitMs: number, except: string[] = ['']): Promise<void> {
  await withReader(place, (reader) =>
    until('everything is delivered', async () => !(await findWaiting(reader, except)), limitMs),
  );
}

async function findWaiting(reader: Reader, except: string[]): Promise<unknown> {
  const waiting = reader.selectFrom('deliveries').select('id').where('state', '=', 'waiting');
  return waiting.where('webhook_id', 'not in', except).limit(1).executeTakeFirst();
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
 * @param options.after the sequence number of the last event before there was the webhook
 * @param options.mayWait also while something waits, as long as every event is either accepted or waits
 * @returns one line for each event that is lost, made up, changed or out of order, and for each delivery that is not done
 */
export async function findMisdeliveries(
  reader: Reader,
  webhookId: string,
  receiver: CountingReceiver,
  { after = 0, mayWait = false } = {},
): Promise<string[]> {
  const log = reader.selectFrom('events').select(['id', 'post_id', 'body']).where('seq', '>', after);
  const events = await log.orderBy('seq').execute();
  const deliveries = await readDeliveries(reader, webhookId);
  const waiting = new Set(
    mayWait ? deliveries.filter(({ state }) => state === 'waiting').map((row) => row.event_id) : [],
  );
  const done = deliveries.filter((row) => !waiting.has(row.event_id));
  const ids = new Set(events.map(({ id }) => id));
  const phantoms = [...receiver.events.keys()].filter((id) => !ids.has(id));
  return [
    ...receiver.problems,
    ...phantoms.map((id) => `${id} never happened`),
    ...events.flatMap((event) => (waiting.has(event.id) ? [] : compare(event, receiver.events.get(event.id)))),
    ...findDisorder(events, receiver),
    ...(deliveries.length === events.length ? [] : [`${events.length} events have ${deliveries.length} deliveries`]),
    ...findUnfinished(done),
  ];
}

type LoggedEvent = { id: string; post_id: string | null; body: string };

function compare({ id, post_id, body }: LoggedEvent, reception: Reception | undefined): string[] {
  if (!reception) return [`${id} is lost`];
  const { bodies, acceptedAt } = reception;
  // Only ids remain of a post that was deleted permanently: it may have arrived in full before that, never after.
  const [first = '', ...later] = bodies;
  const rest = post_id === null && isFullerThan(first, body) ? later : bodies;
  return [
    ...(acceptedAt === null ? [`${id} was never accepted`] : []),
    ...(rest.length <= 1 && rest.every((other) => other === body) ? [] : [`${id} arrived with other bytes`]),
  ];
}

/** Whether this is the event before it was reduced to ids. */
function isFullerThan(full: string, bare: string): boolean {
  const [a, b] = [JSON.parse(full), JSON.parse(bare)];
  const idsOf = ({ post, comment }: Bare) => [comment?.id, (post ?? comment?.post)?.id];
  const headOf = ({ event, boardId, triggeredAt, data }: Record<string, unknown>) =>
    JSON.stringify([event, boardId, triggeredAt, idsOf(data as Bare)]);
  return full.length > bare.length && headOf(a) === headOf(b);
}

type Bare = { post?: { id: string }; comment?: { id: string; post?: { id: string } } };

/** Before an event of a post arrives for the first time, the one before it must have been accepted. */
function findDisorder(events: readonly LoggedEvent[], receiver: CountingReceiver): string[] {
  // Those of a post that was deleted permanently no longer name it.
  const byPost = Map.groupBy(
    events.filter(({ post_id }) => post_id !== null),
    ({ post_id }) => post_id,
  );
  return [...byPost.values()].flatMap((line) =>
    line.slice(1).flatMap(({ id }, n) => {
      const accepted = receiver.events.get(line[n]?.id ?? '')?.acceptedAt ?? Number.POSITIVE_INFINITY;
      const arrived = receiver.events.get(id)?.arrivedAt ?? Number.POSITIVE_INFINITY;
      return arrived < accepted ? [`${id} came before ${line[n]?.id}`] : [];
    }),
  );
}

type Delivery = Awaited<ReturnType<typeof readDeliveries>>[number];

function readDeliveries(reader: Reader, webhookId: string) {
  return reader
    .selectFrom('deliveries')
    .select(['event_id', 'state', 'attempts', 'lease_token', 'date_due', 'date_done'])
    .where('webhook_id', '=', webhookId)
    .execute();
}

function findUnfinished(rows: readonly Delivery[]): string[] {
  const unfinished = rows.filter((row) => {
    const isDone = row.state === 'delivered' && row.attempts > 0 && row.date_done !== null;
    return !isDone || row.lease_token !== null || row.date_due !== null;
  });
  return unfinished.map((row) => `${row.event_id} is ${JSON.stringify(row)}`);
}
