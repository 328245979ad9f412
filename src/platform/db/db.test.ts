import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { onEnd } from '../../../test/support/cleanup.ts';
import { engines, makeStorePlace, openTestStore } from '../../../test/support/store.ts';
import { type Db, pipelined, type Reader, StoreUnavailableError, type Tx, withinTransaction } from './db.ts';
import { openPostgres } from './postgres.ts';
import { isOneOf, prepare } from './prepare.ts';

async function openWords(t: TestContext, engine: Db['engine']): Promise<Db> {
  const db = await openTestStore(t, engine);
  await db.transaction((tx) => sql`create table words (word text primary key, n bigint not null)`.execute(tx));
  return db;
}

async function add(tx: Tx, word: string, n = 0): Promise<void> {
  await sql`insert into words (word, n) values (${word}, ${n})`.execute(tx);
}

async function wordsOf(reader: Reader): Promise<string[]> {
  return (await sql<{ word: string }>`select word from words order by word`.execute(reader)).rows.map((r) => r.word);
}

for (const engine of engines) {
  test(`an error thrown in a transaction is rethrown unchanged and nothing remains [${engine}]`, async (t) => {
    const db = await openWords(t, engine);
    const failure = new Error('no');
    const failing = db.transaction(async (tx) => {
      await add(tx, 'a');
      throw failure;
    });
    await assert.rejects(failing, (error) => error === failure);
    assert.deepEqual(await wordsOf(db.read), []);
  });

  test(`three hundred transactions at once are all committed [${engine}]`, async (t) => {
    const db = await openWords(t, engine);
    const words = Array.from({ length: 300 }, (_, n) => `word ${String(n).padStart(4, '0')}`);
    await Promise.all(words.map((word) => db.transaction((tx) => add(tx, word))));
    assert.deepEqual(await wordsOf(db.read), words);
  });

  test(`memory is freed while a transaction is open and a long read runs [${engine}]`, async (t) => {
    const db = await openWords(t, engine);
    await db.transaction((tx) => add(tx, 'a'));
    const reading = wordsOf(db.slow);
    await db.transaction(async (tx) => {
      await add(tx, 'b');
      await db.freeMemory();
      assert.deepEqual(await wordsOf(tx), ['a', 'b']);
    });
    assert.equal((await reading)[0], 'a');
    await db.freeMemory();
    assert.deepEqual(await wordsOf(db.slow), ['a', 'b']);
    assert.deepEqual(await wordsOf(db.read), ['a', 'b']);
  });

  test(`when one of several pipelined parts fails, the others are awaited and rolled back [${engine}]`, async (t) => {
    const db = await openWords(t, engine);
    const failure = new Error('no');
    let isSlowOneDone = false;
    const slow = async (tx: Tx) => {
      for (const word of ['a', 'b', 'c', 'd']) await add(tx, word);
      isSlowOneDone = true;
    };
    const failing = db.transaction((tx) => pipelined([Promise.reject(failure), slow(tx)]));
    await assert.rejects(failing, (error) => error === failure);
    assert.equal(isSlowOneDone, true);
    assert.deepEqual(await wordsOf(db.read), []);
    const [first, second] = await db.transaction((tx) => pipelined([add(tx, 'e').then(() => 1), 2]));
    assert.deepEqual([first, second], [1, 2]);
    assert.deepEqual(await wordsOf(db.read), ['e']);
  });

  test(`a transaction within a transaction is rolled back alone, and with the outer one [${engine}]`, async (t) => {
    const db = await openWords(t, engine);
    const failure = new Error('no');
    await db.transaction(async (tx) => {
      const inner = withinTransaction(db, tx);
      await add(tx, 'outer');
      await inner.transaction((deep) => add(deep, 'kept'));
      const failing = inner.transaction(async (deep) => {
        await add(deep, 'undone');
        await withinTransaction(db, deep).transaction((deepest) => add(deepest, 'undone as well'));
        throw failure;
      });
      await assert.rejects(failing, (error) => error === failure);
      await assert.rejects(
        inner.transaction((deep) => add(deep, 'outer')),
        /unique|duplicate/i,
      );
      assert.deepEqual(await wordsOf(inner.read), ['kept', 'outer']);
      await inner.transaction((deep) => add(deep, 'last'));
    });
    assert.deepEqual(await wordsOf(db.read), ['kept', 'last', 'outer']);
    const undone = db.transaction(async (tx) => {
      await withinTransaction(db, tx).transaction((deep) => add(deep, 'gone'));
      throw failure;
    });
    await assert.rejects(undone, (error) => error === failure);
    assert.deepEqual(await wordsOf(db.read), ['kept', 'last', 'outer']);
  });

  test(`isOneOf finds none of no values, the one of one, and all of a thousand [${engine}]`, async (t) => {
    const db = await openWords(t, engine);
    const words = Array.from({ length: 1_000 }, (_, n) => `word "${n}" ,{}'`);
    await db.transaction(async (tx) => {
      for (const word of words) await add(tx, word);
      await add(tx, 'another');
    });
    const count = async (values: string[]) => {
      const query = sql<{ n: number }>`select count(*) as n from words where ${isOneOf(db.read, 'word', values)}`;
      return (await query.execute(db.read)).rows[0]?.n;
    };
    assert.deepEqual([await count([]), await count(['another']), await count(['', 'none'])], [0, 1, 0]);
    assert.equal(await count(words), 1_000);
  });

  test(`a prepared query binds the values of each call, inside and outside transactions [${engine}]`, async (t) => {
    const db = await openWords(t, engine);
    type Values = { words: readonly string[]; least: number };
    const find = prepare<Values, { word: string; n: number }>((reader, param) => ({
      compile: () =>
        sql<{ word: string; n: number }>`
          select word, n from words
          where ${isOneOf(reader, 'word', param('words'))} and n >= ${param('least')} order by n`.compile(reader),
    }));
    await db.transaction(async (tx) => {
      for (const [n, word] of ['a', 'b', 'c'].entries()) await add(tx, word, n * 2 ** 40);
      const found = await find(tx, { words: ['a', 'b'], least: 0 });
      assert.deepEqual(
        found.map(({ word, n }) => [word, n]),
        [
          ['a', 0],
          ['b', 2 ** 40],
        ],
      );
      assert.deepEqual(await find(db.read, { words: ['a', 'b'], least: 0 }), []);
    });
    for (const [least, expected] of [
      [1, ['b', 'c']],
      [2 ** 40 + 1, ['c']],
      [2 ** 42, []],
    ] as const) {
      const found = await find(db.read, { words: ['a', 'b', 'c'], least });
      assert.deepEqual(
        found.map(({ word }) => word),
        expected,
      );
    }
  });
}

