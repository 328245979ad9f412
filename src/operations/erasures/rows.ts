import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../platform/db/db.ts';

/** Rows that one statement examines, and that one transaction changes. */
export const ROWS_PER_LOOK = 10_000;
export const ROWS_PER_CHANGE = 50;

type Key = string | number;

/**
 * The keys of a board's rows that fulfill a condition without an index, some at a time. The table is read in chunks by
 * the slow reader, so no request waits for it however large it is.
 * @param key a column that follows the board in an index; rows with equal keys are returned once
 */
export async function* findKeys<K extends Key>(
  db: Db,
  boardId: string,
  { table, key }: { table: string; key: string },
  condition: RawBuilder<SqlBool>,
): AsyncGenerator<K[]> {
  const [from, column] = [sql.table(table), sql.ref(key)];
  let after: Key | undefined;
  do {
    const isAfter: RawBuilder<unknown> = after === undefined ? sql`1 = 1` : sql`${column} > ${after}`;
    const part = sql`from ${from} where board_id = ${boardId} and ${isAfter}`;
    const ends = await sql<{ k: K }>`
      select ${column} as k ${part} order by ${column} limit 1 offset ${sql.lit(ROWS_PER_LOOK - 1)}`.execute(db.slow);
    const end = ends.rows[0]?.k;
    const within = end === undefined ? sql`` : sql`and ${column} <= ${end}`;
    const { rows } = await sql<{ k: K }>`
      select distinct ${column} as k ${part} ${within} and (${condition}) order by k`.execute(db.slow);
    for (let n = 0; n < rows.length; n += ROWS_PER_CHANGE) {
      yield rows.slice(n, n + ROWS_PER_CHANGE).map((row) => row.k);
    }
    after = end;
  } while (after !== undefined);
}

/** In a statement: the column is one of these keys. */
export function isOneOfKeys(column: string, keys: readonly Key[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} in (${sql.join(keys)})`;
}

/** In a statement: the column contains the text. */
export function hasText(column: string, text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} like ${`%${text.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`;
}
