import { makeId } from '../src/platform/lib/ids.ts';
import { type Companion, startCompanion } from './conversation.ts';
import type { Options } from './options.ts';
import type { Receiver } from './receiver.ts';
import { format, type PartResult, type Target } from './report.ts';
import { median, quantile, turns } from './statistics.ts';
import { environmentOf, type Stores } from './stores.ts';
import type { Committed, Pace } from './variants/answer.ts';
import { addWebhooks, makeBody, SIGNING_SECRET, setEnabled } from './webhook-rows.ts';

/** Something that announces events at a pace, tells when each was committed, and delivers them. */
type Variant = {
  name: string;
  /** What the contract promises something about. */
  isOurs: boolean;
  companions: Companion[];
  announce(pace: Pace): Promise<Committed[]>;
  latencies: number[];
};

type Setup = { stores: Stores; receiver: Receiver };

const SIZE = { posts: 1_000, commentsPerPost: 1 };
const EVENTS_PER_SECOND = 50;
const PATIENCE_MS = 10_000;
const TARGET_MS = 20;

/** The time from the commit of an event to the first byte of its request, under light load. */
export async function measureLatency(options: Options, stores: Stores, receiver: Receiver): Promise<PartResult> {
  const variants = await startAll(options, { stores, receiver });
  const pace = { perSecond: EVENTS_PER_SECOND, seconds: 2 * options.seconds };
  try {
    for (let round = -1; round < options.rounds; round++) {
      for (const variant of turns(variants, Math.max(0, round))) {
        console.error(`webhooks: latency, ${variant.name}, round ${round + 1}`);
        const latencies = await measureOnce(receiver, () => variant.announce(pace));
        if (round >= 0) variant.latencies.push(...latencies);
      }
    }
  } finally {
    for (const { companions } of variants) for (const companion of companions) await companion.stop();
  }
  return describe(variants);
}

/** Announces events, and gives the milliseconds from the commit of each to its arrival at each path. */
export async function measureOnce(
  receiver: Receiver,
  announce: () => Promise<Committed[]>,
  arrivalsPerEvent = 1,
): Promise<number[]> {
  await receiver.forget();
  const committed = new Map(await announce());
  await receiver.wait({ count: committed.size * arrivalsPerEvent, limitMs: PATIENCE_MS });
  const arrivals = await receiver.arrivals();
  return arrivals.map(([eventId, , at]) => at - (committed.get(eventId) ?? Number.NaN));
}

async function startAll({ engines }: Options, setup: Setup): Promise<Variant[]> {
  const variants: Variant[] = [];
  if (engines.includes('sqlite')) variants.push(await startEarshot(setup, 'sqlite'));
  if (!engines.includes('postgres')) return variants;
  return [
    ...variants,
    await startEarshot(setup, 'postgres'),
    await startEarshot(setup, 'postgres', ['worker', 'web']),
    await startPeer(setup, 'pg-boss, NOTIFY', 'pg-boss'),
    await startPeer(setup, 'pg-boss, polling every 0.5 s', 'pg-boss', { POLLING: '1' }),
    await startPeer(setup, 'graphile-worker', 'graphile-worker', { LATENCY: '1' }),
  ];
}

/** Earshot in one process, or in one for each role. */
async function startEarshot(
  { stores, receiver }: Setup,
  engine: 'sqlite' | 'postgres',
  roles: readonly string[] = ['all'],
): Promise<Variant> {
  const store = await stores.make(engine, `latency_${roles.join('_')}`, SIZE);
  await setEnabled(store, await addWebhooks(store, [{ url: receiver.url('/'), events: '*' }]), true);
  const companions: Companion[] = [];
  for (const role of roles) {
    const program = { file: 'variants/deliveries.ts', env: { ...environmentOf(store), ROLE: role } };
    companions.push(await startCompanion('server', program));
  }
  return {
    name: `earshot, ${engine}${roles.length > 1 ? ', web and worker apart' : ''}`,
    isOurs: true,
    companions,
    announce: (pace) => lastOf(companions).ask('createPosts', pace),
    latencies: [],
  };
}

async function startPeer(
  { stores, receiver }: Setup,
  name: string,
  peer: string,
  env: Record<string, string> = {},
): Promise<Variant> {
  const databaseUrl = await stores.makeDatabase(`latency_${name.replace(/\W+/g, '_')}`.toLowerCase());
  const program = {
    file: `variants/${peer}.ts`,
    env: { DATABASE_URL: databaseUrl, IN_FLIGHT: '8', SIGNING_SECRET, ...env },
  };
  const companion = await startCompanion('server', program);
  await companion.ask('deliver');
  return {
    name,
    isOurs: false,
    companions: [companion],
    announce: (pace) => {
      const eventId = makeId();
      return companion.ask('enqueueSteadily', {
        ...pace,
        job: { url: receiver.url('/'), eventId, body: makeBody(eventId, eventId) },
      });
    },
    latencies: [],
  };
}

function lastOf(companions: readonly Companion[]): Companion {
  const companion = companions.at(-1);
  if (!companion) throw new Error('There is no process to announce events');
  return companion;
}

function describe(variants: readonly Variant[]): PartResult {
  const rows = variants.map(({ name, latencies }) => [
    name,
    format(median(latencies)),
    format(quantile(latencies, 0.99)),
    format(Math.max(...latencies)),
    String(latencies.length),
  ]);
  const title = `Webhooks: commit to first byte at ${EVENTS_PER_SECOND} events/s`;
  return {
    tables: [{ title, columns: ['', 'p50 ms', 'p99 ms', 'most ms', 'events'], rows }],
    targets: variants.filter(({ isOurs }) => isOurs).map(targetOf),
    samples: variants.map(({ name, latencies }) => ({ name, latencies })),
  };
}

function targetOf({ name, latencies }: Variant): Target {
  const p50 = median(latencies);
  return {
    what: `commit to first byte, p50, ${name.replace('earshot, ', '')}`,
    target: `≤ ${TARGET_MS} ms`,
    measured: format(p50, ' ms'),
    isMet: p50 <= TARGET_MS,
  };
}
