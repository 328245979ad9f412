import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { onEnd } from '../../../test/support/cleanup.ts';
import { makeStorePlace } from '../../../test/support/store.ts';
import { until } from '../../../test/support/until.ts';
import type { Db, Reader } from './db.ts';
import { openPostgres } from './postgres.ts';

/** A store with one connection and a table whose rows must be one another's at the commit. */
async function openLinks(t: TestContext): Promise<Db> {
  const { databaseUrl } = await makeStorePlace(t, 'postgres');
  const db = openPostgres({ url: databaseUrl ?? '', poolSize: 1 });
  onEnd(t, () => db.close());
  await sql`create table links (id bigint primary key, other bigint references links deferrable initially deferred)`.execute(
    db.read,
  );
  return db;
}

async function flag<R>(db: Db, query: ReturnType<typeof sql<R>>): Promise<R | undefined> {
  return (await query.execute(db.read)).rows[0];
}

test('a transaction that commits early is on disk when its caller is answered', async (t) => {
  const db = await openLinks(t);
  for (let id = 0; id < 20; id++) {
    const end = await db.transaction(async (tx) => {
      tx.commitEarly({ log: 'links', position: id });
      await sql`insert into links (id) values (${id})`.execute(tx);
      const { rows } = await sql<{ lsn: string }>`select pg_current_wal_insert_lsn()::text as lsn`.execute(tx);
      return rows[0]?.lsn;
    });
    const synced = await flag(db, sql<{ is: boolean }>`select pg_current_wal_flush_lsn() > ${end}::pg_lsn as is`);
    assert.equal(synced?.is, true);
  }
  const setting = await flag(db, sql<{ synchronous_commit: string }>`show synchronous_commit`);
  assert.equal(setting?.synchronous_commit, 'on');
});

test('an early commit that fails throws, and nothing of it remains', async (t) => {
  const db = await openLinks(t);
  const failing = db.transaction(async (tx) => {
    tx.commitEarly({ log: 'links', position: 1 });
    await sql`insert into links (id, other) values (1, 2)`.execute(tx);
  });
  await assert.rejects(failing, /foreign key/);
  await db.transaction(async (tx) => {
    await sql`insert into links (id) values (3)`.execute(tx);
  });
  const count = await flag(db, sql<{ n: number }>`select count(*) as n from links`);
  assert.equal(count?.n, 1);
});

test('a transaction that continues after a failed statement is rolled back, and its caller gets an error', async (t) => {
  const db = await openLinks(t);
  const work = db.transaction(async (tx) => {
    await sql`insert into links (id) values (1)`.execute(tx);
    await sql`insert into links (id) values (1)`.execute(tx).catch(() => {});
  });
  await assert.rejects(work, /failed unseen/);
  const count = await flag(db, sql<{ n: number }>`select count(*) as n from links`);
  assert.equal(count?.n, 0);
});

test('PostgreSQL learns within seconds that a table has grown', async (t) => {
  const db = await openLinks(t);
  const believed = async () =>
    (await flag(db, sql<{ rows: number }>`select reltuples as rows from pg_class where relname = 'links'`))?.rows ?? 0;
  await db.analyzeGrown();
  assert.equal(await believed(), -1);
  await sql`insert into links (id) select n from generate_series(1, 500) as n`.execute(db.read);
  // What is told to the statistics gets there within a second.
  await until('the table is counted', async () => {
    await db.analyzeGrown();
    return (await believed()) >= 0;
  });
  assert.equal(await believed(), 500);
});

test('a change of the schema by another process fails neither reads nor transactions', async (t) => {
  const { databaseUrl } = await makeStorePlace(t, 'postgres');
  const [db, other] = [1, 2].map(() => openPostgres({ url: databaseUrl ?? '', poolSize: 3 })) as [Db, Db];
  onEnd(t, async () => {
    await db.close();
    await other.close();
  });
  await sql`create table things (id bigint primary key)`.execute(db.read);
  const list = (reader: Reader) => reader.run<Record<string, unknown>>('select * from things order by id', []);
  const add = (id: number) =>
    db.transaction(async (tx) => {
      await tx.run('insert into things (id) values ($1)', [id]);
      return (await list(tx)).length;
    });
  await add(0);
  // Each of the three connections has prepared them.
  await Promise.all(Array.from({ length: 30 }, () => list(db.read)));
  await Promise.all(Array.from({ length: 3 }, (_, n) => add(n + 1)));
  for (let round = 0; round < 3; round++) {
    await sql.raw(`alter table things add column c${round} text`).execute(other.read);
    const reads = await Promise.all(Array.from({ length: 30 }, () => list(db.read)));
    assert.deepEqual([...new Set(reads.map((rows) => rows.length))], [4 + 3 * round]);
    await sql.raw(`alter table things add column d${round} text`).execute(other.read);
    await Promise.all([10, 20, 30].map((id) => add(id + round)));
  }
  assert.equal((await list(db.read)).length, 13);
});
