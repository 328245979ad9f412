import type { Expression, SqlBool } from 'kysely';
import type { Reader } from '../../platform/db/db.ts';
import { type GramField, gramNumber } from '../../platform/texts/grams.ts';
import { readRows, type SearchRow } from './rows.ts';
import { type Index, newestFirst, postsWithAll, readLists, type Segment, takeSegments } from './segments.ts';
import type { Statistics } from './statistics.ts';
import { certainGrams, type SearchField, wordsCondition } from './words.ts';

export type CandidateQuery = {
  words: readonly string[];
  field: SearchField;
  /** Conditions on rows of `posts`; the first is the viewer's scope. */
  conditions: readonly Expression<SqlBool>[];
  limit: number;
};

/** More grams hardly narrow the result, and each has a list to read in every segment. */
const MAX_GRAMS = 6;
/** Overfetch factor of the first pass. */
const MARGIN = 3;
/** With conditions that few posts may fulfill. */
const MARGIN_WITH_CONDITIONS = 30;
/** Growth factor of the following passes, if the first one is not enough. */
const FURTHER = 8;

/** The newest posts that contain all the words and fulfill the conditions. */
export async function findCandidates(
  reader: Reader,
  statistics: Statistics,
  index: Index,
  { words, field, conditions, limit }: CandidateQuery,
): Promise<SearchRow[]> {
  const { boardId } = index;
  const contain = wordsCondition(reader, field, words);
  const margin = conditions.length > 1 ? MARGIN_WITH_CONDITIONS : MARGIN;
  const grams = rarestGrams(statistics, field, words);
  const found = new Map<string, SearchRow>();
  let posts = (margin * limit) / statistics.shareWithWords(field, words);
  let [pending, segments] = [index.pending, index.segments];
  do {
    const some = takeSegments(segments, posts);
    const ids = newestFirst([...pending, ...(await postsWithGrams(reader, boardId, some, grams))]);
    const query = { boardId, contain, conditions, limit: limit - found.size, textLength: 0 };
    for (const row of await readRows(reader, query, ids)) found.set(row.id, row);
    [pending, segments] = [[], segments.slice(some.length)];
    posts *= FURTHER;
  } while (found.size < limit && segments.length > 0);
  return [...found.values()];
}

/** The grams of the words that the fewest posts have. */
export function rarestGrams(statistics: Statistics, field: GramField, words: readonly string[]): number[] {
  const numbers = words.flatMap(certainGrams).map((gram) => gramNumber(field, gram));
  return statistics.byRarity([...new Set(numbers)]).slice(0, MAX_GRAMS);
}

/** The posts in segments that have all the grams. */
export async function postsWithGrams(
  reader: Reader,
  boardId: string,
  segments: readonly Segment[],
  grams: readonly number[],
): Promise<number[]> {
  const questions = segments.map((segment) => ({ segment, grams }));
  const lists = await readLists(reader, boardId, questions);
  return segments.flatMap((segment) => postsWithAll(segment, lists, grams));
}
