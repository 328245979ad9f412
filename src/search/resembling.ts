import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Reader } from '../db/db.ts';
import { allOf, FEW_POSTS } from './candidates.ts';
import type { Feature } from './features.ts';
import { gramsCondition, gramsSource } from './grams-condition.ts';

/** A post that shares a feature: id, folded title, and the beginning of the folded description. */
export type Resembling = { id: string; title: string; text: string };

export type ResemblingQuery = {
  boardId: string;
  features: readonly Feature[];
  /** Of rows of `posts`. */
  conditions: readonly Expression<SqlBool>[];
};

/** Posts of each feature, the newest. */
const PER_FEATURE = 30;
/** Characters of a description that are compared. */
const MAX_TEXT = 600;
/** As in `candidates.ts`: from here on PostgreSQL had better look at the newest posts one by one. */
const COMMON_SHARE = 0.004;

/** The newest posts that have each of the features, in one statement. */
export async function findResembling(reader: Reader, query: ResemblingQuery): Promise<Resembling[]> {
  if (query.features.length === 0) return [];
  const ids = reader.engine === 'sqlite' ? idsOnSqlite(reader, query) : idsOnPostgres(query);
  const { rows } = await sql<Resembling>`
    with ids as (${ids})
    select post_search.post_id as id, post_search.title, substr(post_search.text, 1, ${sql.lit(MAX_TEXT)}) as text
    from (select distinct post_id from ids) as found
    cross join post_search
    where post_search.board_id = ${query.boardId} and post_search.post_id = found.post_id`.execute(reader);
  return rows;
}

function idsOnSqlite(reader: Reader, { features, conditions }: ResemblingQuery): RawBuilder<unknown> {
  const idsOf = ({ numbers }: Feature) => sql`
    select * from (
      select post_search.post_id
      from ${gramsSource(reader)}
      cross join posts on posts.board_id = post_search.board_id and posts.id = post_search.post_id
      where ${gramsCondition(reader, numbers)} and ${allOf(conditions)}
      order by post_grams.rowid desc
      limit ${sql.lit(PER_FEATURE)}
    )`;
  return sql.join(features.map(idsOf), sql` union all `);
}

/** The features travel as a list, so that the text is the same for any number of them. */
function idsOnPostgres({ boardId, features, conditions }: ResemblingQuery): RawBuilder<unknown> {
  const listOf = (isCommon: boolean) =>
    features.filter((feature) => isCommonFeature(feature) === isCommon).map(({ numbers }) => `{${numbers.join(',')}}`);
  // offset 0: all posts with the grams, by the index. is true: a condition that the index cannot serve.
  return sql`
    select found.post_id from unnest(${listOf(false)}::text[]) as feature (grams)
    cross join lateral (
      select post_search.post_id from (
        select id, board_id, post_id from post_search
        where grams @> feature.grams::integer[] and board_id = ${boardId} offset 0
      ) as post_search ${findable(conditions)}
      order by post_search.id desc limit ${sql.lit(PER_FEATURE)}
    ) as found
    union all
    select found.post_id from unnest(${listOf(true)}::text[]) as feature (grams)
    cross join lateral (
      select post_search.post_id from post_search ${findable(conditions)}
      where post_search.board_id = ${boardId} and (post_search.grams @> feature.grams::integer[]) is true
      order by post_search.id desc limit ${sql.lit(PER_FEATURE)}
    ) as found`;
}

function isCommonFeature({ share, count }: Feature): boolean {
  return share >= COMMON_SHARE && count >= FEW_POSTS;
}

function findable(conditions: readonly Expression<SqlBool>[]): RawBuilder<unknown> {
  return sql`cross join lateral (
    select 1 from posts
    where posts.board_id = post_search.board_id and posts.id = post_search.post_id and ${allOf(conditions)}
    limit 1
  ) as post`;
}
