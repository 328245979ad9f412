import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { Reader, Tables } from '../../platform/db/db.ts';
import { foldCompounds, isDense } from '../../platform/texts/fold.ts';
import { windows } from '../../platform/texts/grams.ts';

/** Where to search for words: in titles only, or in titles and descriptions. */
export type SearchField = 'title' | 'post';

/** The form of a folded title and description in the index: a space at both ends of each. */
export type FoldedPost = { title: string; text: string };

/** The distinct words of a search. A compound is one of them, with hyphens between its parts: e-mail, node-js. */
export function parseWords(search: string): string[] {
  const folded = foldCompounds(search, (parts) => parts.join('-'));
  return folded === '' ? [] : [...new Set(folded.split(' '))];
}

/**
 * What a post may have instead of the words of a search: all compounds in one word, as email, which is also how the index
 * has e-mail; or their parts, as a post that writes them apart.
 */
export function variantsOf(words: readonly string[]): (readonly string[])[] {
  if (!words.some((word) => word.includes('-'))) return [words];
  const joined = words.map((word) => word.replaceAll('-', ''));
  return [joined, words.flatMap((word) => word.split('-'))].map((variant) => [...new Set(variant)]);
}

/**
 * What a folded text must contain for a word to be found in it. Three letters may be anywhere in a word; two must begin
 * one, and a single letter must be one. A character of a script without spaces is a word by itself.
 */
export function patternOf(word: string): string {
  if (isDense(word) || word.length > 2) return word;
  return word.length === 1 ? ` ${word} ` : ` ${word}`;
}

/** The grams that a text with this word certainly has. */
export function certainGrams(word: string): string[] {
  const letters = [...word];
  if (isDense(word)) return letters.length === 1 ? letters : windows(letters, 2);
  return letters.length < 3 ? [`^${word}`] : windows(letters, 3);
}

/** Whether a post has all the words. */
export function hasWords({ title, text }: FoldedPost, field: SearchField, words: readonly string[]): boolean {
  const isIn = (pattern: string) => title.includes(pattern) || (field === 'post' && text.includes(pattern));
  return words.map(patternOf).every(isIn);
}

/** Whether a post has all the words, as a condition on rows of `post_search`. */
export function wordsCondition(reader: Reader, field: SearchField, words: readonly string[]): Expression<SqlBool> {
  const e = expressionBuilder<Tables, 'post_search'>();
  const position = sql.raw(reader.engine === 'sqlite' ? 'instr' : 'strpos');
  const contains = (column: 'title' | 'text', pattern: string) =>
    sql<SqlBool>`${position}(${sql.ref(`post_search.${column}`)}, ${pattern}) > 0`;
  return e.and(
    words.map(patternOf).map((pattern) => {
      const inTitle = contains('title', pattern);
      return field === 'title' ? inTitle : e.or([inTitle, contains('text', pattern)]);
    }),
  );
}
