import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { runOn } from './postgres.ts';
import type { StorePlace } from './store.ts';

/** What differs between stores with the same content: what each engine has applied, and how each plans. */
const OWN = ['migrations', 'sqlite_stat1'];

type Row = Record<string, unknown>;

/** All tables of a store that has no server, read without our code: rows as JSON, sorted, by table. */
export async function dumpStore(place: StorePlace): Promise<Map<string, string[]>> {
  const dump = new Map<string, string[]>();
  const read = place.databaseUrl === null ? readSqlite(place.dataDir) : readPostgres(place.databaseUrl);
  for await (const [table, rows] of read) if (!OWN.includes(table)) dump.set(table, rows.map(toText).sort());
  return new Map([...dump].sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function* readSqlite(dataDir: string): AsyncGenerator<[string, Row[]]> {
  const store = new DatabaseSync(join(dataDir, 'earshot.db'));
  try {
    const tables = store.prepare("select name from sqlite_schema where type = 'table'").all();
    for (const { name } of tables) yield [String(name), store.prepare(`select * from "${name}"`).all()];
  } finally {
    store.close();
  }
}

async function* readPostgres(url: string): AsyncGenerator<[string, Row[]]> {
  const tables = await runOn<{ name: string }>(
    url,
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  for (const { name } of tables) yield [name, await runOn<Row>(url, `select * from "${name}"`)];
}

/** PostgreSQL's driver gives 64-bit integers as texts. */
function toText(row: Row): string {
  const columns = Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(
    columns.map(([name, value]) => [
      name,
      value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value === null ? null : String(value),
    ]),
  );
}
