import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { follow } from '../../../test/crash/server.ts';
import { onEnd } from '../../../test/support/cleanup.ts';
import { openTestStore } from '../../../test/support/store.ts';
import { until } from '../../../test/support/until.ts';
import { type Db, StoreUnavailableError } from './db.ts';
import { openSqlite } from './sqlite.ts';

/** A statement that counts for about as many milliseconds as ten thousands on a usual machine. */
const count = (to: number) =>
  sql<{
    n: number;
  }>`with recursive c(n) as (select 1 union all select n + 1 from c where n < ${to}) select max(n) as n from c`;
const LONG = 4_000_000;
const ENDLESS = 1e9;

function open(t: TestContext, slowLimitMs: number): Db {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-slow-'));
  const db = openSqlite({ file: join(folder, 'earshot.db'), slowLimitMs });
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= db.close();
    return closed;
  };
  onEnd(t, async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { ...db, close };
}

test('the event loop is not blocked while a slow statement runs', async (t) => {
  const db = await openTestStore(t, 'sqlite');
  await count(1).execute(db.slow);
  const lag = monitorEventLoopDelay({ resolution: 1 });
  lag.enable();
  const start = performance.now();
  let turns = 0;
  const turning = setInterval(() => turns++, 1);
  const [row] = (await count(LONG).execute(db.slow)).rows;
  const elapsed = performance.now() - start;
  clearInterval(turning);
  lag.disable();
  assert.equal(row?.n, LONG);
  assert.ok(elapsed > 100, `the statement was slow: ${elapsed} ms`);
  assert.ok(turns > elapsed / 50, `${turns} turns in ${elapsed} ms`);
  assert.ok(lag.percentile(90) / 1e6 < elapsed / 4, `the loop waited ${lag.percentile(90) / 1e6} ms`);
});

test('slow reads see what is committed, report errors of the statement, and continue after them', async (t) => {
  const db = await openTestStore(t, 'sqlite');
  await db.transaction((tx) => tx.insertInto('migrations').values({ name: 'x', date_applied: 7 }).execute());
  const read = () => db.slow.selectFrom('migrations').selectAll().where('name', '=', 'x').execute();
  assert.deepEqual(await read(), [{ name: 'x', date_applied: 7, checksum: null }]);
  await assert.rejects(sql`select x from nowhere`.execute(db.slow), /no such table/);
  await assert.rejects(sql`delete from migrations`.execute(db.slow), StoreUnavailableError);
  const many = await Promise.all(
    Array.from({ length: 20 }, (_, n) => sql<{ n: number }>`select ${n} as n`.execute(db.slow)),
  );
  assert.deepEqual(
    many.map(({ rows }) => rows[0]?.n),
    Array.from({ length: 20 }, (_, n) => n),
  );
});

test('a statement that takes too long fails alone', async (t) => {
  const db = open(t, 150);
  await count(1).execute(db.slow);
  const counting = performance.now();
  await count(1_000_000).execute((await openTestStore(t, 'sqlite')).slow);
  const whole = 20 * (performance.now() - counting);
  const endless = count(20_000_000).execute(db.slow);
  const next = sql<{ n: number }>`select 1 as n`.execute(db.slow);
  const start = performance.now();
  await assert.rejects(endless, /took longer than 0.15 s/);
  assert.ok(performance.now() - start < whole / 2, 'its end is not waited for');
  assert.deepEqual((await next).rows, [{ n: 1 }]);
});

test('closing refuses what waits and ends the thread', async (t) => {
  const db = open(t, 10_000);
  const running = assert.rejects(count(10_000_000).execute(db.slow), StoreUnavailableError);
  const waiting = assert.rejects(count(ENDLESS).execute(db.slow), StoreUnavailableError);
  await delay(50);
  await db.close();
  await Promise.all([running, waiting]);
  await assert.rejects(sql`select 1`.execute(db.slow), /being closed/);
});

test('at most 500 reads wait, and one more is refused', async (t) => {
  const db = open(t, 10_000);
  const read = async () => db.slow.run('select 1 as n', []);
  const all = Array.from({ length: 501 }, read);
  await assert.rejects(read(), /Too many/);
  assert.equal((await Promise.all(all)).length, 501);
});

test('while files are watched, as in development, Node’s own messages are not taken for results', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-slow-'));
  const program = fileURLToPath(new URL('../../../test/support/read-slowly.ts', import.meta.url));
  const args = [`--watch-path=${import.meta.dirname}`, program, join(folder, 'earshot.db')];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const { written, ended } = follow(child);
  onEnd(t, async () => {
    child.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  await until('it has read', () => /Completed running|Failed running/.test(written.stdout + written.stderr));
  assert.match(written.stdout, /answer 1\nanswer 2\nanswer 3\n/);
});
