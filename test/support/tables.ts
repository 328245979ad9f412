import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { openDb } from '../../src/platform/db/open.ts';
import type { StorePlace } from './store.ts';

/** All rows of a store as text, by table, in an order that does not depend on how they are stored. */
export async function readTables(place: StorePlace): Promise<Record<string, string[]>> {
  const db = openDb(place);
  try {
    const tables = await db.read.introspection.getTables();
    const dump: Record<string, string[]> = {};
    for (const { name } of tables) {
      const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(db.read).catch(() => ({ rows: [] }));
      dump[name] = rows.map((row) => JSON.stringify(row)).sort();
    }
    return dump;
  } finally {
    await db.close();
  }
}

/** Compares two dumps, and shows only the rows that differ. */
export function assertSameTables(actual: Record<string, string[]>, expected: Record<string, string[]>): void {
  const missing = (from: Record<string, string[]>, to: Record<string, string[]>) =>
    Object.entries(from).flatMap(([table, rows]) => {
      const others = new Set(to[table]);
      return rows.filter((row) => !others.has(row)).map((row) => `${table} ${row}`);
    });
  assert.deepEqual(
    { added: missing(actual, expected), removed: missing(expected, actual) },
    { added: [], removed: [] },
  );
}
