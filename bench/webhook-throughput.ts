import type { Engine } from '../src/platform/db/db.ts';
import { makeId } from '../src/platform/lib/ids.ts';
import { type Companion, startCompanion } from './conversation.ts';
import type { Options } from './options.ts';
import { analyze } from './postgres.ts';
import { cpuSeconds } from './processes.ts';
import { profiled } from './profile.ts';
import type { Receiver } from './receiver.ts';
import { format, type PartResult, type Target } from './report.ts';
import { median, turns } from './statistics.ts';
import { environmentOf, type Stores } from './stores.ts';
import { addBacklog, addWebhooks, makeBody, SIGNING_SECRET, setEnabled } from './webhook-rows.ts';

/** Requests a second, and processor time of the process that sends for each of them in microseconds. */
type Sample = { perSecond: number; cpuMicros: number | null };

/** Something that delivers: `fill` makes a backlog of so many requests wait, `begin` lets it be sent, `end` comes after. */
type Variant = {
  name: string;
  webhooks: number;
  companion: Companion;
  fill(requests: number): Promise<void>;
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
  samples: Sample[];
};

type Setup = { options: Options; stores: Stores; receiver: Receiver };

const SIZE = { posts: 1_000, commentsPerPost: 1 };
const COUNTS = [1, 20];
const IN_FLIGHT_PER_WEBHOOK = 8;
const REQUESTS_PER_SECOND = 2_500;
const POSTS_PER_SECOND = 100;
const PATIENCE_MS = 60_000;
const TARGET_PER_SECOND = 1_000;

/** How many requests a second one process makes out of a backlog, to a receiver that answers at once. */
export async function measureThroughput(options: Options, stores: Stores, receiver: Receiver): Promise<PartResult> {
  const requests = REQUESTS_PER_SECOND * options.seconds;
  const variants = await startAll({ options, stores, receiver });
  try {
    for (let round = -1; round < options.rounds; round++) {
      for (const variant of turns(variants, Math.max(0, round))) {
        console.error(`webhooks: ${variant.name}, round ${round + 1}`);
        const sample = await measureBacklog(variant, receiver, requests);
        if (round >= 0) variant.samples.push(sample);
      }
    }
  } finally {
    for (const { companion } of variants) await companion.stop();
  }
  return describe(variants, requests);
}

async function startAll(setup: Setup): Promise<Variant[]> {
  const { engines } = setup.options;
  const variants: Variant[] = [];
  for (const engine of engines) {
    for (const webhooks of COUNTS) variants.push(await startEarshot(setup, engine, webhooks, false));
    variants.push(await startEarshot(setup, engine, 1, true));
  }
  if (!engines.includes('postgres')) return variants;
  for (const webhooks of COUNTS) {
    for (const peer of ['pg-boss', 'graphile-worker']) variants.push(await startPeer(setup, peer, webhooks));
  }
  return variants;
}

async function startEarshot(setup: Setup, engine: Engine, webhooks: number, hasPosts: boolean): Promise<Variant> {
  const { options, stores, receiver } = setup;
  const name = `hooks_${webhooks}${hasPosts ? '_posts' : ''}`;
  const store = await stores.make(engine, name, SIZE);
  const ids = await addWebhooks(
    store,
    pathsOf(webhooks).map((path) => ({ url: receiver.url(path), events: '*' })),
  );
  const program = { file: 'variants/deliveries.ts', env: { ...environmentOf(store), ROLE: 'all' } };
  const companion = await startCompanion('server', profiled(options.profile, `${name}-${engine}`, program));
  return {
    name: `earshot, ${engine}${hasPosts ? `, beside ${POSTS_PER_SECOND} createPost/s` : ''}`,
    webhooks,
    companion,
    async fill(requests) {
      await setEnabled(store, ids, false);
      await addBacklog(store, ids, requests / webhooks);
    },
    async begin() {
      await setEnabled(store, ids, true);
      if (hasPosts) await companion.ask('createPosts', { perSecond: POSTS_PER_SECOND, seconds: options.seconds * 2 });
    },
    end: async () => {},
    samples: [],
  };
}

