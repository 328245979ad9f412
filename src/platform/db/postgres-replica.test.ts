import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { onEnd } from '../../../test/support/cleanup.ts';
import { type PostgresServer, startPostgres } from '../../../test/support/postgres.ts';
import { until } from '../../../test/support/until.ts';
import type { Db } from './db.ts';
import { openPostgres } from './postgres.ts';

/** A primary with a table of words, and a replica of it. */
async function startPair(t: TestContext): Promise<{ primary: PostgresServer; standby: PostgresServer }> {
  const primary = await startPostgres();
  onEnd(t, () => primary.remove());
  await primary.run('create table words (n serial primary key, word text)');
  const standby = await primary.addStandby('replica');
  onEnd(t, () => standby.remove());
  return { primary, standby };
}

function open(t: TestContext, url: string, readUrl: string): Db {
  const db = openPostgres({ url, readUrl, poolSize: 4 });
  onEnd(t, () => db.close());
  return db;
}

async function write(db: Db, word: string): Promise<void> {
  await db.transaction((tx) => sql`insert into words (word) values (${word})`.execute(tx));
}

/** The newest word, and whether the replica told it. */
async function readNewest(db: Db): Promise<{ word: string; replayed: boolean } | undefined> {
  const query = sql<{ word: string; replayed: boolean }>`
    select word, pg_is_in_recovery() as replayed from words order by n desc limit 1`;
  return (await query.execute(db.shared)).rows[0];
}

/** What is written from time to time moves the log on, so that a replica cannot stay behind its very end. */
async function untilReplayed(db: Db): Promise<void> {
  await until('reads run on the replica', async () => {
    await write(db, 'again');
    return (await readNewest(db))?.replayed ?? false;
  });
}

test('a read runs on the replica if that has all that was committed, also by other processes', async (t) => {
  const { primary, standby } = await startPair(t);
  const here = open(t, primary.url, standby.url);
  const there = open(t, primary.url, standby.url);
  await untilReplayed(here);
  assert.equal(here.replica()?.problem, null);
  for (let n = 0; n < 100; n++) {
    await write(n % 2 ? here : there, `word ${n}`);
    assert.equal((await readNewest(n % 3 ? here : there))?.word, `word ${n}`);
  }
  const { onReplica = 0, onPrimary = 0, lagBytes } = here.replica() ?? {};
  assert.ok(onReplica > 30 && lagBytes !== null, `${onReplica} on the replica, ${onPrimary} on the primary`);

  await standby.run('select pg_wal_replay_pause()');
  await write(there, 'not replayed');
  assert.deepEqual(await readNewest(here), { word: 'not replayed', replayed: false });
  assert.match(here.replica()?.problem ?? '', /^it is \d+ bytes behind$/);
  const begun = performance.now();
  for (let n = 0; n < 50; n++) assert.equal((await readNewest(here))?.word, 'not replayed');
  assert.ok(performance.now() - begun < 4_000, 'one read a second waits for it, for a tenth of a second');
  await standby.run('select pg_wal_replay_resume()');
  await untilReplayed(here);
});

test('while the replica is gone, the primary serves its reads, and one that fails on the way is repeated there', async (t) => {
  const { primary, standby } = await startPair(t);
  const db = open(t, primary.url, standby.url);
  await untilReplayed(db);
  const onItsWay = sql<{ n: number }>`select 1 as n from pg_sleep(1)`.execute(db.shared);
  await until('it runs there', async () => {
    const rows = await standby.run(
      "select 1 from pg_stat_activity where query like '%pg_sleep(1)' and state = 'active'",
    );
    return rows.length > 0;
  });
  await standby.kill();
  assert.deepEqual((await onItsWay).rows, [{ n: 1 }]);
  for (let n = 0; n < 10; n++) {
    await write(db, `word ${n}`);
    assert.deepEqual(await readNewest(db), { word: `word ${n}`, replayed: false });
  }
  assert.match(db.replica()?.problem ?? '', /./);
  await assert.rejects(sql`select nothing from nowhere`.execute(db.shared), /nowhere/);
  await standby.start();
  await untilReplayed(db);
  await assert.rejects(sql`select nothing from nowhere`.execute(db.shared), /nowhere/);
  assert.equal(db.replica()?.problem, null, 'a wrong statement is not the fault of the replica');
});

test('a server that is no replica, or one of a time before a failover, serves no reads', async (t) => {
  const { primary, standby } = await startPair(t);
  const other = await primary.addStandby('other');
  onEnd(t, () => other.remove());
  const db = open(t, primary.url, primary.url);
  await write(db, 'on the primary');
  assert.deepEqual(await readNewest(db), { word: 'on the primary', replayed: false });
  assert.equal((await db.checkReplica())?.problem, 'it is not a replica');

  const before = open(t, primary.url, standby.url);
  await untilReplayed(before);
  await until('both have it', async () => {
    const [a, b] = await Promise.all([standby, other].map((each) => each.run('select max(n) as n from words')));
    return JSON.stringify(a) === JSON.stringify(b);
  });
  await other.run('select pg_promote(true, 30)');
  await primary.run("insert into words (word) values ('lost in the failover')");
  const after = open(t, other.url, standby.url);
  await write(after, 'on the new primary');
  assert.deepEqual(await readNewest(after), { word: 'on the new primary', replayed: false });
  assert.equal(after.replica()?.problem, 'it is still on timeline 1, before a failover');
});

test('a replica that does not answer delays one read in five seconds, by a second', async (t) => {
  const primary = await startPostgres();
  onEnd(t, () => primary.remove());
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onEnd(t, () => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const db = open(t, primary.url, `postgres://earshot:hunter2@127.0.0.1:${port}/postgres`);
  const read = async () => (await sql<{ n: number }>`select 1 as n`.execute(db.shared)).rows;
  assert.deepEqual(await read(), [{ n: 1 }]);
  const begun = performance.now();
  for (let n = 0; n < 10; n++) assert.deepEqual(await read(), [{ n: 1 }]);
  assert.ok(performance.now() - begun < 5_000);
  assert.match(db.replica()?.problem ?? '', new RegExp(`^127.0.0.1:${port}: no answer`));
});
