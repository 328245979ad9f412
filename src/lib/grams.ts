import { isDense } from './fold.ts';

/** Where a gram was found: in the title, or anywhere in a post. The two never share a number. */
export type GramField = 'title' | 'post';

/** Longer words are no words of a language; their beginning is enough to find them. */
const MAX_WORD = 60;

/**
 * The grams of a folded text as the search index keeps them: 32-bit numbers that differ from board to board, so that
 * a list of posts with a gram has the posts of one board only. Unequal grams with equal numbers are rare and do no
 * harm: what the index finds is looked at again.
 */
export function gramNumbers(boardId: string, field: GramField, folded: string): number[] {
  const numbers = new Set<number>();
  const seed = gramSeed(boardId, field);
  if (folded !== '')
    for (const word of folded.split(' ')) for (const gram of gramsOf(word)) numbers.add(hash(seed, gram));
  return [...numbers];
}

/** The number of one gram. */
export function gramNumber(boardId: string, field: GramField, gram: string): number {
  return hash(gramSeed(boardId, field), gram);
}

/**
 * What of a word is in the index: its three-letter parts, its beginning as `^ab`, or the whole of a one-letter word as
 * `^a`. Of a script without spaces: its characters and their pairs.
 */
export function gramsOf(word: string): string[] {
  const letters = [...word].slice(0, MAX_WORD);
  if (isDense(word)) return [...letters, ...windows(letters, 2)];
  return [`^${letters.slice(0, 2).join('')}`, ...windows(letters, 3)];
}

/** The parts of so many letters, one beginning at each letter. */
export function windows(letters: readonly string[], size: number): string[] {
  const parts: string[] = [];
  for (let n = 0; n + size <= letters.length; n++) parts.push(letters.slice(n, n + size).join(''));
  return parts;
}

function gramSeed(boardId: string, field: GramField): number {
  return hash(hash(0x811c9dc5, field), boardId);
}

/** FNV-1a over UTF-16 units, with a last stir for the high bits. */
function hash(seed: number, text: string): number {
  let value = seed;
  for (let n = 0; n < text.length; n++) value = Math.imul(value ^ text.charCodeAt(n), 0x01000193);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) | 0;
}

/** The numbers as the words of which an FTS5 table is made. */
export function gramTokens(numbers: readonly number[]): string[] {
  return numbers.map((number) => (number >>> 0).toString(36));
}
