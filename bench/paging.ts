import type { Engine } from '../src/platform/db/db.ts';
import type { Options } from './options.ts';
import { runProgram } from './processes.ts';
import { profiled } from './profile.ts';
import { format, type PartResult, type Target } from './report.ts';
import { median, quantile } from './statistics.ts';
import { environmentOf, type Store, type Stores } from './stores.ts';

/** A page of a store of so many posts. */
export type PageName = 'few, first' | 'few, deep' | 'many, first' | 'many, deep';

/** What the measuring process is told: the stores, which page is the deep one, and how often to ask for each page. */
export type PagingInput = { few: Store; many: Store; limit: number; deepPage: number; requests: number };

/** Times in milliseconds, by page: of the whole request, and of the store's part alone. */
export type PagingOutput = Record<PageName, { request: number[]; store: number[] }>;

const FEW = 1_000;
const LIMIT = 20;
const DEEP_PAGE = 10_000;
/** The time at many posts may be so many times that at few. */
const FACTOR = 1.5;

const pageNames: readonly PageName[] = ['few, first', 'few, deep', 'many, first', 'many, deep'];

/** What the first page and a deep page cost with few and with many posts, ordered by votes that many posts share. */
export async function measurePaging(options: Options, stores: Stores): Promise<PartResult> {
  const results: { engine: Engine; times: PagingOutput }[] = [];
  for (const engine of options.engines) {
    console.error(`paging: ${options.manyPosts} posts on ${engine}`);
    results.push({ engine, times: await measureOn(engine, options, stores) });
  }
  const rows = results.flatMap(({ engine, times }) => pageNames.map((page) => rowOf(engine, page, times, options)));
  const columns = ['', 'request, median ms', 'p95 ms', 'store alone, median ms', '× first page of few'];
  return {
    tables: [{ title: 'Paging: posts(sort: TOP, limit: 20), one request at a time', columns, rows }],
    targets: results.flatMap(({ engine, times }) => targetsOf(engine, times, options.manyPosts)),
    samples: results.map(({ engine, times }) => ({ engine, times })),
  };
}

async function measureOn(engine: Engine, options: Options, stores: Stores): Promise<PagingOutput> {
  const few = await stores.make(engine, 'paging_few', { posts: FEW, commentsPerPost: 0 });
  const many = await stores.make(engine, 'paging_many', { posts: options.manyPosts, commentsPerPost: 0 });
  const deepPage = Math.min(DEEP_PAGE, Math.floor(options.manyPosts / LIMIT) - 1);
  const input: PagingInput = { few, many, limit: LIMIT, deepPage, requests: options.rounds * 400 };
  const program = profiled(options.profile, `paging-${engine}`, {
    file: 'variants/paging.ts',
    env: environmentOf(many),
  });
  return runProgram<PagingOutput>('server', program, input);
}

function rowOf(engine: Engine, page: PageName, times: PagingOutput, { manyPosts }: Options): string[] {
  const { request, store } = times[page];
  const name = page.replace('few', `${format(FEW)} posts`).replace('many', `${format(manyPosts)} posts`);
  const ratio = median(request) / median(times['few, first'].request);
  const figures = [median(request), quantile(request, 0.95), median(store), ratio];
  return [`${engine}, ${name} page`, ...figures.map((value) => format(value))];
}

function targetsOf(engine: Engine, times: PagingOutput, manyPosts: number): Target[] {
  return (['first', 'deep'] as const).map((depth) => {
    const factor = median(times[`many, ${depth}`].request) / median(times[`few, ${depth}`].request);
    return {
      what: `posts(sort: TOP), ${depth} page at ${format(manyPosts)} posts, ${engine}`,
      target: `≤ ${FACTOR} × the time at ${format(FEW)}`,
      measured: format(factor),
      isMet: manyPosts < 1_000_000 && factor <= FACTOR ? null : factor <= FACTOR,
    };
  });
}
