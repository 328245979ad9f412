import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { onEnd } from '../../../test/support/cleanup.ts';
import { dumpStore } from '../../../test/support/dump.ts';
import { makeStorePlace, type StorePlace } from '../../../test/support/store.ts';
import { migrations } from '../../platform/db/all-migrations.ts';
import type { Db, Engine } from '../../platform/db/db.ts';
import { migrate, requireCurrentSchema } from '../../platform/db/migrate.ts';
import { openDb } from '../../platform/db/open.ts';
import { type AnyRow, describeTables, insertRows, type TableShape } from '../../platform/db/tables.ts';
import { copyStore } from './copy.ts';

const NOW = 1_790_000_000_000;
const QUIET = { now: NOW, onProgress() {} };

async function makeStore(t: TestContext, engine: Engine): Promise<{ db: Db; place: StorePlace }> {
  const place = await makeStorePlace(t, engine);
  const db = openDb(place);
  onEnd(t, () => db.close());
  return { db, place };
}

/** Three rows in every table that there is, with values that are easily damaged; references point to rows. */
async function fillEveryTable(db: Db): Promise<void> {
  await migrate(db, NOW);
  const tables = (await describeTables(db.read)).filter(({ name }) => name !== 'migrations');
  await db.transaction(async (tx) => {
    for (const table of tables) {
      await insertRows(
        tx,
        table,
        [0, 1, 2].map((n) => makeRow(table, n)),
      );
    }
  });
}

function makeRow({ columns, key }: TableShape, n: number): AnyRow {
  return Object.fromEntries(columns.map(({ name, type }) => [name, makeValue(name, type.toLowerCase(), n, key)]));
}

const REFERENCES = ['id', 'board_id', 'post_id', 'account_id'];
const TEXTS = ['{"a":"\\"\\\\n"}', "Ünïcode 👍 ''; -- \\N NULL,{}\t\n", ''];

function makeValue(name: string, type: string, n: number, key: readonly string[]): unknown {
  if (type === 'text') return REFERENCES.includes(name) || key.includes(name) ? `row ${n}` : `${TEXTS[n]}${n}`;
  if (type === 'blob') return Buffer.from([0, 255, n, 92, 39]);
  if (type === 'double precision') return [0.1, 1.7e308, -12345.678e-7][n];
  if (type === 'bigint') return [0, Number.MAX_SAFE_INTEGER, -1_790_000_000_001][n];
  if (type === 'integer') return name === 'id' ? n + 5 : [0, 2 ** 31 - 1, -7][n];
  if (type === 'smallint') return [0, 1, -3][n];
  throw new Error(`${name} has the type ${type}: add it here, and see that it is copied`);
}

test('every table goes from SQLite to PostgreSQL and back, and nothing is lost or changed', async (t) => {
  const [first, second, third] = [
    await makeStore(t, 'sqlite'),
    await makeStore(t, 'postgres'),
    await makeStore(t, 'sqlite'),
  ];
  await fillEveryTable(first.db);
  const steps = new Set<string>();
  const rows = await copyStore(first.db, second.db, {
    ...QUIET,
    onProgress: (step) => steps.add(step),
  });
  const before = await dumpStore(first.place);
  assert.ok(before.size > 40 && rows === before.size * 3, `${rows} rows in ${before.size} tables`);
  assert.deepEqual(
    [...before.values()].filter((rows) => rows.length !== 3),
    [],
  );
  assert.deepEqual([...steps], ['copy', 'compare']);
  assert.deepEqual(await dumpStore(second.place), before);
  assert.equal(await copyStore(second.db, third.db, QUIET), rows);
  assert.deepEqual(await dumpStore(third.place), before);
});

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`rows added to a copy get ids after those that were copied [${engine}]`, async (t) => {
    const [from, to] = [await makeStore(t, 'sqlite'), await makeStore(t, engine)];
    await fillEveryTable(from.db);
    await copyStore(from.db, to.db, QUIET);
    const insert = sql<{
      id: number;
    }>`insert into search_pending (board_id, search_id) values ('row 1', 1) returning id`;
    const { rows } = await to.db.transaction((tx) => insert.execute(tx));
    assert.deepEqual(rows, [{ id: 8 }]);
    await requireCurrentSchema(to.db);
  });
}

