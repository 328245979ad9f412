import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { onEnd } from '../support/cleanup.ts';
import { startPostgres } from '../support/postgres.ts';
import { roundsOf } from '../support/rounds.ts';
import { makeStorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';
import { prepareBoard, withReader } from './board.ts';
import { makeClient } from './client.ts';
import { addReceivers, findMisdeliveries, untilDelivered, WEBHOOK_ENV } from './deliveries.ts';
import { findLosses, Ledger } from './ledger.ts';
import { startLoad } from './load.ts';
import { makeRandom } from './random.ts';
import { startServer } from './server.ts';

const CRASHES = roundsOf('CRASH_KILLS', { short: 1, long: 10 });
const CLIENTS = 8;
const LONGEST_LOAD_MS = 500;
/** The database comes back before leases run out, so the worker is still the one that sends. */
const LONGEST_OUTAGE_MS = 1_500;
/** Refused events wait for their first retry, and claims whose commit was never confirmed for the end of their lease. */
const DRAIN_LIMIT_MS = 60_000;

test(`every event arrives once and in order although PostgreSQL is killed ${CRASHES} times under load`, async (t) => {
  const seed = Number(process.env.CRASH_SEED) || randomInt(2 ** 32);
  console.log(`CRASH_SEED=${seed}`);
  const random = makeRandom(seed);
  const postgres = await startPostgres();
  onEnd(t, () => postgres.remove());
  const { dataDir } = await makeStorePlace(t, 'sqlite');
  const place = { dataDir, databaseUrl: postgres.url };
  const env = (role: string) => ({ env: { ...WEBHOOK_ENV, ROLE: role } });
  const { server, key, statuses } = await prepareBoard(t, place, CLIENTS, env('web'));
  const receivers = await addReceivers(t, place, { count: 1, seed });
  const worker = await startServer(t, place, env('worker'));
  const ledger = new Ledger();
  const unexpected = (code: string, message: string) =>
    code === 'NOT_FOUND' || code === 'SERVICE_UNAVAILABLE' ? null : `${code} ${message}`;
  const load = startLoad({ client: makeClient(server.url, key), ledger, random, statuses, unexpected }, CLIENTS);
  for (let crash = 1; crash <= CRASHES; crash++) {
    const before = ledger.acknowledged;
    await until('a write is acknowledged', () => ledger.acknowledged > before);
    await delay(random.next() * LONGEST_LOAD_MS);
    await postgres.kill();
    await delay(random.next() * LONGEST_OUTAGE_MS);
    await postgres.start();
  }
  load.stop();
  await load.ended;
  for (const receiver of receivers.values()) receiver.mood = 'healthy';
  await untilDelivered(place, DRAIN_LIMIT_MS);
  assert.deepEqual([server.child.exitCode, worker.child.exitCode], [null, null]);
  assert.deepEqual([...new Set(ledger.problems)], []);
  assert.deepEqual(await withReader(place, (reader) => findLosses(reader, ledger)), []);
  for (const [id, receiver] of receivers) {
    assert.deepEqual(await withReader(place, (reader) => findMisdeliveries(reader, id, receiver)), []);
    assert.deepEqual([...receiver.duplicates()], []);
    console.log(`${receiver.events.size} events, ${receiver.arrivals} arrivals`);
  }
  assert.deepEqual(findOtherQueues((await worker.stop()).stderr), []);
});

/** What a worker logs apart from the store being away. */
function findOtherQueues(log: string): string[] {
  return log
    .split('\n')
    .filter((line) => line !== '' && !/waiting for the store|wait for the store|StoreUnavailableError/.test(line));
}
