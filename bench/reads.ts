import { deepStrictEqual } from 'node:assert';
import type { Engine } from '../src/platform/db/db.ts';
import { measure, type Sample } from './load.ts';
import { bodiesOf, makeReads, type Operation } from './operations.ts';
import type { Options } from './options.ts';
import { type Program, type Server, startServer } from './processes.ts';
import { profiled } from './profile.ts';
import { format, type PartResult, type Table, type Target } from './report.ts';
import { postId } from './rows.ts';
import { median, turns } from './statistics.ts';
import { environmentOf, headersOf, type Store, type Stores } from './stores.ts';

/** A server that is measured: how it starts, and the headers that it needs. */
type Variant = { name: string; program: Program; headers: Record<string, string>; path: string; samples: Sample[] };
type Running = Variant & { server: Server };

const CONSTANT = 'constant';
const EARSHOT = 'earshot';
const JIT = 'mercurius, jit';

const SIZE = { posts: 1_000, commentsPerPost: 5 };
/** Posts that `post` asks for in turn. */
const IDS = 100;
const CONNECTIONS = 64;
const WARM_UP_SECONDS = 1;

/** Reads by Earshot, with all its checks, beside servers that do nothing but answer them. */
export async function measureReads(options: Options, stores: Stores): Promise<PartResult> {
  const results: { engine: Engine; operation: Operation; variants: readonly Variant[] }[] = [];
  for (const engine of options.engines) {
    const store = await stores.make(engine, 'reads', SIZE);
    const ids = Array.from({ length: IDS }, (_, n) => postId(SIZE, n * 7));
    for (const operation of makeReads(ids)) {
      console.error(`reads: ${operation.words} on ${engine}`);
      results.push({ engine, operation, variants: await measureOperation(options, store, operation) });
    }
  }
  return {
    tables: results.map(({ engine, operation, variants }) => tableOf(`${operation.words}, ${engine}`, variants)),
    targets: results.flatMap(({ engine, operation, variants }) => targetsOf(engine, operation, variants)),
    samples: results.map(({ engine, operation, variants }) => ({
      engine,
      operation: operation.name,
      variants: Object.fromEntries(variants.map(({ name, samples }) => [name, samples])),
    })),
  };
}

async function measureOperation(options: Options, store: Store, operation: Operation): Promise<readonly Variant[]> {
  const running = await startAll(options, store, operation);
  try {
    await requireSameAnswers(running, operation);
    for (const variant of running) await loadOn(variant, operation, WARM_UP_SECONDS);
    for (let round = 0; round < options.rounds; round++) {
      for (const variant of turns(running, round)) {
        variant.samples.push(await loadOn(variant, operation, options.seconds));
      }
    }
    await requireSameAnswers(running, operation);
  } finally {
    for (const { server } of running) await server.stop();
  }
  return running;
}

function loadOn({ server, path, headers }: Running, operation: Operation, seconds: number): Promise<Sample> {
  return measure(server, path, { connections: CONNECTIONS, seconds, headers, bodies: bodiesOf(operation) });
}

async function startAll({ profile, quick }: Options, store: Store, operation: Operation): Promise<Running[]> {
  const env = environmentOf(store);
  const start = async (name: string, program: Program, path = '/', headers = {}): Promise<Running> => {
    return { name, program, path, headers, samples: [], server: await startServer(program) };
  };
  const own = profiled(profile, `reads-${operation.name}-${store.engine}`, { file: 'variants/earshot.ts', env });
  const earshot = await start(EARSHOT, own, '/api/v1/graphql', headersOf(store));
  const answer = JSON.stringify({ data: await ask(earshot, bodiesOf(operation)[0] ?? '') });
  const answers = JSON.stringify({ [operation.name]: answer });
  const needed = [
    await start(CONSTANT, { file: 'variants/constant.ts', env: { ANSWERS: answers } }, `/${operation.name}`),
    earshot,
    await start(JIT, { file: 'variants/mercurius.ts', env: { ...env, JIT: '1' } }),
  ];
  if (quick) return needed;
  return [
    ...needed,
    await start('mercurius', { file: 'variants/mercurius.ts', env }),
    await start('yoga', { file: 'variants/yoga.ts', env }),
    await start('apollo', { file: 'variants/apollo.ts', env }),
  ];
}

/** Stops the run when a variant would be measured while answering something else. */
async function requireSameAnswers(running: readonly Running[], operation: Operation): Promise<void> {
  const [constant, earshot, ...peers] = running;
  if (!constant || !earshot) return;
  const [first = '', ...more] = bodiesOf(operation);
  deepStrictEqual(await ask(constant, first), await ask(earshot, first), 'constant answers otherwise');
  for (const body of [first, ...more]) {
    const expected = await ask(earshot, body);
    for (const peer of peers) deepStrictEqual(await ask(peer, body), expected, `${peer.name} answers otherwise`);
  }
}

async function ask({ server, path, headers, name }: Running, body: string): Promise<unknown> {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await response.text();
  const { data, errors } = JSON.parse(text);
  if (response.status !== 200 || errors || !data || Object.values(data).includes(null)) {
    throw new Error(`${name} answers ${response.status} ${text.slice(0, 500)}`);
  }
  return data;
}

function tableOf(title: string, variants: readonly Variant[]): Table {
  return {
    title: `Reads: ${title}`,
    columns: ['', 'requests/s', `× ${CONSTANT}`, `× ${JIT}`, 'CPU µs', 'core busy', 'p99 ms'],
    rows: variants.map((variant) => [
      variant.name,
      format(median(variant.samples.map((sample) => sample.perSecond))),
      format(ratio(variants, variant.name, CONSTANT, speed)),
      format(ratio(variants, variant.name, JIT, speed)),
      format(median(variant.samples.map((sample) => sample.cpuMicros ?? Number.NaN))),
      `${format(100 * median(variant.samples.map(busyShare)))} %`,
      format(median(variant.samples.map((sample) => sample.p99Ms))),
    ]),
  };
}

/** The median over the rounds of one variant's figure to another's in the same round. */
function ratio(variants: readonly Variant[], name: string, base: string, figure: (sample: Sample) => number): number {
  const of = (wanted: string) => (variants.find((variant) => variant.name === wanted)?.samples ?? []).map(figure);
  const bases = of(base);
  return median(of(name).map((value, round) => value / (bases[round] ?? Number.NaN)));
}

const speed = (sample: Sample) => sample.perSecond;
/** Requests that a second of the server's processor time is enough for: hardly disturbed by other programs. */
const economy = (sample: Sample) => 1e6 / (sample.cpuMicros ?? Number.NaN);
const busyShare = (sample: Sample) => speed(sample) / economy(sample);

function targetsOf(engine: Engine, { words }: Operation, variants: readonly Variant[]): Target[] {
  const what = `${words}, ${engine}`;
  const target = (base: string, least: number): Target => {
    const measured = ratio(variants, EARSHOT, base, speed);
    const byCpu = format(ratio(variants, EARSHOT, base, economy));
    return {
      what,
      target: `≥ ${least.toFixed(1)} × ${base}`,
      measured: `${format(measured)} (by CPU ${byCpu})`,
      isMet: measured >= least,
    };
  };
  return engine === 'sqlite' ? [target(JIT, 1), target(CONSTANT, 0.4)] : [target(JIT, 1)];
}
