import { json } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { createApp } from '../../src/app.ts';
import { listPosts } from '../../src/feedback/posts/list.ts';
import type { Db } from '../../src/platform/db/db.ts';
import { openDb } from '../../src/platform/db/open.ts';
import { systemClock } from '../../src/platform/lib/clock.ts';
import { makeLog } from '../../src/platform/lib/log.ts';
import { encodeCursor } from '../../src/platform/lib/page.ts';
import { makeMetrics } from '../../src/platform/metrics/metrics.ts';
import { makeSender } from '../../src/webhooks/http/sender.ts';
import type { PageName, PagingInput, PagingOutput } from '../paging.ts';
import { headersOf, type Store } from '../stores.ts';

/**
 * Asks the whole pipeline of Earshot, in process, for four pages in turn, so that whatever slows the machine down
 * slows all four. Beside each request the store's part of it is timed alone.
 */
type Opened = { store: Store; db: Db; app: FastifyInstance };
type Case = { name: PageName; opened: Opened; cursor: string | null };

const QUERY = `query ($limit: Int, $cursor: String) {
  posts(sort: TOP, limit: $limit, cursor: $cursor) { nodes { id title upvoteCount } hasMore cursor }
}`;
const WARM_UP = 300;

const input = (await json(process.stdin)) as PagingInput;
const few = await open(input.few);
const many = await open(input.many);
const cases: Case[] = [
  { name: 'few, first', opened: few, cursor: null },
  { name: 'few, deep', opened: few, cursor: await cursorAt(few, Number.POSITIVE_INFINITY) },
  { name: 'many, first', opened: many, cursor: null },
  { name: 'many, deep', opened: many, cursor: await cursorAt(many, input.deepPage) },
];

const output = Object.fromEntries(
  cases.map(({ name }) => [name, { request: [] as number[], store: [] as number[] }]),
) as PagingOutput;
for (let n = -WARM_UP; n < input.requests; n++) {
  for (const turn of n % 2 === 0 ? cases : cases.toReversed()) {
    const request = await time(() => askFor(turn));
    const store = await time(() => readStore(turn));
    if (n < 0) continue;
    output[turn.name].request.push(request);
    output[turn.name].store.push(store);
  }
}
for (const { app, db } of [few, many]) {
  await app.close();
  await db.close();
}
process.stdout.write(`${JSON.stringify(output)}\n`, () => process.exit(0));

async function open(store: Store): Promise<Opened> {
  const metrics = makeMetrics();
  const db = openDb(store, metrics.observeStatement);
  const config = { baseUrl: 'http://localhost', trustProxy: 0, role: 'all', sandbox: true, dataDir: 'unused' } as const;
  const sender = makeSender({ webhookAllowCidrs: [] }, 'a key for the bench', systemClock);
  const app = await createApp({ db, clock: systemClock, log: makeLog('info'), metrics, config, sender });
  return { store, db, app };
}

/** The cursor that leads to a page, counted from 1; the deepest full page when there are not so many. */
async function cursorAt({ db, store }: Opened, page: number): Promise<string> {
  const board = db.read.selectFrom('boards').select('post_count').where('id', '=', store.boardId);
  const { post_count: posts } = await board.executeTakeFirstOrThrow();
  const before = Math.min((page - 1) * input.limit, posts - input.limit);
  const row = await db.read
    .selectFrom('posts')
    .select(['upvotes', 'id'])
    .where('board_id', '=', store.boardId)
    .where('date_deleted', 'is', null)
    .orderBy('upvotes', 'desc')
    .orderBy('id', 'desc')
    .offset(before - 1)
    .limit(1)
    .executeTakeFirstOrThrow();
  return encodeCursor('posts:TOP', [row.upvotes, row.id]);
}

async function askFor({ opened, cursor, name }: Case): Promise<void> {
  const response = await opened.app.inject({
    method: 'POST',
    url: '/api/v1/graphql',
    headers: { 'content-type': 'application/json', ...headersOf(opened.store) },
    payload: JSON.stringify({ query: QUERY, variables: { limit: input.limit, cursor } }),
  });
  const { data, errors } = response.json();
  if (errors || data.posts.nodes.length !== input.limit) throw new Error(`${name}: ${response.body.slice(0, 500)}`);
}

async function readStore({ opened: { db, store }, cursor }: Case): Promise<void> {
  await listPosts(db.read, store.boardId, { viewer: null, order: 'TOP', cursor, limit: input.limit });
}

async function time(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
