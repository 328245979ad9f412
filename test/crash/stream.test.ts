import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { roundsOf } from '../support/rounds.ts';
import { engines, makeStorePlace, type StorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';
import { prepareBoard, withReader } from './board.ts';
import { makeClient } from './client.ts';
import { Follower, Subscriber } from './followers.ts';
import { Ledger } from './ledger.ts';
import { startLoad } from './load.ts';
import { makeRandom } from './random.ts';
import { startServer } from './server.ts';

const KILLS = roundsOf('STREAM_KILLS', { short: 2, long: 10 });
/** How often a follower is cut off between two kills. */
const CUTS = 5;
const CLIENTS = 4;
const LONGEST_LOAD_MS = 500;

for (const engine of engines) {
  test(`followers of streams and subscriptions miss and repeat nothing through ${KILLS} kills and ${KILLS * CUTS} cuts [${engine}]`, async (t) => {
    const place = await makeStorePlace(t, engine);
    const seed = Number(process.env.CRASH_SEED) || randomInt(2 ** 32);
    console.log(`${engine}: CRASH_SEED=${seed}`);
    const random = makeRandom(seed);
    const { server: first, key, statuses } = await prepareBoard(t, place, CLIENTS);
    const ledger = new Ledger();
    const steady = [new Follower(t, first.url, key), new Subscriber(t, first.url, key)];
    const cutOff = [new Follower(t, first.url, key), new Subscriber(t, first.url, key)];
    let server = first;
    for (let kill = 1; kill <= KILLS; kill++) {
      const before = ledger.acknowledged;
      const client = makeClient(server.url, key);
      const load = startLoad({ client, ledger, random, statuses, unexpected }, CLIENTS);
      await until('a write is acknowledged', () => ledger.acknowledged > before);
      for (let cut = 0; cut < CUTS; cut++) {
        await delay((random.next() * LONGEST_LOAD_MS) / CUTS);
        for (const follower of cutOff) follower.cut();
      }
      await server.kill();
      load.stop();
      await load.ended;
      server = await startServer(t, place, { port: Number(new URL(first.url).port) });
    }
    const log = await readLog(place);
    assert.ok(log.length >= ledger.acknowledged / 2, `${log.length} events`);
    for (const follower of [...steady, ...cutOff]) {
      await until('all events have come', () => follower.ids.length >= log.length);
      assert.deepEqual(follower.ids, log);
    }
    t.diagnostic(`${log.length} events, ${ledger.acknowledged} acknowledged writes`);
    assert.equal((await server.stop()).status, 0, 'a server with followers stops');
  });
}

/** A post may be deleted by one client while another writes on it; nothing else may be refused. */
function unexpected(code: string, message: string): string | null {
  return code === 'NOT_FOUND' ? null : `${code} ${message}`;
}

async function readLog(place: StorePlace): Promise<string[]> {
  const rows = await withReader(place, (reader) => reader.selectFrom('events').select('id').orderBy('seq').execute());
  return rows.map(({ id }) => id);
}
