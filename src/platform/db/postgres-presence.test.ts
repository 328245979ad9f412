import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { onEnd } from '../../../test/support/cleanup.ts';
import { makeStorePlace } from '../../../test/support/store.ts';
import { PATIENCE_MS, until } from '../../../test/support/until.ts';
import { openPostgres } from './postgres.ts';
import { findAbandoned } from './presence.ts';

/** A little longer than a process may be absent while it connects again. */
const ABSENCE_MS = 2_100;
/** The key of the lock of a mark. */
const keyOf = (mark: string | null) => [0x65617273, Number.parseInt(mark ?? '', 16)];

/** Two processes on one database that see each other, and connections beside them. */
async function openTwo(t: TestContext) {
  const { databaseUrl } = await makeStorePlace(t, 'postgres');
  const url = databaseUrl ?? '';
  const open = async () => {
    const db = openPostgres({ url, poolSize: 2 });
    onEnd(t, () => db.close());
    assert.ok(await db.hearsHints(PATIENCE_MS));
    return db.presence;
  };
  const connect = async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    onEnd(t, () => client.end());
    return client;
  };
  return { here: await open(), there: await open(), beside: await connect(), other: await connect() };
}

test('a process whose broken connection the database still keeps listens again under another mark', async (t) => {
  const { here, there, beside, other } = await openTwo(t);
  const mark = here.own();
  const tokens = [`${mark}.token`];
  // It stands for the broken connection: what the database has not noticed keeps the lock.
  const kept = beside.query('select pg_advisory_lock($1, $2)', keyOf(mark));
  const end = `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
    and classid = $1 and objid = $2`;
  await other.query(end, keyOf(mark));
  await kept;
  await until('it listens', () => here.own() !== null && here.own() !== mark);
  assert.deepEqual(await findAbandoned(there, tokens), []);
  await beside.query('select pg_advisory_unlock($1, $2)', keyOf(mark));
  for (const presence of [here, there]) assert.deepEqual(await findAbandoned(presence, tokens), []);
  await delay(ABSENCE_MS);
  assert.deepEqual(await findAbandoned(there, tokens), tokens);
  assert.deepEqual(await findAbandoned(here, tokens), [], 'it has not ended itself');
});

test('a process that was absent for a moment long ago has not ended when it is absent for another', async (t) => {
  const { there } = await openTwo(t);
  const tokens = ['0badcafe.token'];
  assert.deepEqual(await findAbandoned(there, tokens), []);
  assert.deepEqual(await findAbandoned(there, []), []);
  await delay(ABSENCE_MS);
  assert.deepEqual(await findAbandoned(there, tokens), []);
  await delay(ABSENCE_MS);
  assert.deepEqual(await findAbandoned(there, tokens), tokens);
});
