import { isDense } from '../../platform/texts/fold.ts';

/** How a word occurs in a title: as a whole word, at the beginning of one, within one, or not at all. */
const WHOLE = 1;
const BEGINNING = 0.9;
const WITHIN = 0.75;
const ONLY_IN_TEXT = 0.4;

/**
 * How well a post fits the words that it was found by, from 1 to 2: where its title has them, whether they are adjacent
 * and in order there, and how much of the title they make up. It is computed from the post alone, so it is the same on
 * every page, on both engines and whatever other posts there are.
 * @param title folded, with a space at both ends
 */
export function relevanceOf(title: string, words: readonly string[]): number {
  const places = words.map((word) => placeOf(title, word));
  const place = places.reduce((sum, value) => sum + value, 0) / words.length;
  const inOrder = words.length > 1 && title.includes(words.join(' ')) ? 1 : 0;
  const letters = words.reduce((sum, word) => sum + (title.includes(word) ? word.length : 0), 0);
  const coverage = Math.min(1, letters / Math.max(1, title.length - 2));
  return 1 + 0.7 * place + (words.length > 1 ? 0.2 * inOrder : 0.2 * place) + 0.1 * coverage;
}

function placeOf(title: string, word: string): number {
  if (title.includes(` ${word} `)) return WHOLE;
  if (title.includes(` ${word}`)) return BEGINNING;
  if (isDense(word)) return title.includes(word) ? BEGINNING : ONLY_IN_TEXT;
  return word.length > 2 && title.includes(word) ? WITHIN : ONLY_IN_TEXT;
}
