import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { onEnd } from '../../../test/support/cleanup.ts';
import { findFreePort } from '../../../test/support/postgres.ts';
import { engines, makeStorePlace, openTestStore, type StorePlace } from '../../../test/support/store.ts';
import { PATIENCE_MS } from '../../../test/support/until.ts';
import type { Db } from './db.ts';
import { migrate } from './migrate.ts';
import { openDb } from './open.ts';
import { openPostgres } from './postgres.ts';
import type { Topic } from './topics.ts';

for (const engine of engines) {
  test(`listeners are notified after a transaction is committed, each of its own topic [${engine}]`, async (t) => {
    const db = await openTestStore(t, engine);
    const heard: string[] = [];
    db.listen('mails', () => heard.push('mails 1'));
    db.listen('mails', () => heard.push('mails 2'));
    db.listen('deliveries', () => heard.push('deliveries'));
    await db.transaction(async (tx) => {
      tx.notify('mails');
      tx.notify('mails');
      await sql`select 1`.execute(tx);
      assert.deepEqual(heard, []);
    });
    assert.deepEqual(heard, ['mails 1', 'mails 2']);
    await notify(db, 'deliveries');
    assert.deepEqual(heard, ['mails 1', 'mails 2', 'deliveries']);
  });

  test(`a rolled-back transaction notifies no listeners, not even with the next one [${engine}]`, async (t) => {
    const db = await openTestStore(t, engine);
    const heard: Topic[] = [];
    for (const topic of ['mails', 'deliveries'] as const) db.listen(topic, () => heard.push(topic));
    const failing = db.transaction(async (tx) => {
      tx.notify('mails');
      await sql`select * from nowhere`.execute(tx);
    });
    const settled = await Promise.allSettled([failing, notify(db, 'deliveries')]);
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['rejected', 'fulfilled'],
    );
    await db.transaction((tx) => sql`select 1`.execute(tx));
    assert.deepEqual(heard, ['deliveries']);
  });

  test(`a removed listener is not notified [${engine}]`, async (t) => {
    const db = await openTestStore(t, engine);
    let heard = 0;
    const unlisten = db.listen('mails', () => heard++);
    await notify(db, 'mails');
    unlisten();
    await notify(db, 'mails');
    assert.equal(heard, 1);
  });
}

test('on PostgreSQL what one process commits another hears, and of its own topics only', async (t) => {
  const [here, there] = await openTwice(t);
  const heard: Topic[] = [];
  for (const topic of ['mails', 'deliveries'] as const) there.listen(topic, () => heard.push(topic));
  await notifyUntil(here, 'mails', () => heard.length > 0);
  assert.deepEqual(new Set(heard), new Set(['mails']));
});

test('on PostgreSQL a process hears its own hints once, at once', async (t) => {
  const [here, there] = await openTwice(t);
  let [own, others] = [0, 0];
  here.listen('mails', () => own++);
  there.listen('mails', () => others++);
  await notifyUntil(there, 'mails', () => own > 0);
  await notifyUntil(here, 'mails', () => others > 0);
  // Hints from before the connections listened went another way, and may still come: then it is looked at once more.
  const isHeardOnce = async () => {
    [own, others] = [0, 0];
    await notify(here, 'mails');
    assert.ok(own >= 1, 'it hears its own at once');
    // A hint may be lost on a busy machine.
    await waitFor(() => others > 0, undefined, 5_000).catch(() => {});
    await delay(50);
    return own === 1 && others === 1;
  };
  for (let round = 1; !(await isHeardOnce()); round++) assert.ok(round < 10, 'hints are heard more than once');
});

test('a process whose listening connection to PostgreSQL broke listens again', async (t) => {
  const [here, there] = await openTwice(t);
  let heard = 0;
  there.listen('mails', () => heard++);
  await notifyUntil(here, 'mails', () => heard > 0);
  const { rows } = await sql<{ pid: number }>`
    select pid, pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query = 'listen earshot'`.execute(here.read);
  assert.ok(rows.length > 0);
  await delay(50);
  heard = 0;
  await notifyUntil(here, 'mails', () => heard > 0);
});

test('a hint on PostgreSQL waits for no connection of the pool', async (t) => {
  const [there, place] = await openOne(t);
  const here = openPostgres({ url: place.databaseUrl ?? '', poolSize: 1 });
  onEnd(t, () => here.close());
  let [own, others] = [0, 0];
  here.listen('deliveries', () => own++);
  there.listen('mails', () => others++);
  await notifyUntil(there, 'deliveries', () => own > 0);
  await notifyUntil(here, 'mails', () => others > 0);
  await delay(50);
  others = 0;
  const hinting = notify(here, 'mails');
  // It gets the only connection as soon as the hint is due, and keeps it.
  await here.transaction(() => waitFor(() => others > 0));
  await hinting;
});

test('hints are tried out where the process listens, which may be another address', async (t) => {
  const place = await makeStorePlace(t, 'postgres');
  const { databaseUrl: elsewhere } = await makeStorePlace(t, 'postgres');
  const opened = (databaseListenUrl: string | null) => open(t, { ...place, databaseListenUrl });
  assert.equal(await opened(null).hearsHints(PATIENCE_MS), true);
  assert.equal(await opened(place.databaseUrl).hearsHints(PATIENCE_MS), true);
  assert.equal(await opened(elsewhere).hearsHints(500), false);
  assert.equal(await open(t, await makeStorePlace(t, 'sqlite')).hearsHints(0), true);
});

test('connections name their purpose to the database', async (t) => {
  const [db] = await openOne(t);
  await db.requireStatements();
  assert.equal(await db.hearsHints(PATIENCE_MS), true);
  const { rows } = await sql<{ name: string }>`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() order by 1`.execute(db.read);
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['earshot', 'earshot listen'],
  );
});

test('a store that listens to a PostgreSQL which is not there closes at once', async (t) => {
  const { dataDir } = await makeStorePlace(t, 'sqlite');
  const databaseUrl = `postgres://earshot@127.0.0.1:${await findFreePort()}/earshot`;
  let closing = 0;
  for (let n = 0; n < 20; n++) {
    const db = openDb({ dataDir, databaseUrl });
    db.listen('mails', () => {});
    await delay(50);
    const start = performance.now();
    await db.close();
    closing += performance.now() - start;
  }
  assert.ok(closing < 10_000, 'it waits a second before it tries again, and not for that');
});

async function openTwice(t: TestContext): Promise<[Db, Db]> {
  const [here, place] = await openOne(t);
  return [here, open(t, place)];
}

async function openOne(t: TestContext): Promise<[Db, StorePlace]> {
  const place = await makeStorePlace(t, 'postgres');
  const db = open(t, place);
  await migrate(db, 0);
  return [db, place];
}

function open(t: TestContext, place: StorePlace & { databaseListenUrl?: string | null }): Db {
  const db = openDb(place);
  onEnd(t, () => db.close());
  return db;
}

function notify(db: Db, topic: Topic): Promise<void> {
  return db.transaction(async (tx) => tx.notify(topic));
}

/** A process listens a little after it began to, so the hint is given again and again. */
function notifyUntil(db: Db, topic: Topic, condition: () => boolean): Promise<void> {
  return waitFor(condition, () => notify(db, topic));
}

async function waitFor(condition: () => boolean, betweenLooks = async () => {}, limitMs = PATIENCE_MS): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!condition()) {
    assert.ok(performance.now() < deadline, 'nothing was heard');
    await betweenLooks();
    await delay(25);
  }
}
