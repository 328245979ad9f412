import type { Engine } from '../src/platform/db/db.ts';
import { apiRequest, startEarshot, untilAnswered } from './earshot.ts';
import type { Options } from './options.ts';
import { format, type PartResult } from './report.ts';
import { median } from './statistics.ts';
import type { Store, Stores } from './stores.ts';

type Sample = { healthMs: number; answerMs: number };

const SIZE = { posts: 1_000, commentsPerPost: 5 };
const LIMIT_MS = 500;
const STARTS_PER_ROUND = 2;

/** How long Earshot takes from its start on existing data to its first answers. */
export async function measureStart(options: Options, stores: Stores): Promise<PartResult> {
  const results: { engine: Engine; samples: Sample[] }[] = [];
  for (const engine of options.engines) {
    console.error(`start: ${engine}`);
    const store = await stores.make(engine, 'start', SIZE);
    await startOnce(store); // reads the files of the program into the system's cache
    const samples: Sample[] = [];
    for (let n = 0; n < options.rounds * STARTS_PER_ROUND; n++) samples.push(await startOnce(store));
    results.push({ engine, samples });
  }
  const figures = results.map(({ engine, samples }) => ({
    engine,
    health: median(samples.map((sample) => sample.healthMs)),
    answer: median(samples.map((sample) => sample.answerMs)),
  }));
  const rows = figures.map(({ engine, health, answer }) => [engine, format(health), format(answer)]);
  return {
    tables: [{ title: 'Start on existing data', columns: ['', 'healthy after ms', 'first API answer after ms'], rows }],
    targets: figures.map(({ engine, answer }) => ({
      what: `start to first answer, ${engine}`,
      target: '≤ 0.5 s',
      measured: format(answer / 1_000, ' s'),
      isMet: answer <= LIMIT_MS,
    })),
    samples: results,
  };
}

async function startOnce(store: Store): Promise<Sample> {
  const served = await startEarshot(store);
  try {
    const healthMs = await untilAnswered(served, '/healthz');
    const answerMs = await untilAnswered(served, '/api/v1/graphql', apiRequest(store));
    return { healthMs, answerMs };
  } finally {
    await served.stop();
  }
}
