import { editDistance } from '../../platform/texts/edit-distance.ts';
import { isDense } from '../../platform/texts/fold.ts';
import { windows } from '../../platform/texts/grams.ts';

/** Below this it is a different word. */
const LEAST_FIT = 0.6;

/** Letters of a word that may be made of several. */
const LEAST_COMPOUND = 7;

/**
 * How well a post matches words that it does not all contain exactly, from 0 to 1; 0 if one of the words is missing
 * altogether. A word may be misspelled, or be composed of words that are separate in the post.
 */
export function forgivingRelevance(postWords: readonly string[], words: readonly string[]): number {
  let grams: ReadonlySet<string> | undefined;
  const gramsOfPost = () => {
    grams ??= new Set(postWords.flatMap((word) => windows([...word], 3)));
    return grams;
  };
  const fits = words.map((word) => fitOf(word, postWords, gramsOfPost));
  if (fits.some((fit) => fit < LEAST_FIT)) return 0;
  return fits.reduce((sum, fit) => sum + fit, 0) / (fits.length + 0.01);
}

function fitOf(word: string, postWords: readonly string[], gramsOfPost: () => ReadonlySet<string>): number {
  if (isDense(word)) return shareIn(windows([...word], 2), new Set(postWords.flatMap((w) => windows([...w], 2))));
  if (word.length < 4) return postWords.some((other) => other.startsWith(word)) ? 1 : 0;
  let best = word.length < LEAST_COMPOUND ? 0 : shareIn(windows([...word], 3), gramsOfPost());
  const allowed = word.length < 8 ? 1 : 2;
  for (const other of postWords) {
    if (best === 1) break;
    // A word that is still being typed may be only the beginning of one.
    const start = other.length > word.length + allowed ? other.slice(0, word.length) : other;
    // The first letter is hardly ever mistyped, and night is not light.
    if (start[0] !== word[0] || Math.abs(start.length - word.length) > allowed) continue;
    const distance = editDistance(word, start, allowed);
    if (distance <= allowed) best = Math.max(best, 1 - distance / word.length);
  }
  return best;
}

function shareIn(parts: readonly string[], all: ReadonlySet<string>): number {
  return parts.length === 0 ? 0 : parts.filter((part) => all.has(part)).length / parts.length;
}
