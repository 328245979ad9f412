import { isDense } from './fold.ts';

/** Where a gram occurs: in the title, or anywhere in a post. The two never share a number. */
export type GramField = 'title' | 'post';

const seeds: Record<GramField, number> = { title: 0x5bd1e995, post: 0x811c9dc5 };

/** Longer words belong to no language; their beginning is enough to find them. */
const MAX_WORD = 60;

/**
 * The grams of a post as the search index stores them, those of the title and those of the whole post: numbers from 0
 * to 2³² - 1. Different grams with the same number are rare and harmless: what the index finds is checked.
 * @param title folded, as is the text
 */
export function gramsOfPost(title: string, text: string): number[] {
  const [inTitle, inPost] = [seeds.title, seeds.post];
  const numbers = new Set<number>();
  for (const word of splitFolded(title)) {
    addGrams(numbers, inTitle, word);
    addGrams(numbers, inPost, word);
  }
  for (const word of splitFolded(text)) addGrams(numbers, inPost, word);
  return [...numbers];
}

function splitFolded(folded: string): string[] {
  return folded === '' ? [] : folded.split(' ');
}

/** Adds the numbers of `gramsOf`; for words with one unit per letter, without creating the parts. */
function addGrams(numbers: Set<number>, seed: number, word: string): void {
  if (isPlain(word)) {
    const end = Math.min(word.length, MAX_WORD);
    numbers.add(hashPart(hashUnits(seed, '^', 0, 1), word, 0, Math.min(2, end)));
    for (let n = 0; n + 3 <= end; n++) numbers.add(hashPart(seed, word, n, n + 3));
    return;
  }
  for (const gram of gramsOf(word)) numbers.add(hash(seed, gram));
}

/** Whether a word is of lower-case ASCII letters and digits, as most are. */
function isPlain(word: string): boolean {
  for (let n = 0; n < word.length; n++) if (word.charCodeAt(n) > 127) return false;
  return true;
}

/** The number of one gram. */
export function gramNumber(field: GramField, gram: string): number {
  return hash(seeds[field], gram);
}

/**
 * The parts of a word that are indexed: its three-letter parts, its beginning as `^ab`, or a whole one-letter word as
 * `^a`. For a script without spaces: its characters and their pairs.
 */
export function gramsOf(word: string): string[] {
  const letters = [...word].slice(0, MAX_WORD);
  if (isDense(word)) return [...letters, ...windows(letters, 2)];
  return [`^${letters.slice(0, 2).join('')}`, ...windows(letters, 3)];
}

/** The parts with this many letters, one beginning at each letter. */
export function windows(letters: readonly string[], size: number): string[] {
  const parts: string[] = [];
  for (let n = 0; n + size <= letters.length; n++) parts.push(letters.slice(n, n + size).join(''));
  return parts;
}

function hash(seed: number, text: string): number {
  return hashPart(seed, text, 0, text.length);
}

/** FNV-1a, with a final mixing step for the high bits. */
function hashPart(seed: number, text: string, start: number, end: number): number {
  const value = hashUnits(seed, text, start, end);
  const stirred = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (stirred ^ (stirred >>> 13)) >>> 0;
}

/** FNV-1a over UTF-16 units. */
function hashUnits(seed: number, text: string, start: number, end: number): number {
  let value = seed;
  for (let n = start; n < end; n++) value = Math.imul(value ^ text.charCodeAt(n), 0x01000193);
  return value;
}
