import { setTimeout as delay } from 'node:timers/promises';
import type { Engine } from '../src/platform/db/db.ts';
import { apiRequest, type Served, startEarshot, untilAnswered } from './earshot.ts';
import { measure } from './load.ts';
import { bodiesOf, CREATE_POST, makeReads } from './operations.ts';
import type { Options } from './options.ts';
import { residentMemory } from './processes.ts';
import { format, type PartResult, type Target } from './report.ts';
import { postId } from './rows.ts';
import { headersOf, type Store, type Stores } from './stores.ts';

/** Resident memory in MB; null where the system does not tell. */
type Sample = { idle: number | null; highest: number | null; afterwards: number | null };

const SIZE = { posts: 1_000, commentsPerPost: 5 };
const READERS = 48;
const WRITERS = 16;
const SETTLE_MS = 2_000;
const IDLE_LIMIT_MB = 150;
const LOAD_LIMIT_MB = 300;

/** What Earshot keeps in memory: idle after its first answers, at its highest under reads and writes, and after them. */
export async function measureMemory(options: Options, stores: Stores): Promise<PartResult> {
  const results: { engine: Engine; sample: Sample }[] = [];
  for (const engine of options.engines) {
    console.error(`memory: ${engine}`);
    const store = await stores.make(engine, 'memory', SIZE);
    const served = await startEarshot(store);
    try {
      results.push({ engine, sample: await sampleMemory(served, store, options.rounds * options.seconds) });
    } finally {
      await served.stop();
    }
  }
  const rows = results.map(({ engine, sample }) => [
    engine,
    ...[sample.idle, sample.highest, sample.afterwards].map((value) => format(value)),
  ]);
  const columns = ['', 'idle MB', 'highest under load MB', '2 s afterwards MB'];
  return {
    tables: [{ title: `Resident memory, ${READERS} readers and ${WRITERS} writers`, columns, rows }],
    targets: results.flatMap(({ engine, sample }) => [
      verdict(`resident memory idle, ${engine}`, sample.idle, IDLE_LIMIT_MB),
      verdict(`resident memory under load, ${engine}`, sample.highest, LOAD_LIMIT_MB),
    ]),
    samples: results,
  };
}

async function sampleMemory(served: Served, store: Store, seconds: number): Promise<Sample> {
  await untilAnswered(served, '/api/v1/graphql', apiRequest(store));
  await delay(SETTLE_MS);
  const idle = residentMemory(served.pid);
  await Promise.all([
    ...makeReads([postId(SIZE, 1)]).map((read) => load(served, store, READERS / 3, seconds, bodiesOf(read))),
    load(served, store, WRITERS, seconds, bodiesOf({ query: CREATE_POST, variables: [{ title: 'T', comment: 'C' }] })),
  ]);
  const highest = residentMemory(served.pid)?.highest ?? null;
  await delay(SETTLE_MS);
  return { idle: idle?.now ?? null, highest, afterwards: residentMemory(served.pid)?.now ?? null };
}

function load(served: Served, store: Store, connections: number, seconds: number, bodies: string[]) {
  return measure(served, '/api/v1/graphql', { connections, seconds, headers: headersOf(store), bodies });
}

function verdict(what: string, measured: number | null, limit: number): Target {
  return {
    what,
    target: `≤ ${limit} MB`,
    measured: format(measured, ' MB'),
    isMet: measured === null ? null : measured <= limit,
  };
}