test('two transactions on PostgreSQL that wait for each other are both carried out in the end', async (t) => {
  const db = await openWords(t, 'postgres');
  await db.transaction(async (tx) => {
    await add(tx, 'a');
    await add(tx, 'b');
  });
  const ready = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() };
  let attempts = 0;
  const visit = (first: 'a' | 'b', second: 'a' | 'b') =>
    db.transaction(async (tx) => {
      attempts++;
      await sql`update words set n = n + 1 where word = ${first}`.execute(tx);
      ready[first].resolve();
      await ready[second].promise;
      await sql`update words set n = n + 1 where word = ${second}`.execute(tx);
    });
  await Promise.all([visit('a', 'b'), visit('b', 'a')]);
  const { rows } = await sql<{ n: number }>`select n from words`.execute(db.read);
  assert.deepEqual(
    rows.map((row) => row.n),
    [2, 2],
  );
  assert.equal(attempts, 3);
});

test('a transaction on PostgreSQL whose snapshot is too old is run again, four times at most', async (t) => {
  const db = await openWords(t, 'postgres');
  await db.transaction((tx) => add(tx, 'a'));
  let attempts = 0;
  const bump = (conflicts: number) =>
    db.transaction(async (tx) => {
      await sql`set transaction isolation level repeatable read`.execute(tx);
      await sql`select n from words`.execute(tx);
      if (++attempts <= conflicts) await db.transaction((other) => sql`update words set n = n + 1`.execute(other));
      await sql`update words set n = n + 100`.execute(tx);
    });
  await bump(2);
  const { rows } = await sql<{ n: number }>`select n from words`.execute(db.read);
  assert.deepEqual([attempts, rows[0]?.n], [3, 102]);
  attempts = 0;
  await assert.rejects(bump(99), StoreUnavailableError);
  assert.equal(attempts, 4);
});

