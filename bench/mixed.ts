import { requireBoard } from '../src/identity/board/board.ts';
import type { Engine } from '../src/platform/db/db.ts';
import { openDb } from '../src/platform/db/open.ts';
import { type Served, startEarshot, untilAnswered } from './earshot.ts';
import { measure } from './load.ts';
import { CREATE_POST } from './operations.ts';
import type { Options } from './options.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { format, type PartResult, type Table } from './report.ts';
import type { Size } from './rows.ts';
import { median, quantile } from './statistics.ts';
import { headersOf, type Store, type Stores } from './stores.ts';
import { instant } from './variants/answer.ts';
import { addWebhooks, setEnabled } from './webhook-rows.ts';

/** One thing that is done to the server, and how long it takes in the unit that its name ends with. */
type Figure = { what: string; p50: number; p99: number };
type Result = { engine: Engine; posts: number; alone: Figure[]; together: Figure[] };

const PAGES_PER_SECOND = 200;
const POSTS_PER_SECOND = 20;
const WEBHOOKS = 20;
const CONNECTIONS = 20;
const WARM_UP_SECONDS = 2;
const SECONDS = 20;

/** What visitors, writers, webhooks and an export of a large board cost each other in one process. */
export async function measureMixed(options: Options, stores: Stores): Promise<PartResult> {
  const receiver = await startReceiver();
  const results: Result[] = [];
  for (const engine of options.engines) {
    const size: Size = { posts: options.manyPosts, commentsPerPost: 1, phrases: true };
    results.push(await measureOn(await stores.share(engine, 'phrases', size), options.manyPosts, receiver));
  }
  return { tables: results.map(tableOf), targets: [], samples: results };
}

async function measureOn(store: Store, posts: number, receiver: Receiver): Promise<Result> {
  const urls = Array.from({ length: WEBHOOKS }, (_, n) => ({ url: receiver.url(`/${n}`), events: ',post.created,' }));
  await setEnabled(store, await addWebhooks(store, urls), true);
  const served = await startEarshot(store, { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
  try {
    await untilAnswered(served, '/readyz');
    const home = `/b/${await readPid(store)}`;
    await visit(served, home, WARM_UP_SECONDS);
    console.error(`mixed: each alone on ${store.engine}`);
    const alone = [
      ...(await visit(served, home)),
      ...(await write(served, store, receiver)),
      ...(await readExport(served, store)),
    ];
    console.error(`mixed: together on ${store.engine}`);
    const together = await Promise.all([
      visit(served, home),
      write(served, store, receiver),
      readExport(served, store),
    ]);
    return { engine: store.engine, posts, alone, together: together.flat() };
  } finally {
    await served.stop();
  }
}

/** Visitors without a session, on the board and its roadmap in equal numbers. */
async function visit(served: Served, home: string, seconds = SECONDS): Promise<Figure[]> {
  const paths = [home, `${home}/roadmap`];
  const load = {
    connections: CONNECTIONS,
    seconds,
    headers: {},
    bodies: [],
    perSecond: PAGES_PER_SECOND / paths.length,
  };
  const samples = await Promise.all(paths.map((path) => measure(served, path, load)));
  const worst = (pick: (sample: (typeof samples)[number]) => number) => Math.max(...samples.map(pick));
  return [
    { what: `${PAGES_PER_SECOND} pages/s, ms`, p50: worst(({ p50Ms }) => p50Ms), p99: worst(({ p99Ms }) => p99Ms) },
  ];
}

/** Writers of posts, and the webhooks that are told of each. */
async function write(served: Served, store: Store, receiver: Receiver): Promise<Figure[]> {
  await receiver.forget();
  const body = JSON.stringify({
    query: CREATE_POST,
    variables: { title: 'Export to spreadsheet', comment: 'Please.' },
  });
  const written = await measure(served, '/api/v1/graphql', {
    connections: CONNECTIONS,
    seconds: SECONDS,
    headers: headersOf(store),
    bodies: [body],
    perSecond: POSTS_PER_SECOND,
  });
  await receiver.wait({ count: written.requests * WEBHOOKS, limitMs: SECONDS * 1_000 });
  const offset = Date.now() - instant();
  const delays = (await receiver.arrivals()).map(([eventId, , at]) => at + offset - timeOf(eventId));
  return [
    { what: `${POSTS_PER_SECOND} createPost/s, ms`, p50: written.p50Ms, p99: written.p99Ms },
    { what: `event to first byte at ${WEBHOOKS} webhooks, ms`, p50: median(delays), p99: quantile(delays, 0.99) },
  ];
}

/** A whole export, as CSV. */
async function readExport(served: Served, store: Store): Promise<Figure[]> {
  const start = performance.now();
  const response = await fetch(`${served.url}/api/csv`, { headers: headersOf(store) });
  for await (const _ of response.body ?? []);
  const seconds = (performance.now() - start) / 1_000;
  return [{ what: 'export, s', p50: seconds, p99: seconds }];
}

/** When an id was made: its first 48 bits are milliseconds. */
function timeOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}

async function readPid(store: Store): Promise<string> {
  const db = openDb(store);
  try {
    return (await requireBoard(db.read, store.boardId)).pid;
  } finally {
    await db.close();
  }
}

function tableOf({ engine, posts, alone, together }: Result): Table {
  return {
    title: `Everything at once: ${posts.toLocaleString('en')} posts, ${engine}`,
    columns: ['', 'alone p50', 'alone p99', 'together p50', 'together p99'],
    rows: alone.map(({ what, p50, p99 }, n) => [
      what,
      ...[p50, p99, together[n]?.p50 ?? null, together[n]?.p99 ?? null].map((value) => format(value)),
    ]),
  };
}
