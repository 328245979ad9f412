import assert from 'node:assert/strict';
import { get as httpGet, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { makeTestApp, makeTestClock, type TestApp, testBoth } from '../../../test/support/app.ts';
import { onEnd } from '../../../test/support/cleanup.ts';
import { makeTestSender } from '../../../test/support/sender.ts';
import { openTestStore } from '../../../test/support/store.ts';
import { createApp } from '../../app.ts';
import { makeMetrics } from '../../platform/metrics/metrics.ts';

/** Posts of which each fills a good part of what a socket takes at once. */
async function makeLongPosts({ api }: TestApp, count: number): Promise<void> {
  const text = 'x'.repeat(20_000);
  for (let n = 0; n < count; n++) await api.createPost({ title: 'Long', comment: text });
}

async function listen({ app }: TestApp): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

function request(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => httpGet(url, { agent: false }, resolve).on('error', reject));
}

/** Statements that run until none has come for a while. */
async function statementsUntilQuiet({ takeStatements }: TestApp): Promise<number> {
  for (let count = 0; ; ) {
    await delay(600);
    const taken = takeStatements().length;
    if (taken === 0) return count;
    count += taken;
  }
}

testBoth('nothing is read that its reader does not take, and nothing more once it is gone', async (app) => {
  await makeLongPosts(app, 750);
  const url = `${await listen(app)}/api/jsonl?apikey=${app.key}`;
  app.takeStatements();
  const whole = await request(url);
  let bytes = 0;
  for await (const chunk of whole) bytes += chunk.length;
  assert.ok(bytes > 15_000_000);
  const needed = app.takeStatements().length;

  const stalled = await request(url);
  const readBefore = await statementsUntilQuiet(app);
  assert.ok(readBefore < needed, `${readBefore} of ${needed} statements for a reader that takes nothing`);
  stalled.destroy();
  assert.ok((await statementsUntilQuiet(app)) <= 5, 'the page that was being read at most');
  const posts = await app.api.posts({ limit: 1 }, { nodes: { id: true } });
  assert.equal(posts.nodes.length, 1);
});

testBoth('posts that are written in the meantime do not disturb an export', async (app) => {
  for (let n = 0; n < 300; n++) await app.makePost(`Post ${n}`);
  const before = await app.app.inject({ url: `/api/jsonl?apikey=${app.key}` });
  const [during] = await Promise.all([
    app.app.inject({ url: `/api/jsonl?apikey=${app.key}` }),
    ...Array.from({ length: 20 }, (_, n) => app.makePost(`Added ${n}`)),
  ]);
  const idsOf = (body: string) =>
    body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id);
  const ids = idsOf(during.body);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(ids.slice(0, 300), idsOf(before.body));
});

testBoth('an export that fails before it begins is an error, and nothing to be saved', async (app) => {
  const fetchExport = (format: string) => app.app.inject({ url: `/api/${format}?apikey=${app.key}` });
  assert.equal((await fetchExport('csv')).statusCode, 200);
  await app.db.transaction((tx) => sql`alter table posts rename to other_posts`.execute(tx));
  for (const format of ['csv', 'jsonl']) {
    const { statusCode, headers, body } = await fetchExport(format);
    assert.equal(statusCode, 500);
    assert.equal(JSON.parse(body).errors[0].extensions.code, 'INTERNAL_SERVER_ERROR');
    assert.deepEqual(
      [headers['content-type'], headers['content-disposition']],
      ['application/json; charset=utf-8', undefined],
    );
  }
});

test('more exports than the store reads at a time are refused with 503 [sqlite]', async (t) => {
  const { app, key } = await makeTestApp(t, 'sqlite');
  const answers = await Promise.all(Array.from({ length: 600 }, () => app.inject({ url: `/api/csv?apikey=${key}` })));
  const refused = answers.filter(({ statusCode }) => statusCode !== 200);
  assert.ok(refused.length > 0 && refused.length < 600, `${refused.length} refused`);
  for (const { statusCode, headers, body } of refused) {
    assert.deepEqual([statusCode, headers['retry-after']], [503, '5']);
    assert.equal(JSON.parse(body).errors[0].extensions.code, 'SERVICE_UNAVAILABLE');
  }
});

test('a key in the address is in no log', async (t) => {
  let written = '';
  const stream = new Writable({
    write(chunk, _, done) {
      written += chunk;
      done();
    },
  });
  const db = await openTestStore(t, 'sqlite');
  const metrics = makeMetrics();
  const clock = makeTestClock();
  const config = {
    baseUrl: 'http://board.test',
    trustProxy: 0,
    role: 'all',
    sandbox: false,
    dataDir: 'unused',
  } as const;
  const app = await createApp({
    db,
    clock,
    log: pino({ level: 'trace' }, stream),
    metrics,
    config,
    sender: makeTestSender(),
  });
  onEnd(t, async () => {
    await app.close();
  });
  const key = `esk_${'s'.repeat(43)}`;
  await app.inject({ url: `/api/csv?apikey=${key}` });
  await app.inject({ url: `/api/nothing?apikey=${key}` });
  await db.transaction((tx) => sql`drop table api_keys`.execute(tx));
  clock.advance(10_000);
  const failed = await app.inject({ url: `/api/csv?apikey=${key}` });
  assert.ok(failed.statusCode >= 500, failed.body);
  assert.match(written, /api\/csv/);
  assert.doesNotMatch(written, /sssss/);
});