test('a connection to PostgreSQL that broke fails its transaction clearly and is not used again', async (t) => {
  const { databaseUrl } = await makeStorePlace(t, 'postgres');
  const db = openPostgres({ url: databaseUrl ?? '', poolSize: 1 });
  const other = openPostgres({ url: databaseUrl ?? '', poolSize: 1 });
  onEnd(t, () => Promise.all([db.close(), other.close()]));
  const pidOf = async (reader: Reader) =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(reader)).rows[0]?.pid;
  let broken: number | undefined;
  const breaking = db.transaction(async (tx) => {
    broken = await pidOf(tx);
    await sql`select pg_terminate_backend(${broken})`.execute(other.read);
    await pidOf(tx);
  });
  await assert.rejects(breaking, StoreUnavailableError);
  const next = await db.transaction(pidOf);
  assert.notEqual(next, broken);
  await sql`select pg_terminate_backend(${next})`.execute(other.read);
  await assert.doesNotReject(async () => {
    for (let again = true; again; ) {
      again = await pidOf(db.read).then(
        (pid) => pid === next,
        (error) => error instanceof StoreUnavailableError,
      );
    }
  });
});

test('a statement on PostgreSQL that exceeds its time limit is ended, and reported as a failure of the store', async (t) => {
  const { databaseUrl } = await makeStorePlace(t, 'postgres');
  const db = openPostgres({ url: databaseUrl ?? '', poolSize: 1, statementLimitMs: 200 });
  onEnd(t, () => db.close());
  const tooLong = (error: unknown) => error instanceof StoreUnavailableError && /took too long/.test(error.message);
  await assert.rejects(sql`select pg_sleep(30)`.execute(db.read), tooLong);
  await assert.rejects(
    db.transaction((tx) => sql`select pg_sleep(30)`.execute(tx)),
    tooLong,
  );
  await sql`select pg_sleep(0.05)`.execute(db.read);
});

test('a PostgreSQL host that falls silent does not hold up requests for ever, and is tried again', async (t) => {
  const { databaseUrl } = await makeStorePlace(t, 'postgres');
  const host = await startSilentHost(t, new URL(databaseUrl ?? ''));
  const db = openPostgres({ url: host.url, poolSize: 2, statementLimitMs: 200 });
  onEnd(t, () => db.close());
  await Promise.all([1, 2].map(() => sql`select 1`.execute(db.read)));
  host.setSilent(true);
  const reading = sql`select 1`.execute(db.read);
  const writing = db.transaction((tx) => sql`select 1`.execute(tx));
  for (const outcome of await Promise.allSettled([reading, writing])) {
    assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailableError, outcome.status);
  }
  host.setSilent(false);
  await db.transaction((tx) => sql`select 1`.execute(tx));
});

/** Stands before a PostgreSQL server: while it is silent, it takes everything and answers nothing, as after a power cut. */
async function startSilentHost(t: TestContext, server: URL): Promise<{ url: string; setSilent(is: boolean): void }> {
  let isSilent = false;
  const proxy = createServer((client) => {
    const upstream = connect(Number(server.port), server.hostname);
    const close = () => {
      client.destroy();
      upstream.destroy();
    };
    client.on('data', (bytes) => isSilent || upstream.write(bytes)).on('close', close);
    upstream.on('data', (bytes) => isSilent || client.write(bytes)).on('close', close);
    for (const socket of [client, upstream]) socket.on('error', close);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onEnd(t, () => proxy.close());
  const url = new URL(server);
  url.port = String((proxy.address() as AddressInfo).port);
  return {
    url: url.href,
    setSilent(is) {
      isSilent = is;
    },
  };
}

test('a backup made while transactions are written ends, is whole and opens', { timeout: 90_000 }, async (t) => {
  const db = await openWords(t, 'sqlite');
  await db.transaction(async (tx) => {
    for (let n = 0; n < 10_000; n++) await add(tx, `${n} ${'word '.repeat(500)}`);
  });
  const { dataDir } = await makeStorePlace(t, 'sqlite');
  const file = join(dataDir, 'backup.db');
  let isDone = false;
  const writing = (async () => {
    for (let n = 0; !isDone; n++) {
      await db.transaction(async (tx) => {
        await add(tx, `a ${n}`);
        await add(tx, `b ${n}`);
      });
    }
  })();
  const before = (await wordsOf(db.read)).length;
  await db.backup(file);
  isDone = true;
  await writing;
  const copy = new DatabaseSync(file);
  onEnd(t, () => copy.close());
  assert.equal(copy.prepare('pragma integrity_check').get()?.integrity_check, 'ok');
  const count = Number(copy.prepare('select count(*) as n from words').get()?.n);
  assert.ok(count >= before && count % 2 === 0, `${count} words`);
});

test('a backup of PostgreSQL is refused with the name of the tool for it', async (t) => {
  const db = await openTestStore(t, 'postgres');
  await assert.rejects(db.backup('backup.db'), /pg_dump/);
});
