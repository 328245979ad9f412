import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { runEarshot } from '../../../test/crash/server.ts';
import { onEnd } from '../../../test/support/cleanup.ts';
import { isLong } from '../../../test/support/rounds.ts';
import { engines, makeStorePlace, openTestStore } from '../../../test/support/store.ts';
import { PATIENCE_MS, until } from '../../../test/support/until.ts';
import { isLockAwaited } from '../../../test/support/waiting.ts';
import { migrations } from './all-migrations.ts';
import type { Db } from './db.ts';
import { checksumOf, migrate, requireCurrentSchema } from './migrate.ts';
import { migrateStore, openDb } from './open.ts';

const names = migrations.map((migration) => migration.name);

for (const engine of engines) {
  test(`20 handles and 8 processes that migrate an empty store at once apply each step once [${engine}]`, async (t) => {
    const place = await makeStorePlace(t, engine);
    const processes = Array.from({ length: 8 }, () => runEarshot(place, ['migrate', '--json']).ended);
    const handles = Array.from({ length: 20 }, () => openDb(place));
    onEnd(t, () => Promise.all(handles.map((db) => db.close())));
    const byHandles = await Promise.all(handles.map((db, n) => migrate(db, n)));
    const byProcesses = (await Promise.all(processes)).map(({ status, stdout, stderr }) => {
      assert.deepEqual([status, stderr], [0, '']);
      return JSON.parse(stdout).applied as string[];
    });
    // One can apply a step and another the next.
    assert.deepEqual([...byHandles, ...byProcesses].flat().sort(), names);
    for (const db of handles) await requireCurrentSchema(db);
  });

  test(`12 processes that migrate a closed store at once all succeed [${engine}]`, async (t) => {
    const place = await makeStorePlace(t, engine);
    const ended = await Promise.all(Array.from({ length: 12 }, () => runEarshot(place, ['migrate', '--json']).ended));
    for (const { status, stderr } of ended) assert.deepEqual([status, stderr], [0, '']);
    assert.deepEqual(ended.flatMap(({ stdout }) => JSON.parse(stdout).applied).sort(), names);
  });

  test(`migrating twice applies nothing the second time [${engine}]`, async (t) => {
    const db = await openTestStore(t, engine);
    assert.deepEqual(await migrate(db, 1), []);
    const applied = await db.read.selectFrom('migrations').selectAll().orderBy('name').execute();
    assert.deepEqual(
      applied.map(({ name, date_applied }) => [name, date_applied]),
      names.map((name) => [name, 0]),
    );
  });

  test(`a store without a schema, or with a newer one, is not current [${engine}]`, async (t) => {
    const db = openDb(await makeStorePlace(t, engine));
    onEnd(t, () => db.close());
    await assert.rejects(requireCurrentSchema(db));
    await migrate(db, 0);
    await requireCurrentSchema(db);
    await db.transaction((tx) => tx.insertInto('migrations').values({ name: '9999-later', date_applied: 1 }).execute());
    const refusal = /written by a newer version of Earshot \(it has the migration 9999-later\)/;
    await assert.rejects(requireCurrentSchema(db), refusal);
    await assert.rejects(migrate(db, 2), refusal);
  });

  test(`a step that fails leaves nothing of itself [${engine}]`, async (t) => {
    const db = openDb(await makeStorePlace(t, engine));
    onEnd(t, () => db.close());
    await db.transaction((tx) => sql`create table rate_windows (n integer)`.execute(tx)); // in the way of the last statement
    await assert.rejects(migrate(db, 0), /rate_windows/);
    await assert.rejects(sql`select * from boards`.execute(db.read), /boards/);
    await db.transaction((tx) => sql`drop table rate_windows`.execute(tx));
    assert.deepEqual(await migrate(db, 0), names);
  });

  test(`a step that was only made faster since it was applied does not count as edited [${engine}]`, async (t) => {
    const db = await openTestStore(t, engine);
    const faster = migrations.flatMap(({ name, earlierChecksums = [] }) => earlierChecksums.map((sum) => [name, sum]));
    assert.notEqual(faster.length, 0);
    for (const [name = '', checksum = ''] of faster) {
      await setChecksum(db, name, checksum);
      assert.deepEqual(await migrate(db, 1), [], name);
      await setChecksum(db, name, null);
    }
    await migrate(db, 1); // other tests use the store as well
  });

  test(`migrating reports each step before it begins [${engine}]`, async (t) => {
    const db = openDb(await makeStorePlace(t, engine));
    onEnd(t, () => db.close());
    const told: string[] = [];
    await migrate(db, 0, ({ name, number, of }) => told.push(`${number}/${of} ${name}`));
    assert.deepEqual(
      told,
      names.map((name, n) => `${n + 1}/${names.length} ${name}`),
    );
    await migrate(db, 0, ({ name }) => assert.fail(name));
  });

  test(`a step that was edited after it was applied is noticed at the next start [${engine}]`, async (t) => {
    const db = await openTestStore(t, engine);
    const kept = await readChecksums(db);
    assert.deepEqual(
      kept.map(({ name, checksum }) => [name, checksum]),
      migrations.map((migration) => [migration.name, checksumOf(migration, engine)]),
    );
    await setChecksum(db, '0002-tags', 'that of other statements');
    await assert.rejects(migrate(db, 1), /The migration 0002-tags was edited after it had been applied/);
    // As a store of an older version: it takes the steps for what they are.
    await setChecksum(db, '0002-tags', null);
    await migrate(db, 1);
    await migrate(db, 1);
    assert.deepEqual(await readChecksums(db), kept);
  });
}

