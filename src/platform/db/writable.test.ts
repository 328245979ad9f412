import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { onEnd } from '../../../test/support/cleanup.ts';
import { makeStorePlace } from '../../../test/support/store.ts';
import { until } from '../../../test/support/until.ts';
import { openBackgroundDb, openDb } from './open.ts';

/** What makes each engine refuse writes, and accept them again, without a write that succeeds. */
function refusalOf({ db }: TestApp) {
  const outside = (statement: RawBuilder<unknown>) => statement.execute(db.read);
  const inside = (statement: RawBuilder<unknown>) => db.transaction((tx) => statement.execute(tx));
  if (db.engine === 'sqlite') {
    return {
      reason: 'The disk of the store is full',
      begin: () => inside(sql`pragma max_page_count = 1`), // as few pages as there are
      write: () => inside(sql`create table filler as select zeroblob(50000000) as room`),
      end: () => inside(sql`pragma max_page_count = 4294967294`),
    };
  }
  return {
    reason: 'The disk of the database is full',
    async begin() {
      await outside(sql`create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`);
      await outside(sql`create trigger refuse before insert or update on users for each row execute function refuse()`);
      // What fits in place of something else is still written, what needs new pages is not.
      await outside(sql`create function refuse_growth() returns event_trigger language plpgsql as
        $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`);
      await outside(sql`create event trigger refuse_growth on ddl_command_start when tag in ('CREATE TABLE AS')
        execute function refuse_growth()`);
    },
    write: () => inside(sql`update users set name = 'x'`),
    end: () => outside(sql`drop function refuse, refuse_growth cascade`),
  };
}

/** What a load balancer and a monitor are told. */
async function toldBy({ app, metrics }: TestApp) {
  const { statusCode, body } = await app.inject('/readyz');
  const printed = await metrics.print();
  return [statusCode, JSON.parse(body).reason ?? null, /^earshot_store_up (\d)$/m.exec(printed)?.[1]];
}

const READY = [200, null, '1'];

testBoth('a store that takes no writes is not ready, until one succeeds', async (app, t) => {
  const { reason, begin, write, end } = refusalOf(app);
  const unready = [503, reason, '0'];
  assert.deepEqual(await toldBy(app), READY);
  await begin();
  onEnd(t, () => end().catch(() => {}));
  assert.deepEqual(await toldBy(app), READY, 'nothing has been refused');
  await assert.rejects(write, { message: reason });
  assert.deepEqual(await toldBy(app), unready);
  await app.db.transaction((tx) => tx.selectFrom('boards').selectAll().execute());
  assert.deepEqual(await toldBy(app), unready, 'what only reads says nothing of writes');
  await end();
  assert.deepEqual(await toldBy(app), unready);
  await app.api.createUser({ ssoType: 'SSO', ssoId: 'new' });
  assert.deepEqual(await toldBy(app), READY);
});

testBoth('without other writes, a store that took none is tried while it is asked about', async (app, t) => {
  const { reason, begin, write, end } = refusalOf(app);
  await begin();
  onEnd(t, () => end().catch(() => {}));
  await assert.rejects(write, { message: reason });
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  assert.deepEqual(await toldBy(app), [503, reason, '0'], 'what is left has room for a page, or in pages, at most');
  await end();
  await until('it takes writes', async () => (await app.app.inject('/readyz')).statusCode === 200);
  assert.deepEqual(await toldBy(app), READY);
});

test('what is refused to background work counts as well', async (t) => {
  const place = await makeStorePlace(t, 'postgres');
  const db = openDb(place);
  const background = openBackgroundDb(db, place);
  onEnd(t, () => Promise.all([db.close(), background.close()]));
  const writing = background.transaction(async (tx) => {
    await sql`set transaction read only`.execute(tx);
    await sql`create table nothing (id integer)`.execute(tx);
  });
  await assert.rejects(writing, { message: 'The database is read-only' });
  assert.equal((await db.writeFault())?.message, 'The database is read-only');
});
