import type { Engine } from '../src/platform/db/db.ts';
import { measure, type Sample } from './load.ts';
import { bodiesOf, CREATE_POST } from './operations.ts';
import type { Options } from './options.ts';
import { type Server, startServer } from './processes.ts';
import { profiled } from './profile.ts';
import { format, type PartResult, type Target } from './report.ts';
import { median, turns } from './statistics.ts';
import { countPosts, environmentOf, headersOf, type Store, type Stores } from './stores.ts';

/** A way to commit, on a store of its own. */
type Variant = { name: string; store: Store; server: Server; posts: number; samples: Map<number, Sample[]> };

const SIZE = { posts: 1_000, commentsPerPost: 1 };
const CLIENTS = [1, 64];
const GROUPED = 'sqlite, grouped';
const ALONE = 'sqlite, one commit per request';

const bodies = bodiesOf({
  query: CREATE_POST,
  variables: Array.from({ length: 100 }, (_, n) => ({
    title: `Export to spreadsheet number ${n}`,
    comment: `We copy ${n} rows by hand every Monday. A button that gives us a file would save an hour a week.`,
  })),
});

/** How many posts a second are made, each on disk before its answer: with commits in groups and one by one. */
export async function measureWrites(options: Options, stores: Stores): Promise<PartResult> {
  const variants = await startAll(options, stores);
  try {
    for (const clients of CLIENTS) {
      console.error(`writes: clients: ${clients}`);
      for (const variant of variants) await write(variant, clients, 1);
      for (let round = 0; round < options.rounds; round++) {
        for (const variant of turns(variants, round)) {
          const sample = await write(variant, clients, options.seconds);
          variant.samples.set(clients, [...(variant.samples.get(clients) ?? []), sample]);
        }
      }
    }
  } finally {
    for (const { server } of variants) await server.stop();
  }
  for (const variant of variants) await requireAllKept(variant);
  return describe(options, variants);
}

async function startAll({ engines, profile }: Options, stores: Stores): Promise<Variant[]> {
  const start = async (name: string, engine: Engine, file: string, env = {}): Promise<Variant> => {
    const store = await stores.make(engine, file, SIZE);
    const program = { file: 'variants/earshot.ts', env: { ...environmentOf(store), ...env } };
    const server = await startServer(profiled(profile, `${file}-${engine}`, program));
    return { name, store, server, posts: SIZE.posts, samples: new Map() };
  };
  const variants: Variant[] = [];
  if (engines.includes('sqlite')) {
    variants.push(await start(GROUPED, 'sqlite', 'writes_grouped'));
    variants.push(await start(ALONE, 'sqlite', 'writes_alone', { GROUP_LIMIT: '1' }));
  }
  if (engines.includes('postgres')) variants.push(await start('postgres', 'postgres', 'writes'));
  return variants;
}

async function write(variant: Variant, connections: number, seconds: number): Promise<Sample> {
  const headers = headersOf(variant.store);
  const sample = await measure(variant.server, '/api/v1/graphql', { connections, seconds, headers, bodies });
  variant.posts += sample.requests;
  return sample;
}

/** Every answer promised a post; those whose answers the load generator did not wait for may be there as well. */
async function requireAllKept({ name, store, posts }: Variant): Promise<void> {
  const kept = await countPosts(store);
  if (kept < posts) throw new Error(`${name}: ${posts} posts were acknowledged and ${kept} are there`);
}

function describe(options: Options, variants: readonly Variant[]): PartResult {
  const samplesOf = ({ samples }: Variant, clients: number) => samples.get(clients) ?? [];
  const rows = CLIENTS.flatMap((clients) =>
    variants.map((variant) => [
      `${variant.name}, ${clients} ${clients === 1 ? 'client' : 'clients'}`,
      format(median(samplesOf(variant, clients).map((sample) => sample.perSecond))),
      format(median(samplesOf(variant, clients).map((sample) => sample.cpuMicros ?? Number.NaN))),
      format((1_000 * clients) / median(samplesOf(variant, clients).map((sample) => sample.perSecond))),
      format(median(samplesOf(variant, clients).map((sample) => sample.p99Ms))),
    ]),
  );
  const samples = variants.map(({ name, samples }) => ({ name, samples: Object.fromEntries(samples) }));
  const columns = ['', 'posts/s', 'CPU µs', 'mean ms', 'p99 ms'];
  const tables = [{ title: 'Writes: createPost, on disk before the answer', columns, rows }];
  return { tables, samples, targets: options.engines.includes('sqlite') ? targetsOf(variants) : [] };
}

function targetsOf(variants: readonly Variant[]): Target[] {
  const of = (name: string) => variants.find((variant) => variant.name === name)?.samples.get(64) ?? [];
  const perSecond = median(of(GROUPED).map((sample) => sample.perSecond));
  const gain = median(of(GROUPED).map((s, round) => s.perSecond / (of(ALONE)[round]?.perSecond ?? Number.NaN)));
  const what = 'createPost, 64 clients, sqlite';
  return [
    { what, target: '≥ 3,000/s', measured: format(perSecond, '/s'), isMet: perSecond >= 3_000 },
    { what, target: '≥ 3 × one commit per request', measured: format(gain), isMet: gain >= 3 },
  ];
}
