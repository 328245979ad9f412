import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Reader } from '../../src/platform/db/db.ts';
import { roundsOf } from '../support/rounds.ts';
import { engines, makeStorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';
import { prepareBoard, withReader } from './board.ts';
import { makeClient } from './client.ts';
import { findLosses, Ledger } from './ledger.ts';
import { startLoad } from './load.ts';
import { makeRandom } from './random.ts';
import { recount, recountBoards } from './recount.ts';
import { startServer } from './server.ts';

const KILLS = roundsOf('CRASH_KILLS', { short: 3, long: 100 });
const CLIENTS = 64;
/** From the first acknowledged write after a start to the kill. */
const LOAD_MS = { least: 50, most: 400 };
/** Counting everything again takes as long as a few rounds of load, so most rounds count the boards only. */
const FULL_RECOUNT_EVERY = 10;

for (const engine of engines) {
  test(`nothing acknowledged is lost when the server is killed ${KILLS} times under load [${engine}]`, async (t) => {
    const seed = Number(process.env.CRASH_SEED) || randomInt(2 ** 32);
    console.log(`${engine}: CRASH_SEED=${seed}`);
    const place = await makeStorePlace(t, engine);
    const random = makeRandom(seed);
    const ledger = new Ledger();
    const { key, server: first, statuses } = await prepareBoard(t, place, CLIENTS);
    let server = first;
    for (let kill = 1; kill <= KILLS; kill++) {
      const client = makeClient(server.url, key);
      const before = ledger.acknowledged;
      const load = startLoad({ client, ledger, random, statuses, unexpected }, CLIENTS);
      await until('a write is acknowledged', () => ledger.acknowledged > before);
      await delay(LOAD_MS.least + random.next() * (LOAD_MS.most - LOAD_MS.least));
      await server.kill();
      await load.ended;
      server = await startServer(t, place);
      const count = kill % FULL_RECOUNT_EVERY === 0 ? recount : recountBoards;
      assert.deepEqual(await withReader(place, count), [], `after kill ${kill}`);
      assert.deepEqual(ledger.problems, [], `up to kill ${kill}`);
    }
    await server.kill();
    assert.deepEqual(await withReader(place, (reader) => findLosses(reader, ledger)), []);
    assert.deepEqual(await withReader(place, recount), []);
    console.log(`${engine}: ${ledger.acknowledged} writes were acknowledged`);
    if (engine === 'postgres') assert.equal(await withReader(place, countDeadlocks), 0, 'deadlocks');
  });
}

/** A post may be deleted by one client while another writes on it; nothing else may be refused. */
function unexpected(code: string, message: string): string | null {
  return code === 'NOT_FOUND' ? null : `${code} ${message}`;
}

async function countDeadlocks(reader: Reader): Promise<number> {
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(reader);
  return rows[0]?.deadlocks ?? 0;
}
