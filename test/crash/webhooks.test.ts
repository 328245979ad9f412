import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Engine, Reader } from '../../src/platform/db/db.ts';
import { HOUR_MS } from '../../src/platform/lib/clock.ts';
import { LEASE_MS } from '../../src/webhooks/delivery/claim.ts';
import { roundsOf } from '../support/rounds.ts';
import { engines, makeStorePlace, type StorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';
import { type PreparedBoard, prepareBoard, withReader } from './board.ts';
import { makeClient } from './client.ts';
import type { CountingReceiver } from './counting-receiver.ts';
import {
  addReceivers,
  findMisdeliveries,
  type Lease,
  passTime,
  type Receivers,
  readLeases,
  untilDelivered,
  WEBHOOK_ENV,
} from './deliveries.ts';
import { findLosses, Ledger } from './ledger.ts';
import { startLoad } from './load.ts';
import { makeRandom, type Random } from './random.ts';
import { type Server, startServer } from './server.ts';

const KILLS = roundsOf('CRASH_KILLS', { short: 2, long: 20 });
const CLIENTS = 8;
const WEBHOOKS = 2;
/** As many attempts as may be in flight to one webhook. */
const MOST_IN_FLIGHT = 8;
/** From the first acknowledged write of a round to the kill. */
const LONGEST_LOAD_MS = 500;
/** How often nothing runs for as long as a lease lasts after a kill; otherwise the next worker finds leases that last. */
const PAUSE_SHARE = 0.8;
const DRAIN_LIMIT_MS = 120_000;

for (const engine of engines) {
  test(`every event arrives in order although processes are killed ${KILLS} times under load [${engine}]`, async (t) => {
    const seed = Number(process.env.CRASH_SEED) || randomInt(2 ** 32);
    console.log(`${engine}: CRASH_SEED=${seed}`);
    const place = await makeStorePlace(t, engine);
    const board = await prepareBoard(t, place, CLIENTS, { env: environmentOf(engine, 'web') });
    const receivers = await addReceivers(t, place, { count: WEBHOOKS, seed });
    const worker = engine === 'sqlite' ? board.server : await start(t, place, engine, 'worker');
    const scene: Scene = { t, place, engine, board, random: makeRandom(seed), ledger: new Ledger() };
    const { lost, processes } = await killUnderLoad(scene, { web: board.server, worker });
    for (const receiver of receivers.values()) receiver.mood = 'healthy';
    const { status, signal } = await processes.worker.stop();
    assert.deepEqual({ status, signal }, { status: 0, signal: null });
    await passTime(place, HOUR_MS);
    const last = await start(t, place, engine, 'worker');
    await untilDelivered(place, DRAIN_LIMIT_MS);
    assert.equal((await last.stop()).stderr, '');
    await assertNothingLost(scene, receivers, lost);
  });
}

type Scene = {
  t: TestContext;
  place: StorePlace;
  engine: Engine;
  board: PreparedBoard;
  random: Random;
  ledger: Ledger;
};

/** The processes on a store: `web` takes writes, `worker` delivers; on SQLite they are one. */
type Processes = { web: Server; worker: Server };
type Role = keyof Processes;

/** Kills processes again and again; gives the attempts that were in flight when they died, and who lives at the end. */
async function killUnderLoad(scene: Scene, first: Processes): Promise<{ lost: Lease[]; processes: Processes }> {
  const { place, engine, random } = scene;
  const lost = new Map<string, Lease>();
  let processes = first;
  for (let kill = 1; kill <= KILLS; kill++) {
    const victims = chooseVictims(engine, random);
    await writeUntilKilled(scene, processes, victims);
    if (victims.includes('worker')) {
      for (const lease of await withReader(place, readLeases)) lost.set(Object.values(lease).join(), lease);
      if (random.next() < PAUSE_SHARE) await passTime(place, LEASE_MS);
    }
    processes = await restart(scene, processes, victims);
  }
  return { lost: [...lost.values()], processes };
}

/** Chance decides which of two processes is killed, or both. */
function chooseVictims(engine: Engine, random: Random): readonly Role[] {
  if (engine === 'sqlite') return ['web', 'worker'];
  return random.pick<Role[]>([['web'], ['worker'], ['web', 'worker']]) ?? [];
}

async function writeUntilKilled(scene: Scene, processes: Processes, victims: readonly Role[]): Promise<void> {
  const { board, ledger, random } = scene;
  const { key, statuses } = board;
  const before = ledger.acknowledged;
  const client = makeClient(processes.web.url, key);
  const load = startLoad({ client, ledger, random, statuses, unexpected }, CLIENTS);
  await until('a write is acknowledged', () => ledger.acknowledged > before);
  await delay(random.next() * LONGEST_LOAD_MS);
  await Promise.all(victims.map((role) => processes[role].kill()));
  load.stop();
  await load.ended;
}

/** A post may be deleted by one client while another writes on it; nothing else may be refused. */
function unexpected(code: string, message: string): string | null {
  return code === 'NOT_FOUND' ? null : `${code} ${message}`;
}

async function restart(scene: Scene, { web, worker }: Processes, victims: readonly Role[]): Promise<Processes> {
  const { t, place, engine } = scene;
  const again = (role: Role) => start(t, place, engine, role);
  if (engine === 'sqlite') {
    const server = await again('web');
    return { web: server, worker: server };
  }
  const [nextWeb, nextWorker] = await Promise.all([
    victims.includes('web') ? again('web') : web,
    victims.includes('worker') ? again('worker') : worker,
  ]);
  return { web: nextWeb, worker: nextWorker };
}

function start(t: TestContext, place: StorePlace, engine: Engine, role: Role): Promise<Server> {
  return startServer(t, place, { env: environmentOf(engine, role) });
}

function environmentOf(engine: Engine, role: Role): Record<string, string> {
  return { ...WEBHOOK_ENV, ROLE: engine === 'sqlite' ? 'all' : role };
}

async function assertNothingLost({ place, engine, ledger }: Scene, receivers: Receivers, lost: Lease[]): Promise<void> {
  assert.deepEqual(ledger.problems, []);
  assert.deepEqual(await withReader(place, (reader) => findLosses(reader, ledger)), []);
  for (const [id, receiver] of receivers) {
    assert.deepEqual(await withReader(place, (reader) => findMisdeliveries(reader, id, receiver)), []);
    const attempts = lost.filter(({ webhookId }) => webhookId === id);
    assert.ok(attempts.length <= MOST_IN_FLIGHT * KILLS);
    assert.deepEqual(await withReader(place, (reader) => findUnexplained(reader, receiver, attempts)), []);
    const { events, arrivals } = receiver;
    const repeated = receiver.duplicates().size;
    console.log(
      `${engine}: ${events.size} events, ${arrivals} arrivals; of ${attempts.length} attempts in flight ${repeated} came twice`,
    );
  }
}

/** An event may come again once for each attempt at it that was in progress when its process was killed. */
async function findUnexplained(
  reader: Reader,
  receiver: CountingReceiver,
  lost: readonly Lease[],
): Promise<readonly string[]> {
  const attempts = Map.groupBy(lost, ({ eventId }) => eventId);
  const repeated = [...receiver.duplicates()].filter(([id, count]) => count > (attempts.get(id)?.length ?? 0));
  const logged = await reader
    .selectFrom('attempts')
    .innerJoin('deliveries', 'deliveries.id', 'attempts.delivery_id')
    .select(['event_id', 'attempts.webhook_id', 'attempts.outcome', 'attempts.timings', 'attempts.date_created'])
    .where('event_id', 'in', ['', ...repeated.map(([id]) => id)])
    .execute();
  return repeated.map(
    ([id, count]) =>
      `${id} came ${count} times again, ${attempts.get(id)?.length ?? 0} attempts were lost: ` +
      JSON.stringify(logged.filter(({ event_id }) => event_id === id)),
  );
}
