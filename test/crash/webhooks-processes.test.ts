import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { SECOND_MS } from '../../src/platform/lib/clock.ts';
import { roundsOf } from '../support/rounds.ts';
import { engines, makeStorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';
import { prepareBoard, withReader } from './board.ts';
import { CREATE_POST, makeClient } from './client.ts';
import { addReceivers, findMisdeliveries, readLeases, untilDelivered, WEBHOOK_ENV } from './deliveries.ts';
import { findLosses, Ledger } from './ledger.ts';
import { startLoad } from './load.ts';
import { makeRandom } from './random.ts';
import { startServer } from './server.ts';

const LOAD_MS = roundsOf('CRASH_SECONDS', { short: 2, long: 30 }) * SECOND_MS;
const CLIENTS_PER_WEB = 2;
const WEBHOOKS = 2;
const RESTARTS = 4;
const MOST_IN_FLIGHT = 8;
const DRAIN_LIMIT_MS = 60_000 + LOAD_MS;

const env = (role: string) => ({ env: { ...WEBHOOK_ENV, ROLE: role } });
const unexpected = (code: string, message: string) => (code === 'NOT_FOUND' ? null : `${code} ${message}`);

test(`two workers and three web processes deliver everything once, ${LOAD_MS / SECOND_MS} s of load`, async (t) => {
  const seed = Number(process.env.CRASH_SEED) || randomInt(2 ** 32);
  const place = await makeStorePlace(t, 'postgres');
  const clients = CLIENTS_PER_WEB * 3;
  const { server, key, statuses } = await prepareBoard(t, place, clients, env('web'));
  const receivers = await addReceivers(t, place, { count: WEBHOOKS, seed });
  const start = (roles: readonly string[]) => Promise.all(roles.map((role) => startServer(t, place, env(role))));
  const webs = [server, ...(await start(['web', 'web']))];
  const ledger = new Ledger();
  const random = makeRandom(seed);
  const loads = webs.map(({ url }) =>
    startLoad({ client: makeClient(url, key), ledger, random, statuses, unexpected }, CLIENTS_PER_WEB),
  );
  // The workers find a backlog, so that both have all they may do at once.
  await delay(LOAD_MS / 4);
  const workers = await start(['worker', 'worker']);
  await delay((LOAD_MS * 3) / 4);
  for (const load of loads) load.stop();
  await Promise.all(loads.map((load) => load.ended));
  for (const receiver of receivers.values()) receiver.mood = 'healthy';
  await untilDelivered(place, DRAIN_LIMIT_MS);
  assert.deepEqual(ledger.problems, []);
  assert.deepEqual(await withReader(place, (reader) => findLosses(reader, ledger)), []);
  for (const [id, receiver] of receivers) {
    assert.deepEqual(await withReader(place, (reader) => findMisdeliveries(reader, id, receiver)), []);
    assert.deepEqual([...receiver.duplicates()], []);
    const { events, arrivals, mostInFlight } = receiver;
    assert.ok(mostInFlight <= MOST_IN_FLIGHT, `${mostInFlight} attempts in flight`);
    console.log(`${events.size} events, ${arrivals} arrivals, at most ${mostInFlight} in flight`);
  }
  for (const worker of workers) assert.equal((await worker.stop()).stderr, '');
});

test('workers that are asked to stop under load leave no lease and send nothing twice', async (t) => {
  const seed = Number(process.env.CRASH_SEED) || randomInt(2 ** 32);
  const place = await makeStorePlace(t, 'postgres');
  const { server, key, statuses } = await prepareBoard(t, place, CLIENTS_PER_WEB, env('web'));
  const receivers = await addReceivers(t, place, { count: 1, seed });
  const ledger = new Ledger();
  const random = makeRandom(seed);
  const client = makeClient(server.url, key);
  const load = startLoad({ client, ledger, random, statuses, unexpected }, CLIENTS_PER_WEB);
  for (let restart = 1; restart <= RESTARTS; restart++) {
    const worker = await startServer(t, place, env('worker'));
    const [receiver] = receivers.values();
    const before = receiver?.arrivals ?? 0;
    await until('events arrive', () => (receiver?.arrivals ?? 0) > before);
    await delay(random.next() * 200);
    const { status, stderr } = await worker.stop();
    assert.deepEqual([status, stderr], [0, '']);
    assert.deepEqual(await withReader(place, readLeases), []);
  }
  load.stop();
  await load.ended;
  for (const receiver of receivers.values()) receiver.mood = 'healthy';
  await startServer(t, place, env('worker'));
  await untilDelivered(place, DRAIN_LIMIT_MS);
  for (const [id, receiver] of receivers) {
    assert.deepEqual(await withReader(place, (reader) => findMisdeliveries(reader, id, receiver)), []);
    assert.deepEqual([...receiver.duplicates()], []);
  }
});

for (const engine of engines) {
  test(`what a killed process was sending is sent again before its leases end [${engine}]`, async (t) => {
    const place = await makeStorePlace(t, engine);
    const isAlone = engine === 'sqlite';
    const { server, key } = await prepareBoard(t, place, 1, env(isAlone ? 'all' : 'web'));
    const receivers = await addReceivers(t, place, { count: 1, seed: 1 });
    const [[id, receiver] = []] = receivers;
    assert.ok(id && receiver);
    receiver.mood = 'silent';
    const sender = isAlone ? server : await startServer(t, place, env('worker'));
    const isMarked = ({ token }: { token: string }) => /^[\da-f]{8}\./.test(token);
    await withReader(place, async (reader) => {
      await until('an attempt carries the mark of its process', async () => {
        await makeClient(server.url, key).send(CREATE_POST, { title: 'Dark mode', text: null }, 'writer-0');
        return (await readLeases(reader)).some(isMarked);
      });
    });
    const next = { ...WEBHOOK_ENV, ROLE: isAlone ? 'all' : 'worker', LOG_LEVEL: 'info' };
    const start = () => startServer(t, place, { env: next });
    const successor = isAlone ? null : await start();
    receiver.mood = 'healthy';
    await sender.kill();
    const { written } = successor ?? (await start());
    await until('it is taken over', () =>
      written.stderr.includes('Took over what a process that has ended was sending'),
    );
    await untilDelivered(place, DRAIN_LIMIT_MS);
    assert.deepEqual(await withReader(place, (reader) => findMisdeliveries(reader, id, receiver)), []);
  });
}