test('a migration that waits for a table does not hold up others for long, and is applied once it has it', async (t) => {
  const place = await makeStorePlace(t, 'postgres');
  const db = openDb(place);
  onEnd(t, () => db.close());
  await migrate(db, 0);
  await undoLast(db);
  const { promise: reading, resolve: end } = Promise.withResolvers<void>();
  // As a backup does.
  const backup = db.transaction(async (tx) => {
    await sql`lock table api_keys in access share mode`.execute(tx);
    await reading;
  });
  let isHeld = true;
  const ending = setTimeout(end, PATIENCE_MS);
  void backup.finally(() => {
    isHeld = false;
    clearTimeout(ending);
  });
  const migrated = migrate(db, 1);
  for (let n = 0; n < 3; n++) {
    await Promise.race([migrated, until('the migration waits for the table', () => isLockAwaited(db))]);
    // It comes after the migration in the queue for the table.
    await sql`select * from api_keys`.execute(db.read);
    assert.ok(isHeld, 'a read waits as long as the migration does');
  }
  end();
  await backup;
  assert.deepEqual(await migrated, undone);
  await requireCurrentSchema(db);
});

test('a killed process that migrates blocks no other after a few seconds', async (t) => {
  const place = await makeStorePlace(t, 'postgres');
  const db = openDb(place);
  onEnd(t, () => db.close());
  const countWaiting = async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from pg_stat_activity
      where datname = current_database() and query like '%pg_advisory_xact_lock%' and wait_event_type = 'Lock'`.execute(
      db.read,
    );
    return rows[0]?.n;
  };
  // It would wait for as long as it runs a statement.
  await db.transaction(async (tx) => {
    await sql`select pg_advisory_xact_lock(8127310422)`.execute(tx);
    const { child, ended } = runEarshot(place, ['migrate']);
    await until('it migrates', async () => (await countWaiting()) === 1);
    child.kill('SIGKILL');
    await ended;
    await until('its statement ends', async () => (await countWaiting()) === 0);
  });
});

// It takes half a minute.
if (isLong) {
  test('a step may take longer than any other statement', async (t) => {
    const place = await makeStorePlace(t, 'postgres');
    const [db, other] = [openDb(place), openDb(place)];
    onEnd(t, () => Promise.all([db.close(), other.close()]));
    await migrate(db, 0);
    await undoLast(db);
    const { promise: migrating, resolve: end } = Promise.withResolvers<void>();
    // As another process does that migrates a large store.
    const holding = other.transaction(async (tx) => {
      await sql`select pg_advisory_xact_lock(8127310422)`.execute(tx);
      await migrating;
    });
    const migrated = migrateStore(db, place, 1);
    await Promise.race([migrated, delay(37_000)]);
    end();
    await holding;
    assert.deepEqual(await migrated, undone);
  });
}

/** The newest migrations have yet to be applied again, back to the last one that needs a table for itself. */
const undone = [
  '0043-bound-keys',
  '0044-changelog-by-mail',
  '0045-compounds',
  '0046-passkeys',
  '0047-companies',
  '0048-views',
  '0049-field-order',
  '0050-roadmap-columns',
  '0051-deleted-comments',
  '0052-import-readings',
  '0053-unattributed-votes',
  '0054-mail-in',
  '0055-import-seen',
  '0056-doubt',
  '0057-chat-in',
  '0058-trackers',
  '0059-import-runs',
  '0060-publishable-keys',
  '0061-agents',
  '0062-chat-threads',
];

async function undoLast(db: Db): Promise<void> {
  assert.deepEqual(names.slice(-undone.length), undone, 'undo the newest ones here instead');
  await db.transaction(async (tx) => {
    await sql`alter table posts drop column unattributed_upvotes`.execute(tx);
    await sql`alter table boards drop column is_mail_in_enabled`.execute(tx);
    await sql`alter table boards drop column mail_address`.execute(tx);
    for (const table of ['posts', 'comments']) await sql`alter table ${sql.table(table)} drop column doubt`.execute(tx);
    await sql`drop table import_seen`.execute(tx);
    await sql`drop table oauth_records`.execute(tx);
    for (const column of ['budget', 'client_id'])
      await sql`alter table api_keys drop column ${sql.ref(column)}`.execute(tx);
    await sql`drop table visitor_tokens`.execute(tx);
    await sql`drop table publishable_keys`.execute(tx);
    await sql`drop table issue_links`.execute(tx);
    await sql`drop table trackers`.execute(tx);
    await sql`drop table chat_threads`.execute(tx);
    await sql`drop table chat_users`.execute(tx);
    await sql`drop table chat_settings`.execute(tx);
    await sql`alter table import_jobs drop column reading`.execute(tx);
    for (const column of ['date_finished', 'adds_to', 'runs', 'origin'])
      await sql`alter table imports drop column ${sql.ref(column)}`.execute(tx);
    await sql`alter table comments drop column deleted_by`.execute(tx);
    await sql`alter table statuses drop column is_on_roadmap`.execute(tx);
    await sql`alter table fields drop column position`.execute(tx);
    for (const table of ['company_users', 'companies', 'segments'])
      await sql`drop table ${sql.table(table)}`.execute(tx);
    await sql`drop table views`.execute(tx);
    await sql`drop table passkeys`.execute(tx);
    await sql`drop table changelog_subscribers`.execute(tx);
    await sql`drop table changelog_mailings`.execute(tx);
    await sql`alter table api_keys drop column is_bound`.execute(tx);
    await tx.deleteFrom('migrations').where('name', 'in', undone).execute();
  });
}

function readChecksums(db: Db) {
  return db.read.selectFrom('migrations').select(['name', 'checksum']).orderBy('name').execute();
}

async function setChecksum(db: Db, name: string, checksum: string | null): Promise<void> {
  await db.transaction((tx) => tx.updateTable('migrations').set({ checksum }).where('name', '=', name).execute());
}

test('the checksum of a step depends on what it does, not on how it is formatted', () => {
  const step = (...statements: string[]) => ({ name: 'step', statements: () => statements });
  const checksum = checksumOf(step('create table a (\n  n integer,\n  m text\n)', 'drop table b'), 'sqlite');
  for (const same of [
    step('create table a (\r\n  n integer,\r\n  m text\r\n)', 'drop table b'),
    step('create table a ( n integer, m text )', '  drop\ttable b\n'),
  ]) {
    assert.equal(checksumOf(same, 'sqlite'), checksum);
  }
  for (const other of [
    step('create table a (\n  n integer,\n  m text not null\n)', 'drop table b'),
    step('create table a (\n  n integer,\n  m text\n)'),
    step('drop table b', 'create table a (\n  n integer,\n  m text\n)'),
  ]) {
    assert.notEqual(checksumOf(other, 'sqlite'), checksum);
  }
  const ofEngine = { name: 'step', statements: (engine: string) => [engine] };
  assert.notEqual(checksumOf(ofEngine, 'sqlite'), checksumOf(ofEngine, 'postgres'));
});
