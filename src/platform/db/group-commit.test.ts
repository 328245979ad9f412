import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import { onEnd } from '../../../test/support/cleanup.ts';
import { makeStorePlace } from '../../../test/support/store.ts';
import { StoreUnavailableError, type Tx } from './db.ts';
import { GroupCommit } from './group-commit.ts';
import { openSqlite } from './sqlite.ts';

async function openStore(t: TestContext, options: { groupLimit?: number } = {}) {
  const { dataDir } = await makeStorePlace(t, 'sqlite');
  const file = join(dataDir, 'earshot.db');
  const db = openSqlite({ file, ...options });
  const other = new DatabaseSync(file, { readOnly: true });
  onEnd(t, async () => {
    other.close();
    await db.close();
  });
  await db.transaction((tx) => sql`create table words (n integer primary key, word text not null)`.execute(tx));
  /** What another process sees. */
  const seen = () =>
    other
      .prepare('select word from words order by n')
      .all()
      .map((row) => row.word);
  return { db, seen };
}

async function add(tx: Tx, word: string): Promise<string> {
  await sql`insert into words (word) values (${word})`.execute(tx);
  return word;
}

test('a transaction that throws leaves nothing and does not disturb the others of its group', async (t) => {
  const { db, seen } = await openStore(t);
  const failure = new Error('no');
  const results = await Promise.allSettled([
    db.transaction((tx) => add(tx, 'a')),
    db.transaction(async (tx) => {
      await add(tx, 'b');
      throw failure;
    }),
    db.transaction(async (tx) => {
      await add(tx, 'c');
      await sql`insert into words (n, word) values (1, 'taken')`.execute(tx);
    }),
    db.transaction((tx) => add(tx, 'd')),
  ]);
  assert.deepEqual(
    results.map((result) => result.status),
    ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
  );
  assert.ok(results[1]?.status === 'rejected' && results[1].reason === failure);
  assert.deepEqual(seen(), ['a', 'd']);
});

for (const groupLimit of [1, 3, 256]) {
  test(`a result comes only after it is committed, in the order of the calls [groups of ${groupLimit}]`, async (t) => {
    const { db, seen } = await openStore(t, { groupLimit });
    const words = Array.from({ length: 20 }, (_, n) => `word ${n}`);
    const settled: string[] = [];
    await Promise.all(
      words.map(async (word) => {
        settled.push(await db.transaction((tx) => add(tx, word)));
        assert.ok(seen().includes(word), `${word} is answered and not committed`);
      }),
    );
    assert.deepEqual(settled, words);
    assert.deepEqual(seen(), words);
  });
}

test('a transaction of a group is not visible before the group is committed', async (t) => {
  const { db, seen } = await openStore(t);
  const first = db.transaction((tx) => add(tx, 'first'));
  const second = db.transaction(async (tx) => {
    assert.equal((await sql`select word from words`.execute(tx)).rows.length, 1);
    assert.deepEqual((await sql`select word from words`.execute(db.read)).rows, []);
    assert.deepEqual(seen(), []);
  });
  await Promise.all([first, second]);
  assert.deepEqual(seen(), ['first']);
});

test('a thousand transactions at once are all committed, whatever some of them await', async (t) => {
  const { db, seen } = await openStore(t);
  const words = Array.from({ length: 1_000 }, (_, n) => `word ${n}`);
  const work = (word: string, n: number) => async (tx: Tx) => {
    await add(tx, word);
    if (n % 50 === 0) await turn();
  };
  await Promise.all(words.map((word, n) => db.transaction(work(word, n))));
  assert.deepEqual(seen(), words);
});

test('transactions that start when others end are never left waiting', async (t) => {
  const { db, seen } = await openStore(t, { groupLimit: 2 });
  await Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      for (let i = 0; i < 25; i++) await db.transaction((tx) => add(tx, `${n} ${i}`));
    }),
  );
  assert.equal(seen().length, 200);
});

test('closing the store waits for the transactions that were begun', async (t) => {
  const { dataDir } = await makeStorePlace(t, 'sqlite');
  const file = join(dataDir, 'earshot.db');
  const db = openSqlite({ file });
  const created = db.transaction((tx) => sql`create table words (n integer primary key, word text)`.execute(tx));
  const added = db.transaction((tx) => add(tx, 'last'));
  await db.close();
  await Promise.all([created, added]);
  const other = new DatabaseSync(file);
  onEnd(t, () => other.close());
  assert.equal(other.prepare('select count(*) as n from words').get()?.n, 1);
});

test('a transaction that fills the disk fails all of its group with the same clear kind of error', async (t) => {
  const { db, seen } = await openStore(t);
  await db.transaction((tx) => sql`pragma max_page_count = 1`.execute(tx)); // as few pages as there are
  const results = await Promise.allSettled([
    db.transaction((tx) => add(tx, 'before')),
    db.transaction((tx) => add(tx, 'x'.repeat(20_000))),
    db.transaction((tx) => add(tx, 'after')),
  ]);
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  assert.ok(failures.length > 0);
  for (const failure of failures) assert.ok(failure instanceof StoreUnavailableError, String(failure));
  const acknowledged = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  assert.deepEqual(seen(), acknowledged);
});

test('a transaction that continues after its statement filled the disk writes nothing', async (t) => {
  const { db, seen } = await openStore(t);
  await db.transaction((tx) => sql`pragma max_page_count = 1`.execute(tx));
  const stubborn = db.transaction(async (tx) => {
    await add(tx, 'x'.repeat(20_000)).catch(() => {});
    await add(tx, 'stubborn');
  });
  await assert.rejects(stubborn, StoreUnavailableError);
  assert.deepEqual(seen(), []);
});

test('after a sync that failed nothing more is written or promised', async (t) => {
  const { dataDir } = await makeStorePlace(t, 'sqlite');
  const connection = new DatabaseSync(join(dataDir, 'earshot.db'));
  onEnd(t, () => connection.close());
  const walFd = 2 ** 31 - 1; // no file: fdatasync answers EBADF
  const explain = (error: unknown) => error;
  const commits = new GroupCommit({ connection, walFd, groupLimit: 1, lockTimeoutMs: 100, explain });
  const begun: string[] = [];
  const run = (name: string) => commits.run(async () => begun.push(name));
  const results = await Promise.allSettled([run('first'), run('second'), run('third')]);
  for (const result of results) {
    assert.ok(result.status === 'rejected' && result.reason instanceof StoreUnavailableError);
    assert.match(result.reason.message, /could not be synced to disk \(EBADF\); restart it$/);
  }
  await assert.rejects(run('later'), StoreUnavailableError);
  assert.deepEqual(begun, ['first']);
});

test('a lock that another process holds fails all waiting transactions, and the next call tries again', async (t) => {
  const { dataDir } = await makeStorePlace(t, 'sqlite');
  const file = join(dataDir, 'earshot.db');
  const db = openSqlite({ file, lockTimeoutMs: 100 });
  const other = new DatabaseSync(file);
  onEnd(t, async () => {
    other.close();
    await db.close();
  });
  other.exec('create table words (n integer primary key, word text not null); begin immediate');
  const waiting = await Promise.allSettled([1, 2, 3].map((n) => db.transaction((tx) => add(tx, `${n}`))));
  for (const result of waiting) {
    assert.ok(result.status === 'rejected' && result.reason instanceof StoreUnavailableError);
    assert.equal(result.reason.message, 'The store is locked by another process');
  }
  other.exec('commit');
  assert.equal(await db.transaction((tx) => add(tx, 'now')), 'now');
});
