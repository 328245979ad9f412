import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Reader } from '../db/db.ts';
import { type GramField, gramNumber } from '../lib/grams.ts';
import { gramsCondition, gramsSource } from './grams-condition.ts';
import type { Statistics } from './statistics.ts';
import { certainGrams, type SearchField, wordsCondition } from './words.ts';

/** A post that has the words: its id and its folded title. */
export type Candidate = { id: string; title: string };

export type CandidateQuery = {
  boardId: string;
  words: readonly string[];
  field: SearchField;
  /** Of rows of `posts`; the first is which of them the viewer may see. */
  conditions: readonly Expression<SqlBool>[];
  limit: number;
};

/** More grams find hardly fewer posts, and each has a list to read. */
const MAX_GRAMS = 4;

/**
 * From this part of all posts on, PostgreSQL finds posts sooner by looking at the newest one by one: its index gives
 * all posts with a gram before the first of them can be looked at. At a million posts both take some 20 ms here.
 */
const COMMON_SHARE = 0.006;
/** On a board of few posts nothing is common enough to matter. */
export const FEW_POSTS = 3_000;
/** With conditions that few posts fulfil, looking one by one takes as many times longer. */
const COMMON_SHARE_WITH_CONDITIONS = 0.1;

/** The newest posts that have all the words and fulfil the conditions. */
export async function findCandidates(
  reader: Reader,
  statistics: Statistics,
  query: CandidateQuery,
): Promise<Candidate[]> {
  const { boardId, words, field } = query;
  const numbers = rarestGrams(statistics, boardId, field, words);
  const contain = wordsCondition(reader, field, words);
  const statement =
    reader.engine === 'sqlite'
      ? byGramsOnSqlite(reader, query, numbers, contain)
      : isCommon(statistics, query)
        ? oneByOne(query, contain)
        : byGramsOnPostgres(reader, query, numbers, contain);
  return (await statement.execute(reader)).rows;
}

/** Those of the words' grams that the fewest posts have. */
export function rarestGrams(
  statistics: Statistics,
  boardId: string,
  field: GramField,
  words: readonly string[],
): number[] {
  const numbers = words.flatMap(certainGrams).map((gram) => gramNumber(boardId, field, gram));
  return statistics.byRarity([...new Set(numbers)]).slice(0, MAX_GRAMS);
}

function isCommon(statistics: Statistics, { field, words, conditions }: CandidateQuery): boolean {
  const least = conditions.length > 1 ? COMMON_SHARE_WITH_CONDITIONS : COMMON_SHARE;
  const share = statistics.shareWithWords(field, words);
  return share >= least && statistics.countOf(share) >= FEW_POSTS;
}

/** Rows come in the order of the index, the newest first, and reading ends with the last one that is wanted. */
function byGramsOnSqlite(
  reader: Reader,
  { boardId, conditions, limit }: CandidateQuery,
  numbers: readonly number[],
  contain: Expression<SqlBool>,
): RawBuilder<Candidate> {
  return sql<Candidate>`
    select post_search.post_id as id, post_search.title
    from ${gramsSource(reader)}
    cross join posts on posts.board_id = post_search.board_id and posts.id = post_search.post_id
    where ${gramsCondition(reader, numbers)} and post_search.board_id = ${boardId}
      and ${contain} and ${allOf(conditions)}
    order by post_grams.rowid desc
    limit ${limit}`;
}

function byGramsOnPostgres(
  reader: Reader,
  query: CandidateQuery,
  numbers: readonly number[],
  contain: Expression<SqlBool>,
): RawBuilder<Candidate> {
  return sql<Candidate>`
    with found as materialized (
      select id, board_id, post_id, title from post_search
      where ${gramsCondition(reader, numbers)} and board_id = ${query.boardId} and ${contain}
    )
    select found.post_id as id, found.title
    from found ${ofPosts('found', query)}
    order by found.id desc
    limit ${query.limit}`;
}

function oneByOne(query: CandidateQuery, contain: Expression<SqlBool>): RawBuilder<Candidate> {
  return sql<Candidate>`
    select post_search.post_id as id, post_search.title
    from post_search ${ofPosts('post_search', query)}
    where post_search.board_id = ${query.boardId} and ${contain}
    order by post_search.id desc
    limit ${query.limit}`;
}

/** The posts of rows, looked up row by row: the limit in it keeps the planner from reading all posts instead. */
function ofPosts(table: string, { conditions }: Pick<CandidateQuery, 'conditions'>): RawBuilder<unknown> {
  return sql`cross join lateral (
    select 1 from posts
    where posts.board_id = ${sql.ref(`${table}.board_id`)} and posts.id = ${sql.ref(`${table}.post_id`)}
      and ${allOf(conditions)}
    limit 1
  ) as post`;
}

/** All the conditions as one. */
export function allOf(conditions: readonly Expression<SqlBool>[]): RawBuilder<SqlBool> {
  return sql.join(conditions, sql` and `);
}
