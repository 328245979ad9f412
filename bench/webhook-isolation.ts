import { createSocket } from 'node:dgram';
import type { Engine } from '../src/platform/db/db.ts';
import { atEnd } from './cleanup.ts';
import { type Companion, startCompanion } from './conversation.ts';
import type { Options } from './options.ts';
import type { Receiver } from './receiver.ts';
import { format, type PartResult, type Target } from './report.ts';
import { median, quantile, turns } from './statistics.ts';
import { environmentOf, type Store, type Stores } from './stores.ts';
import { measureOnce } from './webhook-latency.ts';
import { addBacklog, addWebhooks, makeDue, setEnabled } from './webhook-rows.ts';

type Sample = { p50: number; p99: number };

/** Healthy webhooks, and one more that hangs, or none. */
type Variant = {
  name: string;
  engine: Engine;
  store: Store;
  hangingId: string | null;
  companion: Companion;
  samples: Sample[];
};

type Setup = { stores: Stores; receiver: Receiver; dnsServer: string };

const SIZE = { posts: 1_000, commentsPerPost: 1 };
const HEALTHY = 20;
const WAITING = 10_000;
/** Within it the hanging webhook fills its slots, times out, and becomes a failing one. */
const PACE = { perSecond: 20, seconds: 8 };
const LIMIT = 1.1;

const ALONE = 'alone';
/** Tells how far two measurements of the same differ on this machine. */
const AGAIN = 'alone, in another process';
const HANGING = 'beside one that hangs';
const SILENT = 'beside one whose name server is silent';

/** What a receiver that hangs with a backlog does to the latency of 20 healthy ones on the same board. */
export async function measureIsolation(options: Options, stores: Stores, receiver: Receiver): Promise<PartResult> {
  const setup = { stores, receiver, dnsServer: await startSilentDns() };
  const variants: Variant[] = [];
  for (const engine of options.engines) variants.push(...(await measureEngine(options, setup, engine)));
  return describe(variants);
}

async function measureEngine({ rounds }: Options, setup: Setup, engine: Engine): Promise<Variant[]> {
  const variants: Variant[] = [];
  for (const name of [ALONE, AGAIN, HANGING, SILENT]) variants.push(await start(setup, engine, name));
  try {
    for (let round = -1; round < rounds; round++) {
      for (const variant of turns(variants, Math.max(0, round))) {
        console.error(`webhooks: ${engine}, healthy ones ${variant.name}, round ${round + 1}`);
        const sample = await measureHealthy(variant, setup.receiver);
        if (round >= 0) variant.samples.push(sample);
      }
    }
  } finally {
    for (const { companion } of variants) await companion.stop();
  }
  return variants;
}

async function start({ stores, receiver, dnsServer }: Setup, engine: Engine, name: string): Promise<Variant> {
  const store = await stores.make(engine, `isolation_${name.replaceAll(/\W+/g, '_')}`, SIZE);
  const healthy = Array.from({ length: HEALTHY }, (_, n) => ({ url: receiver.url(`/${n}`), events: '*' }));
  await setEnabled(store, await addWebhooks(store, healthy), true);
  const url = urlOfHanging(name, receiver);
  const hangingId = url && (await addHanging(store, url));
  const env = { ...environmentOf(store), ROLE: 'all', DNS_SERVER: dnsServer };
  const companion = await startCompanion('server', { file: 'variants/deliveries.ts', env });
  return { name, engine, store, hangingId, companion, samples: [] };
}

/** It wants another event than the one that is measured, so that each of those makes as many deliveries as without it. */
async function addHanging(store: Store, url: string): Promise<string> {
  const [id = ''] = await addWebhooks(store, [{ url, events: ',comment.deleted,' }]);
  await addBacklog(store, [id], WAITING);
  return id;
}

function urlOfHanging(name: string, receiver: Receiver): string | null {
  if (name === HANGING) return receiver.url('/hang');
  return name === SILENT ? 'http://receiver.example.com/' : null;
}

/** A name server that takes questions and never answers; gives its address. */
async function startSilentDns(): Promise<string> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  atEnd(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

async function measureHealthy({ store, hangingId, companion }: Variant, receiver: Receiver): Promise<Sample> {
  if (hangingId !== null) {
    await makeDue(store, hangingId);
    await setEnabled(store, [hangingId], true);
  }
  const latencies = await measureOnce(receiver, () => companion.ask('createPosts', PACE), HEALTHY);
  if (hangingId !== null) await setEnabled(store, [hangingId], false);
  return { p50: median(latencies), p99: quantile(latencies, 0.99) };
}

function describe(variants: readonly Variant[]): PartResult {
  const rows = variants.map((variant) => [
    `${variant.engine}, ${variant.name}`,
    format(median(variant.samples.map(({ p50 }) => p50))),
    format(median(variant.samples.map(({ p99 }) => p99))),
    format(ratioToAlone(variants, variant)),
  ]);
  const title = `Webhooks: commit to first byte of ${HEALTHY} healthy ones at ${PACE.perSecond} events/s`;
  return {
    tables: [{ title, columns: ['', 'p50 ms', 'p99 ms', 'p99 × alone'], rows }],
    targets: variants.filter(({ hangingId }) => hangingId !== null).map((variant) => targetOf(variants, variant)),
    samples: variants.map(({ name, engine, samples }) => ({ name, engine, samples })),
  };
}

/** Where two measurements of the same differ by more than what is promised, nothing can be told. */
function targetOf(variants: readonly Variant[], variant: Variant): Target {
  const ratio = ratioToAlone(variants, variant);
  const again = variants.find(({ engine, name }) => engine === variant.engine && name === AGAIN);
  const noise = again ? ratioToAlone(variants, again) : Number.NaN;
  const isQuiet = Math.max(noise, 1 / noise) <= LIMIT;
  return {
    what: `p99 of healthy webhooks ${variant.name}, ${variant.engine}`,
    target: `≤ ${LIMIT} × alone`,
    measured: isQuiet ? format(ratio) : `${format(ratio)}; twice alone: ${format(noise)}`,
    isMet: isQuiet ? ratio <= LIMIT : null,
  };
}

function ratioToAlone(variants: readonly Variant[], { engine, samples }: Variant): number {
  const alone = variants.find((other) => other.engine === engine && other.name === ALONE)?.samples ?? [];
  return median(samples.map(({ p99 }, round) => p99 / (alone[round]?.p99 ?? Number.NaN)));
}
