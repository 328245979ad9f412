import { openDb } from '../src/platform/db/open.ts';
import { type Companion, startCompanion } from './conversation.ts';
import { type Served, startEarshot, untilAnswered } from './earshot.ts';
import { bodiesOf, CREATE_POST } from './operations.ts';
import type { Options } from './options.ts';
import type { Receiver } from './receiver.ts';
import { format, type PartResult, type Target } from './report.ts';
import { median, quantile, turns } from './statistics.ts';
import { headersOf, type Store, type Stores } from './stores.ts';
import { instant } from './variants/answer.ts';
import { addWebhooks, setEnabled } from './webhook-rows.ts';

/** What the clients of one measurement send, and for how long. */
export type Writing = {
  url: string;
  headers: Record<string, string>;
  body: string;
  hasKeys: boolean;
  clients: number;
  seconds: number;
};

type Sample = { perSecond: number; p50: number; p99: number; most: number };

/** A server with its processes, and whether its clients send idempotency keys. */
type Variant = { name: string; hasKeys: boolean; site: Site; samples: Sample[] };
type Site = { name: string; store: Store; servers: Served[] };

const SIZE = { posts: 1_000, commentsPerPost: 1 };
const CLIENTS = 16;
const PATIENCE_MS = 120_000;
const LIMIT = 2;
const ROLES = [['all'], ['worker', 'web']] as const;

const [BODY = ''] = bodiesOf({
  query: CREATE_POST,
  variables: [{ title: 'Export to spreadsheet', comment: 'We copy rows by hand every Monday.' }],
});

/** How soon events are delivered while clients write as fast as they are answered, with and without idempotency keys. */
export async function measureWriters(options: Options, stores: Stores, receiver: Receiver): Promise<PartResult> {
  const writers = await startCompanion('others', { file: 'load/write.ts' });
  const sites: Site[] = [];
  for (const engine of options.engines) {
    for (const roles of engine === 'postgres' ? ROLES : [ROLES[0]]) {
      sites.push(await startSite(await stores.make(engine, `writers_${roles.join('_')}`, SIZE), roles, receiver));
    }
  }
  const variants = sites.flatMap((site) =>
    [false, true].map((hasKeys): Variant => ({ name: site.name, hasKeys, site, samples: [] })),
  );
  try {
    for (let round = -1; round < options.rounds; round++) {
      for (const variant of turns(variants, Math.max(0, round))) {
        console.error(`webhooks: writers, ${describeVariant(variant)}, round ${round + 1}`);
        const sample = await measureSite(variant, writers, receiver, 2 * options.seconds);
        if (round >= 0) variant.samples.push(sample);
      }
    }
  } finally {
    for (const { servers } of sites) for (const server of servers) await server.stop();
    await writers.stop();
  }
  return describe(variants);
}

/** One process, or one for each role; the last of them answers requests. */
async function startSite(store: Store, roles: readonly string[], receiver: Receiver): Promise<Site> {
  await setEnabled(store, await addWebhooks(store, [{ url: receiver.url('/'), events: '*' }]), true);
  const servers: Served[] = [];
  for (const role of roles) {
    const server = await startEarshot(store, { ROLE: role, WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
    servers.push(server);
    await untilAnswered(server, '/healthz');
  }
  return { name: `${store.engine}${roles.length > 1 ? ', web and worker apart' : ''}`, store, servers };
}

async function measureSite(
  { hasKeys, site: { store, servers } }: Variant,
  writers: Companion,
  receiver: Receiver,
  seconds: number,
): Promise<Sample> {
  await receiver.forget();
  const url = `${servers.at(-1)?.url}/api/v1/graphql`;
  const writing: Writing = { url, headers: headersOf(store), body: BODY, hasKeys, clients: CLIENTS, seconds };
  const ids = await writers.ask<string[]>('write', writing);
  await receiver.wait({ count: ids.length, limitMs: PATIENCE_MS });
  const latencies = await findLatencies(store, await receiver.arrivals());
  return {
    perSecond: ids.length / seconds,
    p50: median(latencies),
    p99: quantile(latencies, 0.99),
    most: Math.max(...latencies),
  };
}

/** From the announcement of each event to the first byte of its request; both clocks are the machine's. */
async function findLatencies(store: Store, arrivals: Awaited<ReturnType<Receiver['arrivals']>>): Promise<number[]> {
  const offset = Date.now() - instant();
  const db = openDb(store);
  try {
    const query = db.read.selectFrom('events').select(['id', 'triggered_at']).where('board_id', '=', store.boardId);
    const rows = await query.execute();
    const announced = new Map(rows.map(({ id, triggered_at }) => [id, triggered_at]));
    return arrivals.map(([eventId, , at]) => at + offset - (announced.get(eventId) ?? Number.NaN));
  } finally {
    await db.close();
  }
}

function describeVariant({ name, hasKeys }: Pick<Variant, 'name' | 'hasKeys'>): string {
  return `${name}, ${hasKeys ? 'with' : 'without'} idempotency keys`;
}

function describe(variants: readonly Variant[]): PartResult {
  const rows = variants.map((variant) => [
    describeVariant(variant),
    ...(['perSecond', 'p50', 'p99', 'most'] as const).map((figure) =>
      format(median(variant.samples.map((sample) => sample[figure]))),
    ),
    format(ratioOf(variants, variant)),
  ]);
  const title = `Webhooks: event to first byte while ${CLIENTS} clients write`;
  return {
    tables: [{ title, columns: ['', 'writes/s', 'p50 ms', 'p99 ms', 'most ms', 'p50 × without keys'], rows }],
    targets: variants.filter(({ hasKeys }) => hasKeys).map((variant) => targetOf(variants, variant)),
    samples: variants.map(({ name, hasKeys, samples }) => ({ name, hasKeys, samples })),
  };
}

function targetOf(variants: readonly Variant[], variant: Variant): Target {
  const ratio = ratioOf(variants, variant);
  return {
    what: `event to first byte, p50, ${CLIENTS} clients with idempotency keys, ${variant.name}`,
    target: `≤ ${LIMIT} × without keys`,
    measured: format(ratio),
    isMet: ratio <= LIMIT,
  };
}

function ratioOf(variants: readonly Variant[], { name, samples }: Variant): number {
  const without = variants.find((other) => other.name === name && !other.hasKeys)?.samples ?? [];
  return median(samples.map(({ p50 }, round) => p50 / (without[round]?.p50 ?? Number.NaN)));
}
