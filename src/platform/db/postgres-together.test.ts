import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { onEnd } from '../../../test/support/cleanup.ts';
import { startPostgres } from '../../../test/support/postgres.ts';
import { makeStorePlace } from '../../../test/support/store.ts';
import { until } from '../../../test/support/until.ts';
import { type Db, StoreUnavailableError } from './db.ts';
import { openPostgres } from './postgres.ts';

const READS = 40;

async function open(t: TestContext): Promise<Db> {
  const { databaseUrl } = await makeStorePlace(t, 'postgres');
  const db = openPostgres({ url: databaseUrl ?? '', poolSize: 10 });
  onEnd(t, () => db.close());
  await getQuick(() => readNumber(db, 0));
  return db;
}

/** A read runs by itself until it has been quick once, which a busy machine may not allow at the first attempt. */
async function getQuick(read: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < 20; n++) await read();
}

/** A number, and the process of the database that has returned it. */
async function readNumber(db: Db, n: number) {
  const [row] = await db.read.run<{ n: number; pid: number }>('select $1::bigint as n, pg_backend_pid() as pid', [n]);
  return row;
}

test('prepared reads of a turn share connections, and each gets its own result', async (t) => {
  const db = await open(t);
  const rows = await Promise.all(Array.from({ length: READS }, (_, n) => readNumber(db, n)));
  assert.deepEqual(
    rows.map((row) => row?.n),
    [...Array(READS).keys()],
  );
  const { size: connections } = new Set(rows.map((row) => row?.pid));
  assert.ok(connections <= READS / 8, `${connections} connections`);
  assert.deepEqual((await readNumber(db, -1))?.n, -1);
});

test('a read that fails does not fail those that share its connection', async (t) => {
  const db = await open(t);
  const divide = async (by: number) => db.read.run<{ n: number }>('select 1 / $1::bigint as n', [by]);
  await getQuick(() => divide(1));
  const all = await Promise.allSettled([divide(1), divide(0), divide(1), readNumber(db, 7)]);
  assert.deepEqual(
    all.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  );
});

test('a slow read has a connection to itself, and holds up no other', async (t) => {
  const db = await open(t);
  const wait = async (seconds: number) => {
    await db.read.run('select pg_sleep($1)', [seconds]);
    return 'slow';
  };
  await wait(0.1);
  const slow = Array.from({ length: 3 }, () => wait(2));
  const quick = Promise.all(Array.from({ length: READS }, (_, n) => readNumber(db, n)));
  assert.notEqual(await Promise.race([...slow, quick]), 'slow');
  await Promise.all(slow);
});

test('a read that has become slow is noticed, and has a connection to itself from then on', async (t) => {
  const db = await open(t);
  const wait = async (seconds: number) => {
    await db.read.run('select pg_sleep($1)', [seconds]);
    return 'slow';
  };
  await getQuick(() => wait(0));
  await Promise.all([wait(0.3), readNumber(db, 1)]);
  await getQuick(() => readNumber(db, 1));
  const quick = readNumber(db, 2);
  assert.notEqual(await Promise.race([wait(2), quick]), 'slow');
});

test('reads that share connections report that the database is away, and continue once it is back', async (t) => {
  const server = await startPostgres();
  onEnd(t, () => server.remove());
  const db = openPostgres({ url: server.url });
  onEnd(t, () => db.close());
  await getQuick(() => readNumber(db, 0));
  await server.kill();
  // The processes of its connections may answer for a moment longer, until they notice.
  await until('all are lost', async () => {
    const reads = await Promise.allSettled(Array.from({ length: READS }, (_, n) => readNumber(db, n)));
    const lost = reads.filter((each) => each.status === 'rejected');
    for (const { reason } of lost) assert.ok(reason instanceof StoreUnavailableError, String(reason));
    return lost.length === READS;
  });
  await server.start();
  await until('it is back', () => readNumber(db, 1).then(Boolean, () => false));
});
