import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { cursorAfter } from '../../src/feedback/event-log/cursor.ts';
import type { Engine, Reader } from '../../src/platform/db/db.ts';
import { prepareBoard, withReader } from '../crash/board.ts';
import { type Client, makeClient } from '../crash/client.ts';
import type { Mood } from '../crash/counting-receiver.ts';
import { addReceivers, findMisdeliveries, type Receivers, untilDelivered, WEBHOOK_ENV } from '../crash/deliveries.ts';
import { Follower, Subscriber } from '../crash/followers.ts';
import { findLosses, Ledger } from '../crash/ledger.ts';
import { startLoad } from '../crash/load.ts';
import { joinAsOwner } from '../crash/owner.ts';
import { makeRandom, type Random } from '../crash/random.ts';
import { askEarshot, type Server } from '../crash/server.ts';
import { onEnd } from '../support/cleanup.ts';
import { COLLECTING_ENV, type Memory, measureMemory } from '../support/memory.ts';
import { findFreePort } from '../support/postgres.ts';
import { roundsOf } from '../support/rounds.ts';
import { engines, makeStorePlace } from '../support/store.ts';
import { PATIENCE_MS, until } from '../support/until.ts';
import { compareExports, type Moved, moveInBulk } from './bulk.ts';
import { readsOf, visitsOf, visitsTo } from './requests.ts';
import { Traffic } from './traffic.ts';
import { describe, type Held, look } from './watching.ts';

/** How long everything goes on, in minutes; a sixth of that the server rests afterwards. */
const MINUTES = roundsOf('EVERYTHING_MINUTES', { short: 0.05, long: 1 });
/** Whether it goes on for longer than a connection without requests is kept. */
const IS_LONG = MINUTES >= 1;
/** Between two imports. */
const ROUND_MS = Math.min(MINUTES * 60_000, 300_000);
const POSTS = IS_LONG ? 2_000 : 200;
const IDEAS = IS_LONG ? 500 : 50;
const WRITERS = 3;
const STREAMS = 20;
/** Between two streams that are cut off and go on where they were. */
const CUT_MS = 3_000;
const MOODS: readonly Mood[] = ['healthy', 'healthy', 'moody', 'slow', 'failing'];
/** Between two changes of a writer. */
const PAUSE_OF_WRITER_MS = 1_000;
/** How long an attempt to deliver may be under way until it arrives. */
const UNDER_WAY_MS = 3_000;
/** Between two looks whether a server at rest is alive. */
const PAUSE_MS = 5_000;
/** What a server may have open more than before it was asked for anything: what leaks does so hundreds of times. */
const MORE = { descriptors: 20, resources: 20, timers: 60 };

for (const engine of engines) {
  test(`a server that does everything for ${MINUTES} minutes loses nothing and keeps nothing open [${engine}]`, async (t) => {
    const scene = await begin(t, engine);
    const { server } = scene.board;
    const say = async (when: string) =>
      console.log(`[${engine}] ${describe(when, await look(server), scene.traffic.take())}`);
    const before = { ...(await look(server)), ...(await measureMemory(server)) };
    const heard = await listen(scene);
    const ledger = await play(scene, heard, say);
    const log = await withReader(scene.place, (reader) => readLog(reader, heard.after));
    await until('all events have come', () => heard.followers.every(({ ids }) => ids.length >= log.length));
    for (const follower of heard.followers) follower.end();
    const failing = [...heard.receivers].filter(([, { mood }]) => mood === 'failing');
    await untilDelivered(
      scene.place,
      3 * PATIENCE_MS,
      failing.map(([id]) => id),
    );
    for (const begun = performance.now(); performance.now() - begun < MINUTES * 10_000; await delay(PAUSE_MS)) {
      await fetch(`${server.url}/healthz`);
    }
    await say('at rest');
    if (IS_LONG) await requireClosed(server, before);
    const posts = await compareExports(scene);
    const faults = await withReader(scene.place, (reader) => findFaults(reader, heard, ledger));
    assert.deepEqual([...scene.traffic.problems, ...ledger.problems, ...faults], []);
    for (const { ids } of heard.followers) assert.deepEqual(ids, log);
    console.log(`[${engine}] ${log.length} events, ${ledger.acknowledged} changes, ${posts} posts`);
    const { status, stderr } = await server.stop();
    // That a receiver fails is told, and nothing else is.
    const told = stderr.split('\n').filter((line) => line !== '' && !failing.some(([id]) => line.includes(id)));
    assert.deepEqual({ status, told }, { status: 0, told: [] });
    await askEarshot(scene.place, 'check');
  });
}

type Scene = Moved & { random: Random };

