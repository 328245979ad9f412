import { isDense } from '../lib/fold.ts';
import { gramNumber, windows } from '../lib/grams.ts';
import type { Statistics } from './statistics.ts';
import { certainGrams, type SearchField } from './words.ts';

/** Grams that stand together in a word, or in two, and how many posts have all of them, of how many. */
export type Feature = { numbers: readonly number[]; share: number; count: number };

/** How words are taken apart to look for posts that share parts of them. */
export type Dissection = {
  /** Letters of a part: fewer find more that is mistyped, and more that has nothing to do with it. */
  lettersOf: (word: string) => number;
  /** Parts of one word at most. */
  partsPerWord: number;
};

/** For posts about the same: parts long enough to mean something. */
export const meaningful: Dissection = { lettersOf: () => 5, partsPerWord: 2 };

/** For words that are mistyped: short parts, one of which is right. */
export const forgiving: Dissection = { lettersOf: (word) => (word.length <= 6 ? 3 : 4), partsPerWord: 6 };

/** Of the rarest parts, which perhaps no other post has, and of the rarest that some have for certain. */
const MAX_RAREST = 6;
const MAX_SEEN = 6;
/** Parts of one word in a script without spaces, which may be a whole sentence. */
const MAX_DENSE_PARTS = 6;
/** Words of a title that are also looked for two together. */
const PAIRED_WORDS = 4;
/** Parts that fewer posts have are looked for in descriptions as well. */
const FEW_POSTS = 2_000;
/** Grams of a feature that are looked for: more find hardly fewer posts. */
const MAX_GRAMS = 3;
const MAX_TEXT_WORDS = 80;

type Part = { word: string; grams: readonly string[]; inTitle: boolean; share: number };

/** The parts of a title and a description by which posts like it are found best: those that the fewest posts have. */
export function chooseFeatures(
  statistics: Statistics,
  boardId: string,
  { title, text, how }: { title: readonly string[]; text: readonly string[]; how: Dissection },
): Feature[] {
  const numbersOf = (field: SearchField, grams: readonly string[]) =>
    grams.map((gram) => gramNumber(boardId, field, gram));
  const measure = (word: string, grams: readonly string[], inTitle: boolean): Part => ({
    word,
    grams,
    inTitle,
    share: statistics.shareWithGrams(numbersOf('post', grams)),
  });
  const parts = [
    ...title.flatMap((word) => partsOf(word, how).map((grams) => measure(word, grams, true))),
    ...text.slice(0, MAX_TEXT_WORDS).flatMap((word) => partsOf(word, how).map((grams) => measure(word, grams, false))),
  ].sort((a, b) => a.share - b.share || Number(b.inTitle) - Number(a.inTitle));
  const seen = parts.filter(({ share }) => share > 0);
  const rarest = limitPerWord(parts, how).slice(0, MAX_RAREST);
  const chosen = new Set([
    ...rarest,
    ...limitPerWord(seen, { ...how, partsPerWord: how.partsPerWord / 2 }).slice(0, MAX_SEEN),
  ]);
  const single = [...chosen].map(({ grams, share }) =>
    numbersOf(statistics.countOf(share) < FEW_POSTS ? 'post' : 'title', grams),
  );
  const pairs = pairsOf(seen).map((grams) => numbersOf('title', grams));
  return [...single, ...pairs].map((all) => {
    const numbers = statistics.byRarity(all).slice(0, MAX_GRAMS);
    const share = statistics.shareWithGrams(numbers);
    return { numbers, share, count: statistics.countOf(share) };
  });
}

/** The parts of a word, each as the grams that a text with it has. Words of two letters and less mean too little. */
function partsOf(word: string, { lettersOf }: Dissection): string[][] {
  const letters = [...word];
  if (isDense(word)) return letters.length < 3 ? [certainGrams(word)] : windows(letters, 3).map(certainGrams);
  if (letters.length < 3) return [];
  const size = lettersOf(word);
  return letters.length <= size ? [certainGrams(word)] : windows(letters, size).map(certainGrams);
}

function limitPerWord(parts: readonly Part[], { partsPerWord }: Dissection): Part[] {
  const counts = new Map<string, number>();
  return parts.filter(({ word }) => {
    const count = (counts.get(word) ?? 0) + 1;
    counts.set(word, count);
    return count <= (isDense(word) ? MAX_DENSE_PARTS : partsPerWord);
  });
}

/** The rarest parts of the rarest words of the title, two and two: what is common alone may be rare together. */
function pairsOf(parts: readonly Part[]): string[][] {
  const best = new Map<string, readonly string[]>();
  for (const { word, grams, inTitle } of parts) if (inTitle && !best.has(word)) best.set(word, grams);
  const words = [...best.values()].slice(0, PAIRED_WORDS);
  return words.flatMap((grams, n) => words.slice(n + 1).map((other) => [...new Set([...grams, ...other])]));
}