async function startPeer({ options, stores, receiver }: Setup, peer: string, webhooks: number): Promise<Variant> {
  const name = `${peer.replace('-', '_')}_${webhooks}`;
  const databaseUrl = await stores.makeDatabase(name);
  const env = {
    DATABASE_URL: databaseUrl,
    IN_FLIGHT: String(IN_FLIGHT_PER_WEBHOOK * webhooks),
    SIGNING_SECRET,
  };
  const program = { file: `variants/${peer}.ts`, env };
  const companion = await startCompanion('server', profiled(options.profile, name, program));
  const urls = pathsOf(webhooks).map((path) => receiver.url(path));
  return {
    name: peer,
    webhooks,
    companion,
    async fill(requests) {
      const events = Array.from({ length: requests / webhooks }, makeId);
      const jobs = events.flatMap((eventId) =>
        urls.map((url) => ({ url, eventId, body: makeBody(BOARD_ID, eventId) })),
      );
      await companion.ask('enqueue', jobs);
      await analyze(databaseUrl);
    },
    begin: () => companion.ask('deliver'),
    end: () => companion.ask('rest'),
    samples: [],
  };
}

/** As long as that of a board, so that the bodies of all are as long. */
const BOARD_ID = makeId();

function pathsOf(webhooks: number): string[] {
  return Array.from({ length: webhooks }, (_, n) => `/${n}`);
}

async function measureBacklog(variant: Variant, receiver: Receiver, requests: number): Promise<Sample> {
  const { companion } = variant;
  await variant.fill(requests);
  await receiver.forget();
  const before = cpuSeconds(companion.pid);
  const sent = receiver.wait({ count: requests, limitMs: PATIENCE_MS });
  const [{ milliseconds, after }] = await Promise.all([
    sent.then((waited) => ({ ...waited, after: cpuSeconds(companion.pid) })),
    variant.begin(),
  ]);
  await variant.end();
  const cpuMicros = before === null || after === null ? null : ((after - before) / requests) * 1e6;
  return { perSecond: (requests / milliseconds) * 1_000, cpuMicros };
}

function describe(variants: readonly Variant[], requests: number): PartResult {
  const peerOf = (webhooks: number, name: string) =>
    variants.find((variant) => variant.name === name && variant.webhooks === webhooks)?.samples ?? [];
  const ratio = ({ samples, webhooks }: Variant, peer: string) => {
    const others = peerOf(webhooks, peer);
    return median(samples.map(({ perSecond }, round) => perSecond / (others[round]?.perSecond ?? Number.NaN)));
  };
  const rows = variants.map((variant) => [
    `${variant.name}, ${variant.webhooks} ${variant.webhooks === 1 ? 'webhook' : 'webhooks'}`,
    format(median(variant.samples.map(({ perSecond }) => perSecond))),
    format(median(variant.samples.map(({ cpuMicros }) => cpuMicros ?? Number.NaN))),
    format(ratio(variant, 'pg-boss')),
    format(ratio(variant, 'graphile-worker')),
  ]);
  const title = `Webhooks: deliveries out of a backlog of ${requests.toLocaleString('en')}, signed`;
  const columns = ['', 'requests/s', 'CPU µs', '× pg-boss', '× graphile-worker'];
  const earshot = variants.filter(({ name }) => /^earshot, \w+$/.test(name));
  return {
    tables: [{ title, columns, rows }],
    targets: earshot.map(targetOf),
    samples: variants.map(({ name, webhooks, samples }) => ({ name, webhooks, samples })),
  };
}

function targetOf({ name, webhooks, samples }: Variant): Target {
  const perSecond = median(samples.map((sample) => sample.perSecond));
  return {
    what: `deliveries, ${name.replace('earshot, ', '')}, ${webhooks} ${webhooks === 1 ? 'webhook' : 'webhooks'}`,
    target: `≥ ${TARGET_PER_SECOND.toLocaleString('en')}/s`,
    measured: format(perSecond, '/s'),
    isMet: perSecond >= TARGET_PER_SECOND,
  };
}
