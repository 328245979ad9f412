import type { Engine } from '../src/platform/db/db.ts';
import type { Options } from './options.ts';
import { runProgram } from './processes.ts';
import { profiled } from './profile.ts';
import { format, type PartResult, type Target } from './report.ts';
import { median, quantile } from './statistics.ts';
import { environmentOf, type Store, type Stores } from './stores.ts';

/** What is asked, and how long each answer took in milliseconds. */
export type SearchName = 'search, by relevance' | 'search, second page' | 'search, newest first' | 'similarPosts';
export type SearchInput = { store: Store; posts: number; requests: number };
export type SearchOutput = { times: Record<SearchName, number[]>; firstMs: number; lagMs: number };

const SEARCH_MS = 50;
const SIMILAR_MS = 100;
const REQUESTS = 400;

/** What a search and a look for similar posts cost among many posts. */
export async function measureSearch(options: Options, stores: Stores): Promise<PartResult> {
  const results: { engine: Engine; output: SearchOutput }[] = [];
  for (const engine of options.engines) {
    console.error(`search: ${options.manyPosts} posts on ${engine}`);
    const store = await stores.share(engine, 'phrases', {
      posts: options.manyPosts,
      commentsPerPost: 1,
      phrases: true,
    });
    const input: SearchInput = { store, posts: options.manyPosts, requests: REQUESTS };
    const program = profiled(options.profile, `search-${engine}`, {
      file: 'variants/search.ts',
      env: environmentOf(store),
    });
    results.push({ engine, output: await runProgram<SearchOutput>('server', program, input) });
  }
  const rows = results.flatMap(({ engine, output }) =>
    Object.entries(output.times).map(([name, times]) => [
      `${engine}, ${name}`,
      ...[median(times), quantile(times, 0.95), Math.max(...times)].map((value) => format(value)),
    ]),
  );
  const starts = results.map(({ engine, output: { firstMs, lagMs } }) => [engine, format(firstMs), format(lagMs)]);
  return {
    tables: [
      {
        title: `Search: ${format(options.manyPosts)} posts, one request at a time`,
        columns: ['', 'median ms', 'p95 ms', 'most ms'],
        rows,
      },
      {
        title: 'Search: the first one, and the event loop during it',
        columns: ['', 'first search of a process ms', 'p99 of the lag ms'],
        rows: starts,
      },
    ],
    targets: results.flatMap(({ engine, output }) => targetsOf(engine, output, options.manyPosts)),
    samples: results,
  };
}

function targetsOf(engine: Engine, { times }: SearchOutput, posts: number): Target[] {
  const limits = { 'search, by relevance': SEARCH_MS, 'search, newest first': SEARCH_MS, similarPosts: SIMILAR_MS };
  return Object.entries(limits).map(([name, limit]) => {
    const p95 = quantile(times[name as SearchName], 0.95);
    const isMet = p95 <= limit;
    const what = `${name} over ${format(posts)} posts, ${engine}`;
    return {
      what,
      target: `p95 ≤ ${limit} ms`,
      measured: format(p95),
      isMet: posts < 1_000_000 && isMet ? null : isMet,
    };
  });
}
