import type { TestContext } from 'node:test';
import { createApp } from '../../src/app.ts';
import { createKey } from '../../src/identity/keys/keys.ts';
import { createBoard } from '../../src/operations/boards/create.ts';
import type { Db } from '../../src/platform/db/db.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { systemClock as clock } from '../../src/platform/lib/clock.ts';
import { makeLog } from '../../src/platform/lib/log.ts';
import { makeMetrics } from '../../src/platform/metrics/metrics.ts';
import { onEnd } from '../support/cleanup.ts';
import { makeTestSender } from '../support/sender.ts';
import { type Client, CREATE_USER, makeClient } from './client.ts';

/** Serves a store that the test has opened in its own way, and gives a client with the user `ada`. */
export async function serveInProcess(t: TestContext, db: Db): Promise<Client> {
  await migrate(db, clock.now());
  const metrics = makeMetrics();
  const baseUrl = 'http://board.test';
  const log = makeLog('silent');
  const app = await createApp({
    db,
    clock,
    log,
    metrics,
    config: { baseUrl, trustProxy: 0, role: 'all', sandbox: true, dataDir: 'unused' },
    sender: makeTestSender(),
  });
  onEnd(t, async () => {
    await app.close();
    await db.close();
  });
  const board = await createBoard(db, clock, { name: 'Acme' });
  const { key } = await createKey({ db, clock, baseUrl, board }, { name: 'test', rateRules: [] });
  const client = makeClient(await app.listen({ port: 0, host: '127.0.0.1' }), key);
  await client.send(CREATE_USER, { id: 'ada' }, null);
  return client;
}
