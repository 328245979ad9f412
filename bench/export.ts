import type { Engine } from '../src/platform/db/db.ts';
import { startEarshot, untilAnswered } from './earshot.ts';
import type { Options } from './options.ts';
import { residentMemory } from './processes.ts';
import { format, type PartResult, type Target } from './report.ts';
import { headersOf, type Store, type Stores } from './stores.ts';

type Sample = { format: string; seconds: number; megabytes: number; posts: number; highestMb: number | null };

const MEMORY_LIMIT_MB = 300;

/** How fast a whole board is exported, and how much memory the server takes for it. */
export async function measureExport(options: Options, stores: Stores): Promise<PartResult> {
  const results: { engine: Engine; samples: Sample[] }[] = [];
  for (const engine of options.engines) {
    console.error(`export: ${options.manyPosts} posts on ${engine}`);
    const store = await stores.share(engine, 'phrases', {
      posts: options.manyPosts,
      commentsPerPost: 1,
      phrases: true,
    });
    results.push({ engine, samples: await measureOn(store) });
  }
  const rows = results.flatMap(({ engine, samples }) =>
    samples.map(({ format: name, seconds, posts, megabytes, highestMb }) => [
      `${engine}, ${name}`,
      ...[seconds, posts / seconds, megabytes, highestMb].map((value) => format(value)),
    ]),
  );
  return {
    tables: [
      {
        title: `Export of ${format(options.manyPosts)} posts over HTTP`,
        columns: ['', 'seconds', 'posts/s', 'MB', 'highest memory of the server MB'],
        rows,
      },
    ],
    targets: results.map(({ engine, samples }) => targetOf(engine, samples, options.manyPosts)),
    samples: results,
  };
}

async function measureOn(store: Store): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const name of ['csv', 'jsonl']) {
    const served = await startEarshot(store);
    try {
      await untilAnswered(served, '/readyz');
      const start = performance.now();
      const response = await fetch(`${served.url}/api/${name}`, { headers: headersOf(store) });
      let [bytes, lines] = [0, 0];
      for await (const chunk of response.body ?? []) {
        bytes += chunk.length;
        for (const byte of chunk) if (byte === 10) lines++;
      }
      const seconds = (performance.now() - start) / 1_000;
      const posts = name === 'csv' ? lines - 1 : lines;
      samples.push({
        format: name,
        seconds,
        megabytes: bytes / 1e6,
        posts,
        highestMb: residentMemory(served.pid)?.highest ?? null,
      });
    } finally {
      await served.stop();
    }
  }
  return samples;
}

function targetOf(engine: Engine, samples: readonly Sample[], posts: number): Target {
  const highest = samples.map((sample) => sample.highestMb);
  const most = highest.includes(null) ? null : Math.max(...highest.map(Number));
  if (samples.some((sample) => sample.posts !== posts)) throw new Error('The export does not have all posts');
  const isMet = most === null ? null : most <= MEMORY_LIMIT_MB;
  return {
    what: `export of ${format(posts)} posts, ${engine}: memory of the server`,
    target: `≤ ${MEMORY_LIMIT_MB} MB`,
    measured: format(most),
    isMet: posts < 1_000_000 && isMet ? null : isMet,
  };
}
