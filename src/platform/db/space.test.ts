import assert from 'node:assert/strict';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { sql } from 'kysely';
import { makeStorePlace } from '../../../test/support/store.ts';
import { openSqlite } from './sqlite.ts';

test('memory that shows what was read of the file is freed, also within a turn that reads', async (t) => {
  const db = openSqlite({ file: join((await makeStorePlace(t, 'sqlite')).dataDir, 'earshot.db') });
  await db.transaction(async (tx) => {
    await sql`create table words (word text primary key, n blob not null)`.execute(tx);
    for (let n = 0; n < 500; n++) await sql`insert into words (word, n) values (${n}, randomblob(100000))`.execute(tx);
  });
  const read = () => db.read.run<{ n: number }>('select sum(length(hex(n))) as n from words', []);
  await read();
  const full = process.memoryUsage.rss();
  await db.freeMemory();
  const freed = full - process.memoryUsage.rss();
  assert.ok(freed > 25_000_000, `${freed} bytes`);
  assert.deepEqual(await read(), [{ n: 100_000_000 }]);
  await db.close();
});

test('space that removed rows leave goes back to the system, in small steps, but for 4 MiB', async (t) => {
  const { dataDir } = await makeStorePlace(t, 'sqlite');
  const file = join(dataDir, 'earshot.db');
  const openings = { made: () => {}, 'of an older version': makeUnshrinkable, 'made anew': makeAnew };
  for (const [name, prepare] of Object.entries(openings)) {
    prepare(file);
    const db = openSqlite({ file });
    await db.transaction(async (tx) => {
      await sql`create table if not exists words (word text primary key, n blob not null)`.execute(tx);
      for (let n = 0; n < 200; n++) await sql`insert into words (word, n) values (${n}, zeroblob(100000))`.execute(tx);
    });
    const pages = async () => {
      const [row] = await db.read.run<{ n: number }>('select page_count as n from pragma_page_count', []);
      return row?.n ?? 0;
    };
    const full = await pages();
    await db.transaction((tx) => sql`delete from words`.execute(tx));
    const steps: number[] = [];
    for (let before = 0; before !== (steps.at(-1) ?? full); ) {
      before = steps.at(-1) ?? full;
      await db.giveBack();
      await new Promise((resolve) => setImmediate(resolve)); // a turn of the event loop has one view of the store
      steps.push(await pages());
    }
    await db.close();
    const megabytes = statSync(file).size / 1e6;
    if (name === 'of an older version') assert.ok(steps.length === 1 && megabytes > 20, `${name}: ${megabytes} MB`);
    else assert.ok(steps.length > 15 && megabytes > 3 && megabytes < 5, `${name}: ${megabytes} MB, ${steps}`);
    const copy = new DatabaseSync(file);
    assert.equal(copy.prepare('pragma integrity_check').get()?.integrity_check, 'ok');
    copy.close();
  }
});

/** As stores were made before they learned to shrink. */
function makeUnshrinkable(file: string): void {
  rmSync(file);
  const store = new DatabaseSync(file);
  store.exec('pragma journal_mode = wal');
  store.close();
}

/** As docs/self-hosting.md tells to do with one of these. */
function makeAnew(file: string): void {
  const store = new DatabaseSync(file);
  store.exec('pragma auto_vacuum = incremental; vacuum');
  store.close();
}
