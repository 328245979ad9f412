import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { onEnd } from '../../../test/support/cleanup.ts';
import { startPostgres } from '../../../test/support/postgres.ts';
import { startSwitchingProxy } from '../../../test/support/switching-proxy.ts';
import { until } from '../../../test/support/until.ts';
import { type Db, StoreUnavailableError } from './db.ts';
import { openPostgres } from './postgres.ts';

async function startServer(t: TestContext) {
  const server = await startPostgres();
  onEnd(t, () => server.remove());
  return server;
}

/** The port of the server behind a connection. */
async function portOf(db: Db): Promise<string | undefined> {
  return (await db.read.run<{ port: string }>('show port', []))[0]?.port;
}

test('what was read before the server recovered is not called durable', async (t) => {
  const server = await startServer(t);
  const db = openPostgres({ url: server.url });
  onEnd(t, () => db.close());
  const since = db.epoch();
  await portOf(db);
  await db.durable(since, { log: 'board', position: 1 });
  await server.kill();
  await server.start();
  await until('it is reached again', () => portOf(db).then(Boolean, () => false));
  await assert.rejects(db.durable(since), StoreUnavailableError);
  await assert.rejects(db.durable(since, { log: 'board', position: 1 }), StoreUnavailableError);
  await db.durable(db.epoch());
});

test('what was read from a replaced server is not called durable, and its connections are closed', async (t) => {
  const [former, current] = [await startServer(t), await startServer(t)];
  const [formerPort, currentPort] = [new URL(former.url).port, new URL(current.url).port];
  const proxy = await startSwitchingProxy(Number(formerPort));
  onEnd(t, () => proxy.close());
  const url = new URL(former.url);
  url.port = String(proxy.port);
  const db = openPostgres({ url: url.href, poolSize: 2 });
  onEnd(t, () => db.close());
  const since = db.epoch();
  assert.equal(await portOf(db), formerPort);
  await db.durable(since);
  const cut = assert.rejects(async () => await db.read.run('select pg_sleep(20)', []), StoreUnavailableError);
  proxy.leadTo(Number(currentPort));
  await assert.rejects(db.durable(since), StoreUnavailableError);
  await cut;
  await db.durable(db.epoch());
  assert.equal(await portOf(db), currentPort);
});
