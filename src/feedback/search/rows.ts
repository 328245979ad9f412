import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Reader } from '../../platform/db/db.ts';

/** A candidate from the index to check: its id there and as a post, its folded title and the beginning of its text. */
export type SearchRow = { search_id: number; id: string; title: string; text: string };

export type RowsQuery = {
  boardId: string;
  /** Conditions on rows of `post_search`. */
  contain: Expression<SqlBool>;
  /** Conditions on rows of `posts`; the first is the viewer's scope. */
  conditions: readonly Expression<SqlBool>[];
  limit: number;
  /** Characters of the text. */
  textLength: number;
};

/** Ids that are checked in the first statement; then four times as many, and so on. */
const LEAST_AT_ONCE = 1_000;
const MOST_AT_ONCE = 16_000;

/** The rows with these ids that fulfill the conditions, in the order of the ids, as many as are needed. */
export async function readRows(reader: Reader, query: RowsQuery, searchIds: readonly number[]): Promise<SearchRow[]> {
  const found: SearchRow[] = [];
  let atOnce = LEAST_AT_ONCE;
  for (let n = 0; n < searchIds.length && found.length < query.limit; n += atOnce) {
    if (n > 0) atOnce = Math.min(4 * atOnce, MOST_AT_ONCE);
    const limit = query.limit - found.length;
    const { rows } = await sql<SearchRow>`
      select post_search.id as search_id, post_search.post_id as id, post_search.title,
        substr(post_search.text, 1, ${query.textLength}) as text
      from ${rowsWithIds(reader, query, searchIds.slice(n, n + atOnce))} ${ofPosts(reader, query)}
      limit ${limit} + 0`.execute(reader);
    found.push(...rows);
  }
  return found;
}

/** The rows of `post_search` with these ids, in their order: under the name of the table. */
export function rowsWithIds(
  reader: Reader,
  { boardId, contain }: Pick<RowsQuery, 'boardId' | 'contain'>,
  searchIds: readonly number[],
): RawBuilder<unknown> {
  const isIt = sql`post_search.id = wanted.value and post_search.board_id = ${boardId} and ${contain}`;
  if (reader.engine === 'sqlite') return sql`json_each(${searchIds}) as wanted cross join post_search on ${isIt}`;
  // Row by row, which the limit ensures: planners would rather read the whole table.
  return sql`unnest(${searchIds}::bigint[]) as wanted (value)
    cross join lateral (select * from post_search where ${isIt} limit 1) as post_search`;
}

function ofPosts(reader: Reader, { conditions }: Pick<RowsQuery, 'conditions'>): RawBuilder<unknown> {
  const isIt = sql`posts.board_id = post_search.board_id and posts.id = post_search.post_id and ${allOf(conditions)}`;
  return reader.engine === 'sqlite'
    ? sql`cross join posts on ${isIt}`
    : sql`cross join lateral (select 1 from posts where ${isIt} limit 1) as post`;
}

function allOf(conditions: readonly Expression<SqlBool>[]): RawBuilder<SqlBool> {
  return sql.join(conditions, sql` and `);
}
