import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEnd } from '../../../test/support/cleanup.ts';
import { makeStorePlace } from '../../../test/support/store.ts';
import type { Tx } from './db.ts';
import { migrate } from './migrate.ts';
import { openBackgroundDb, openDb } from './open.ts';

/** More transactions than the pool of a process has connections. */
const TRANSACTIONS = 20;

test('background work on PostgreSQL waits for no connection that requests have, and hears of them at once', async (t) => {
  const place = await makeStorePlace(t, 'postgres');
  const db = openDb(place);
  onEnd(t, () => db.close());
  await migrate(db, 0);
  const background = openBackgroundDb(db, place);
  onEnd(t, () => background.close());
  let heard = 0;
  background.listen('deliveries', () => heard++);
  await db.transaction(async (tx) => tx.notify('deliveries'));
  assert.equal(heard, 1);

  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const hold = async (tx: Tx) => {
    await tx.run('select 1', []);
    begun.resolve();
    await held.promise;
  };
  const requests = Array.from({ length: TRANSACTIONS }, () => db.transaction(hold));
  await begun.promise;
  assert.deepEqual(await background.transaction(async (tx) => tx.run('select 2 as two', [])), [{ two: 2 }]);
  held.resolve();
  await Promise.all(requests);
});

test('background work on SQLite uses the store as it is', async (t) => {
  const place = await makeStorePlace(t, 'sqlite');
  const db = openDb(place);
  onEnd(t, () => db.close());
  assert.equal(openBackgroundDb(db, place), db);
});
