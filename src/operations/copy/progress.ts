import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/db.ts';
import { migrate, requireCurrentSchema, UNFINISHED_COPY } from '../../platform/db/migrate.ts';
import { describeTables, readRows } from '../../platform/db/tables.ts';

declare module '../../platform/db/db.ts' {
  interface Tables {
    /** How far each table of an unfinished copy is; the table exists only until the copy is complete. */
    copy_progress: { table_name: string; last_key: string; row_count: number };
  }
}

/** How far a table is: the key of the last row that was copied, and how many there are. */
export type Progress = { lastKey: readonly unknown[]; rows: number };

/**
 * Makes an empty store the target of a copy, which nothing but the copy may use until it is complete. Does nothing if
 * it is one already.
 * @throws if it has rows, or another schema than this version
 */
export async function beginCopy(target: Db, now: number): Promise<void> {
  if (await isUnfinished(target)) return requireCurrentSchema(target, UNFINISHED_COPY);
  await migrate(target, now);
  for (const table of await describeTables(target.read)) {
    if (table.name === 'migrations' || table.key.length === 0) continue;
    const [row] = await readRows(target.read, table, null, 1);
    if (row) throw new Error(`The target is not empty: its table ${table.name} has rows. Choose an empty one`);
  }
  await target.transaction(async (tx) => {
    await tx.insertInto('migrations').values({ name: UNFINISHED_COPY, date_applied: now }).execute();
    await sql`
      create table copy_progress (
        table_name text primary key, last_key text not null, row_count bigint not null
      )`.execute(tx);
  });
}

/** Lets the copy be used: it is complete. */
export function endCopy(target: Db): Promise<void> {
  return target.transaction(async (tx) => {
    await tx.deleteFrom('migrations').where('name', '=', UNFINISHED_COPY).execute();
    await sql`drop table copy_progress`.execute(tx);
  });
}

/** What an earlier run has copied, by table. */
export async function readProgress(target: Db): Promise<Map<string, Progress>> {
  const rows = await target.read.selectFrom('copy_progress').selectAll().execute();
  return new Map(rows.map((row) => [row.table_name, { lastKey: JSON.parse(row.last_key), rows: row.row_count }]));
}

/** Records progress in the transaction that adds the rows. */
export async function writeProgress(tx: Tx, table: string, { lastKey, rows }: Progress): Promise<void> {
  const values = { last_key: JSON.stringify(lastKey), row_count: rows };
  const insert = tx.insertInto('copy_progress').values({ table_name: table, ...values });
  await insert.onConflict((on) => on.column('table_name').doUpdateSet(values)).execute();
}

async function isUnfinished({ read }: Db): Promise<boolean> {
  const tables = await describeTables(read);
  return tables.some((table) => table.name === 'copy_progress');
}
