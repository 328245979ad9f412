import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { openDb } from '../../src/platform/db/open.ts';
import { onEnd } from '../support/cleanup.ts';
import { startPostgres } from '../support/postgres.ts';
import { roundsOf } from '../support/rounds.ts';
import { makeStorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';
import { prepareBoard } from './board.ts';
import { makeClient } from './client.ts';
import { findLosses, Ledger } from './ledger.ts';
import { type LoadOptions, startLoad } from './load.ts';
import { makeRandom } from './random.ts';
import { recount } from './recount.ts';

const CLIENTS = 16;
const CRASHES = roundsOf('CRASH_KILLS', { short: 1, long: 3 });
/** What tells of the database where clients must not hear of it. */
const INNER_WORDS = /select|insert|update |postgres:|earshot@|127\.0\.0\.1|ECONN|\bat \/|administrator|terminat/i;

test('a crash of PostgreSQL fails requests clearly, loses nothing, and does not require a restart of the server', async (t) => {
  const postgres = await startPostgres();
  onEnd(t, () => postgres.remove());
  const { dataDir } = await makeStorePlace(t, 'sqlite');
  const place = { dataDir, databaseUrl: postgres.url };
  const { server, key, statuses } = await prepareBoard(t, place, CLIENTS);
  const refused: string[] = [];
  const ledger = new Ledger();
  const random = makeRandom(randomInt(2 ** 32));
  const client = makeClient(server.url, key);
  const unexpected: LoadOptions['unexpected'] = (code, message) => {
    if (code === 'NOT_FOUND') return null;
    refused.push(message);
    return code === 'SERVICE_UNAVAILABLE' && !INNER_WORDS.test(message) ? null : `${code} ${message}`;
  };
  const load = startLoad({ client, ledger, random, statuses, unexpected }, CLIENTS);
  const readiness = async () => (await fetch(`${server.url}/readyz`)).status;
  for (let crash = 1; crash <= CRASHES; crash++) {
    const before = ledger.acknowledged;
    await until('writes are acknowledged', () => ledger.acknowledged > before + 200);
    refused.length = 0;
    await postgres.kill();
    await until('requests are refused', () => refused.length > CLIENTS * 3);
    assert.equal(await readiness(), 503);
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
    const query = await client.send('{ posts { nodes { id } } }', {}, 'writer-1');
    assert.deepEqual(
      query.errors.map((e) => e.extensions.code),
      ['SERVICE_UNAVAILABLE'],
    );
    await postgres.start();
    await until('the server is ready', async () => (await readiness()) === 200);
  }
  const before = ledger.acknowledged;
  await until('writes are acknowledged again', () => ledger.acknowledged > before + 200);
  load.stop();
  await load.ended;
  assert.deepEqual([...new Set(ledger.problems)], []);
  assert.equal(server.child.exitCode, null);
  const db = openDb(place);
  onEnd(t, () => db.close());
  assert.deepEqual(await findLosses(db.read, ledger), []);
  assert.deepEqual(await recount(db.read), []);
});

test('a server whose PostgreSQL is gone logs no password', async (t) => {
  const postgres = await startPostgres();
  onEnd(t, () => postgres.remove());
  const { dataDir } = await makeStorePlace(t, 'sqlite');
  const url = new URL(postgres.url);
  url.password = 'hunter2-secret';
  const { server, key } = await prepareBoard(t, { dataDir, databaseUrl: url.href }, 1);
  await postgres.kill();
  const client = makeClient(server.url, key);
  await until('a request is refused', async () => {
    const { errors } = await client.send('{ board { id } }', {}, null);
    return errors[0]?.extensions.code === 'SERVICE_UNAVAILABLE';
  });
  const { status, stdout, stderr } = await server.stop();
  assert.match(stderr, /The store is unavailable/);
  assert.doesNotMatch(stdout + stderr, /hunter2/);
  assert.equal(status, 0);
});