/** A server with a board of some size, and its owner. */
async function begin(t: TestContext, engine: Engine): Promise<Scene> {
  const seed = Number(process.env.CRASH_SEED) || randomInt(2 ** 32);
  console.log(`${engine}: CRASH_SEED=${seed}`);
  const place = await makeStorePlace(t, engine);
  const port = await findFreePort();
  const env = { BASE_URL: `http://127.0.0.1:${port}`, ...WEBHOOK_ENV, ...COLLECTING_ENV };
  const board = await prepareBoard(t, place, WRITERS, { port, env });
  await askEarshot(place, 'seed', '--posts', String(POSTS));
  const owner = await joinAsOwner(place, board.server.url);
  return { t, place, board, owner, traffic: new Traffic(), random: makeRandom(seed) };
}

/** Who is told of events, and the sequence number after which those begin. */
type Heard = { after: number; receivers: Receivers; followers: readonly (Follower | Subscriber)[] };

async function listen({ t, place, board: { server, key }, random }: Scene): Promise<Heard> {
  const receivers = await addReceivers(t, place, { count: MOODS.length, seed: random.next() * 2 ** 32 });
  for (const [n, receiver] of [...receivers.values()].entries()) receiver.mood = MOODS[n] ?? 'healthy';
  const after = await withReader(place, readLast);
  const followers = Array.from({ length: STREAMS }, (_, n) => {
    const Kind = n % 2 === 0 ? Follower : Subscriber;
    return new Kind(t, server.url, key, cursorAfter(after));
  });
  return { after, receivers, followers };
}

/** Asserts that what was opened has been closed, once connections without requests are. */
async function requireClosed(server: Server, before: Held & Memory): Promise<void> {
  const isClosed = async () => {
    const now = await look(server);
    return (
      now.descriptors <= before.descriptors + MORE.descriptors && now.resources <= before.resources + MORE.resources
    );
  };
  await until('what was opened is closed', isClosed, 3 * PATIENCE_MS);
  const { timers } = await measureMemory(server);
  assert.ok(timers <= before.timers + MORE.timers, `${before.timers} timers became ${timers}`);
}

/** Does everything at once until the time is over. @returns what was promised to those who wrote */
async function play(
  scene: Scene,
  { followers, receivers }: Heard,
  say: (when: string) => Promise<void>,
): Promise<Ledger> {
  const { t, board, owner, traffic, random } = scene;
  const { server, key, statuses } = board;
  const client = makeClient(server.url, key);
  const timed: Client = { send: (...args) => traffic.time('write', () => client.send(...args)) };
  const ledger = new Ledger();
  const load = startLoad({ client: timed, ledger, random, statuses, unexpected, pauseMs: PAUSE_OF_WRITER_MS }, WRITERS);
  for (const kind of [readsOf(client), visitsTo(server.url, owner.home), visitsOf(owner)]) traffic.start(kind);
  const cutting = setInterval(() => random.pick(followers)?.cut(), CUT_MS);
  const stop = async () => {
    clearInterval(cutting);
    load.stop();
    await Promise.all([load.ended, traffic.stop()]);
  };
  onEnd(t, stop);
  const begun = performance.now();
  for (let round = 0; performance.now() - begun < MINUTES * 60_000; round++) {
    const erased = await moveInBulk(scene, round, IDEAS);
    await delay(UNDER_WAY_MS);
    for (const receiver of receivers.values()) receiver.erased.push(erased);
    await delay(Math.max(0, begun + (round + 1) * ROUND_MS - performance.now()));
    await say(`after ${((performance.now() - begun) / 60_000).toFixed(1)} min and ${ledger.acknowledged} changes`);
  }
  await stop();
  return ledger;
}

/** A post may be deleted by one client while another writes on it; nothing else may be refused. */
function unexpected(code: string, message: string): string | null {
  return code === 'NOT_FOUND' ? null : `${code} ${message}`;
}

async function readLast(reader: Reader): Promise<number> {
  const { seq } = await reader
    .selectFrom('events')
    .select((e) => e.fn.max('seq').as('seq'))
    .executeTakeFirstOrThrow();
  return Number(seq);
}

async function readLog(reader: Reader, after: number): Promise<string[]> {
  const rows = await reader.selectFrom('events').select('id').where('seq', '>', after).orderBy('seq').execute();
  return rows.map(({ id }) => id);
}

/** What is not as it was promised: each event has been accepted once and in order, or waits for a receiver that fails. */
async function findFaults(reader: Reader, { after, receivers }: Heard, ledger: Ledger): Promise<string[]> {
  const faults = await findLosses(reader, ledger);
  for (const [id, receiver] of receivers) {
    const mayWait = receiver.mood === 'failing';
    faults.push(...(await findMisdeliveries(reader, id, receiver, { after, mayWait })));
    faults.push(...[...receiver.duplicates().keys()].map((event) => `${event} came again after it was accepted`));
  }
  return faults;
}
