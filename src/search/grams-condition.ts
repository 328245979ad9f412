import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Reader } from '../db/db.ts';
import { gramTokens } from '../lib/grams.ts';

/** The condition that a row has all these grams: a row of `post_grams` on SQLite, of `post_search` on PostgreSQL. */
export function gramsCondition(reader: Reader, numbers: readonly number[]): RawBuilder<SqlBool> {
  if (reader.engine === 'postgres') return sql`post_search.grams @> ${numbers}::integer[]`;
  // Tokens are letters and digits, so that nothing in them is syntax of FTS5.
  return sql`post_grams match ${gramTokens(numbers)
    .map((token) => `"${token}"`)
    .join(' AND ')}`;
}

/** The tables in which rows are found by their grams. On SQLite the order of the tables is the order of the search. */
export function gramsSource(reader: Reader): RawBuilder<unknown> {
  return reader.engine === 'postgres'
    ? sql`post_search`
    : sql`post_grams cross join post_search on post_search.id = post_grams.rowid`;
}
