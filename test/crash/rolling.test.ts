import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { onEnd } from '../support/cleanup.ts';
import { startPassiveProxy } from '../support/passive-proxy.ts';
import { findFreePort } from '../support/postgres.ts';
import { makeStorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';
import { prepareBoard, withReader } from './board.ts';
import { CREATE_POST, makeClient } from './client.ts';
import { addReceivers, findMisdeliveries, untilDelivered, WEBHOOK_ENV } from './deliveries.ts';
import { runEarshot, startServer } from './server.ts';

const CLIENTS = 8;
/** An empty setting is the default. */
const OLD = { ...WEBHOOK_ENV, DRAIN_DELAY: '' };
const NEW = { ...OLD, NODE_OPTIONS: `--import=${new URL('next-version.ts', import.meta.url)}` };

test('an upgrade behind a proxy without health checks, as docs/upgrading.md has it, fails no request', async (t) => {
  const place = await makeStorePlace(t, 'postgres');
  const start = async (version: typeof OLD, role: string, port?: number) =>
    startServer(t, place, { env: { ...version, ROLE: role }, port: port ?? (await findFreePort()) });
  const { server, key } = await prepareBoard(t, place, CLIENTS, { env: { ...OLD, ROLE: 'web' } });
  const receivers = await addReceivers(t, place, { count: 1, seed: 1 });
  for (const receiver of receivers.values()) receiver.mood = 'healthy';
  const [second, ...workers] = await Promise.all([start(OLD, 'web'), start(OLD, 'worker'), start(OLD, 'worker')]);
  const webs = [server, second];
  const proxy = await startPassiveProxy(t, [server.url, second.url]);
  const load = startRequests(t, proxy.url, key);
  await until('many requests have been answered', () => load.answered.length > 100);

  for (const { status, stderr } of await Promise.all(workers.map((worker) => worker.stop())))
    assert.deepEqual([status, stderr], [0, '']);
  const migrated = await runEarshot(place, ['migrate'], { env: NEW }).ended;
  assert.deepEqual([migrated.status, migrated.stderr], [0, '']);
  assert.match(migrated.stdout, /9999-next-version/);
  for (const { url, stop } of webs) {
    const before = proxy.opened.get(url) ?? 0;
    const { status, stderr } = await stop();
    assert.deepEqual([status, stderr], [0, '']);
    const opened = (proxy.opened.get(url) ?? 0) - before;
    assert.ok(opened < CLIENTS, `${opened} connections opened to a server that stops: closing its port can lose one`);
    await start(NEW, 'web', Number(new URL(url).port));
    await until('it answers again', () => (proxy.opened.get(url) ?? 0) > before + opened);
  }
  await Promise.all([start(NEW, 'worker'), start(NEW, 'worker')]);
  const { failed, posts, answered } = await load.stop();
  assert.deepEqual([proxy.failures, failed], [[], []]);
  t.diagnostic(`${answered.length} requests, ${posts.length} of them posts`);
  const rows = await withReader(place, (reader) => reader.selectFrom('posts').select('id').execute());
  assert.deepEqual(rows.map(({ id }) => id).sort(), posts.sort());
  await untilDelivered(place, 60_000);
  for (const [id, receiver] of receivers)
    assert.deepEqual(await withReader(place, (reader) => findMisdeliveries(reader, id, receiver)), []);
});

/** Clients that each send one request after the other, of which every fifth writes. */
function startRequests(t: TestContext, url: string, key: string) {
  const client = makeClient(url, key);
  const failed: string[] = [];
  const posts: string[] = [];
  const answered: number[] = [];
  let sent = 0;
  let stopped = false;

  async function send(n: number, as: string): Promise<void> {
    const isWrite = n % 5 === 0;
    const query = isWrite ? CREATE_POST : '{ posts(limit: 5) { nodes { id title author { name } } } }';
    const { status, data, errors } = await client.send(query, isWrite ? { title: `Post ${n}` } : {}, as);
    answered.push(status);
    if (errors.length > 0) failed.push(`${status} ${JSON.stringify(errors)}`);
    else if (isWrite) posts.push(data?.createPost?.id ?? '');
  }

  const clients = Array.from({ length: CLIENTS }, async (_, writer) => {
    while (!stopped) await send(sent++, `writer-${writer}`).catch((error) => void failed.push(String(error)));
  });
  const stop = async () => {
    stopped = true;
    await Promise.all(clients);
    return { failed, posts, answered };
  };
  onEnd(t, stop);
  return { answered, stop };
}