const BOARD = 'row 1';

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`one board is copied with its accounts and nothing of the others, and can be copied back [${engine}]`, async (t) => {
    const [from, to, back] = [await makeStore(t, 'sqlite'), await makeStore(t, engine), await makeStore(t, 'sqlite')];
    await fillEveryTable(from.db);
    const rows = await copyStore(from.db, to.db, { ...QUIET, boardId: BOARD });
    const copied = await dumpStore(to.place);
    assert.equal([...copied.values()].flat().length, rows);
    const all = await dumpStore(from.place);
    for (const [table, kept] of copied) {
      const expected = all.get(table)?.filter((row) => belongs(table, Object.fromEntries(JSON.parse(row))));
      assert.deepEqual(kept, expected, table);
    }
    await requireCurrentSchema(to.db);
    await copyStore(to.db, back.db, { ...QUIET, boardId: BOARD });
    assert.deepEqual(await dumpStore(back.place), copied);
  });

  test(`an interrupted copy of one board cannot be completed with another [${engine}]`, async (t) => {
    const [from, to] = [await makeStore(t, 'sqlite'), await makeStore(t, engine)];
    await fillEveryTable(from.db);
    const alsoCopy = () => Promise.reject(new Error('interrupted'));
    await assert.rejects(copyStore(from.db, to.db, { ...QUIET, boardId: BOARD, alsoCopy }), /interrupted/);
    for (const boardId of ['row 2', undefined]) {
      await assert.rejects(
        copyStore(from.db, to.db, { ...QUIET, boardId }),
        /not equal to the source|cannot be written/,
      );
    }
    await assert.rejects(requireCurrentSchema(to.db), /unfinished copy of another/);
  });
}

/** Whether a row that `fillEveryTable` made is expected with the board: sessions, and what waits for a short time, are not. */
function belongs(table: string, row: Partial<Record<'board_id' | 'account_id' | 'id', unknown>>): boolean {
  if (table === 'key_check') return true;
  if (['sessions', 'throttles', 'verifications', 'file_removals'].includes(table)) return false;
  return (row.board_id ?? row.account_id ?? row.id) === BOARD;
}

test('a store of another version is not copied', async (t) => {
  const [from, to] = [await makeStore(t, 'sqlite'), await makeStore(t, 'sqlite')];
  await migrate(from.db, NOW);
  const last = migrations.at(-1)?.name ?? '';
  const change = (statement: ReturnType<typeof sql>) =>
    from.db.transaction(async (tx) => void (await statement.execute(tx)));
  await change(sql`insert into migrations (name, date_applied) values ('9999-later', 1)`);
  await assert.rejects(
    copyStore(from.db, to.db, QUIET),
    /newer version of Earshot \(it has the migration 9999-later\)/,
  );
  await change(sql`delete from migrations where name in ('9999-later', ${last})`);
  await assert.rejects(copyStore(from.db, to.db, QUIET), new RegExp(`The migration ${last} has not been applied`));
});

test('a source that changes while it is copied is noticed, and its copy cannot be used', async (t) => {
  const [from, to] = [await makeStore(t, 'sqlite'), await makeStore(t, 'postgres')];
  await fillEveryTable(from.db);
  let isChanged = false;
  const onProgress = (step: string) => {
    if (step !== 'compare' || isChanged) return;
    isChanged = true;
    void from.db.transaction((tx) => sql`delete from votes where user_id = 'row 2'`.execute(tx));
    void from.db.transaction((tx) => sql`update webhooks set url = 'http://changed.test/'`.execute(tx));
  };
  const changing = copyStore(from.db, to.db, { now: NOW, onProgress });
  await assert.rejects(
    changing,
    /not equal to the source.* votes \(2 rows in the source, 3 in the copy\), webhooks \(the contents differ\)/,
  );
  await assert.rejects(migrate(to.db, NOW), /unfinished copy of another/);
  await assert.rejects(copyStore(to.db, from.db, QUIET), /unfinished copy of another/);
});

test('a copy cannot be used before what belongs to its rows is copied, too', async (t) => {
  const [from, to] = [await makeStore(t, 'sqlite'), await makeStore(t, 'sqlite')];
  await fillEveryTable(from.db);
  const alsoCopy = () => Promise.reject(new Error('interrupted'));
  await assert.rejects(copyStore(from.db, to.db, { ...QUIET, alsoCopy }), /interrupted/);
  await assert.rejects(requireCurrentSchema(to.db), /unfinished copy of another/);
  await copyStore(from.db, to.db, QUIET);
  await requireCurrentSchema(to.db);
});
