import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { dumpStore } from '../support/dump.ts';
import { roundsOf } from '../support/rounds.ts';
import { makeStorePlace, type StorePlace, TEST_SECRET_KEY } from '../support/store.ts';
import { until } from '../support/until.ts';
import { withReader } from './board.ts';
import { askEarshot, runEarshot } from './server.ts';

const KILLS = roundsOf('COPY_KILLS', { short: 2, long: 20 });

test(`a copy that is killed ${KILLS} times is complete in the end, with nothing twice [postgres]`, async (t) => {
  const source = await makeStorePlace(t, 'sqlite');
  await askEarshot(source, 'board', 'create', '--name', 'Acme');
  await askEarshot(source, 'seed', '--posts', String(KILLS * 500));
  const { databaseUrl } = await makeStorePlace(t, 'postgres');
  const there: StorePlace = { databaseUrl, dataDir: source.dataDir };
  const back: StorePlace = { databaseUrl: null, dataDir: join(source.dataDir, 'back') };
  const killed = [
    await copyWithKills(source, databaseUrl ?? '', there),
    await copyWithKills(there, back.dataDir, back),
  ];
  assert.ok(
    killed.every((kills) => kills > 0),
    `${killed} kills while rows were copied`,
  );
  const rows = await dumpStore(source);
  assert.deepEqual(await dumpStore(there), rows);
  assert.deepEqual(await dumpStore(back), rows);
});

/** Kills a copy at random moments while it adds rows, and lets the last one finish. @returns how often it was killed */
async function copyWithKills(from: StorePlace, to: string, target: StorePlace): Promise<number> {
  for (let kills = 0; ; kills++) {
    const before = await countCopied(target);
    const { child, ended } = runEarshot(from, ['copy', '--to', to], { env: KEY });
    const finished = ended.then((end) => end);
    if (kills < KILLS && (await Promise.race([finished, hasGrown(target, before)])) === true) {
      await delay(Math.random() * 50);
      child.kill('SIGKILL');
    }
    const { status, signal, stderr } = await ended;
    assert.ok(signal === 'SIGKILL' || status === 0, stderr);
    if (signal === null) return kills;
  }
}

const KEY = { SECRET_KEY: TEST_SECRET_KEY };

/** Resolves once more rows are in the target. */
async function hasGrown(target: StorePlace, before: number): Promise<true> {
  await until('rows are copied', async () => (await countCopied(target)) > before);
  return true;
}

/** How many rows an unfinished copy has; 0 before it begins. */
function countCopied(target: StorePlace): Promise<number> {
  const count = sql<{ rows: number }>`select coalesce(sum(row_count), 0) as rows from copy_progress`;
  return withReader(target, async (reader) => Number((await count.execute(reader)).rows[0]?.rows)).catch(() => 0);
}
