import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

export type Value = string | number | null;

/** Rows for a table, with the types of their columns in PostgreSQL; or a statement to run after the rows before it. */
export type Insertion =
  | { table: string; types: Readonly<Record<string, string>>; rows: Iterable<readonly Value[]> }
  | { statement: string };

/** Where to insert: the address of PostgreSQL, else the SQLite file. No other process has it open. */
export type Target = { databaseUrl: string | null; file: string };

/** Inserts a lot of rows in one transaction, at some 100,000 a second: the indexes are made after the rows. */
export function insertInBulk(target: Target, insertions: readonly Insertion[]): Promise<void> {
  return target.databaseUrl
    ? insertIntoPostgres(target.databaseUrl, insertions)
    : insertIntoSqlite(target.file, insertions);
}

async function insertIntoSqlite(file: string, insertions: readonly Insertion[]): Promise<void> {
  const db = new DatabaseSync(file);
  try {
    db.exec('pragma cache_size = -262144; begin immediate');
    for (const insertion of insertions) {
      if ('statement' in insertion) db.exec(insertion.statement);
      else withoutIndexesInSqlite(db, insertion.table, () => fillSqlite(db, insertion));
    }
    db.exec('commit; pragma wal_checkpoint(truncate)');
  } finally {
    db.close();
  }
}

function fillSqlite(db: DatabaseSync, { table, types, rows }: Extract<Insertion, { table: string }>): void {
  const columns = Object.keys(types);
  const places = columns.map(() => '?').join(', ');
  const insert = db.prepare(`insert into ${table} (${columns.join(', ')}) values (${places})`);
  for (const row of rows) insert.run(...row);
}

function withoutIndexesInSqlite(db: DatabaseSync, table: string, work: () => void): void {
  const select = db.prepare(
    "select name, sql from sqlite_master where type = 'index' and tbl_name = ? and sql is not null",
  );
  const indexes = select.all(table);
  // Indexes take with them what the schema tells planners of them.
  const statistics = db.prepare('select tbl, idx, stat from sqlite_stat1 where tbl = ?').all(table);
  for (const { name } of indexes) db.exec(`drop index ${name}`);
  work();
  for (const { sql } of indexes) db.exec(String(sql));
  db.prepare('delete from sqlite_stat1 where tbl = ?').run(table);
  const restore = db.prepare('insert into sqlite_stat1 (tbl, idx, stat) values (?, ?, ?)');
  for (const { tbl, idx, stat } of statistics) restore.run(String(tbl), String(idx), String(stat));
}

/** Rows that go to PostgreSQL in one statement. */
const CHUNK = 10_000;

async function insertIntoPostgres(url: string, insertions: readonly Insertion[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    // What is left to check at the end would keep indexes from being made.
    await client.query("begin; set constraints all immediate; set local maintenance_work_mem = '256MB'");
    for (const insertion of insertions) {
      if ('statement' in insertion) await client.query(insertion.statement);
      else await withoutIndexesInPostgres(client, insertion.table, () => fillPostgres(client, insertion));
    }
    await client.query('commit');
    await client.query('vacuum analyze'); // autovacuum would do so within a minute
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

async function fillPostgres(
  client: pg.Client,
  { table, types, rows }: Extract<Insertion, { table: string }>,
): Promise<void> {
  const columns = Object.keys(types);
  // Arrays of arrays cannot be taken apart again, so a column of arrays travels as text.
  const isArray = (column: string) => types[column]?.endsWith('[]');
  const arrays = columns.map((column, n) => `$${n + 1}::${isArray(column) ? 'text' : types[column]}[]`);
  const values = columns.map((column) => (isArray(column) ? `${column}::${types[column]}` : column));
  const text = `insert into ${table} (${columns.join(', ')}) overriding system value
    select ${values.join(', ')} from unnest(${arrays.join(', ')}) as source (${columns.join(', ')})`;
  for (const chunk of chunksOf(rows)) {
    await client.query({ name: table, text, values: columns.map((_, n) => chunk.map((row) => row[n])) });
  }
}

function* chunksOf<T>(rows: Iterable<T>): Generator<T[]> {
  let chunk: T[] = [];
  for (const row of rows) {
    if (chunk.push(row) < CHUNK) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

async function withoutIndexesInPostgres(client: pg.Client, table: string, work: () => Promise<void>): Promise<void> {
  const { rows: indexes } = await client.query(
    `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as sql from pg_index
     where indrelid = $1::regclass and not indisprimary`,
    [table],
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await work();
  for (const { sql } of indexes) await client.query(sql);
}
