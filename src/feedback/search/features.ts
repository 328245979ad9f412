import { isDense } from '../../platform/texts/fold.ts';
import { type GramField, gramNumber, windows } from '../../platform/texts/grams.ts';
import type { Statistics } from './statistics.ts';
import { certainGrams } from './words.ts';

/** Parts of words to search for, and the share of posts that contain all of them. */
export type Feature = {
  parts: readonly string[];
  /** Where they are looked for. */
  field: GramField;
  /** The rarest grams of the parts. */
  grams: readonly number[];
  share: number;
};

/** How words are split to find posts that share parts of them. */
export type Dissection = {
  /** Letters of a part: fewer find more misspelled words, but also more unrelated ones. */
  lettersOf: (word: string) => number;
  /** Maximum number of parts of one word. */
  partsPerWord: number;
};

/** For posts about the same: parts long enough to mean something. */
export const meaningful: Dissection = { lettersOf: () => 5, partsPerWord: 2 };

/** For misspelled words: short parts, one of which is right. */
export const forgiving: Dissection = { lettersOf: (word) => (word.length <= 6 ? 3 : 4), partsPerWord: 6 };

/** Number of the rarest parts, which perhaps no other post has, and of the rarest that some certainly have. */
const MAX_RAREST = 6;
const MAX_SEEN = 6;
/** Parts of one word in a script without spaces, which may be a whole sentence. */
const MAX_DENSE_PARTS = 6;
/** Words of a title that are also searched for in pairs. */
const PAIRED_WORDS = 4;
/** Parts rarer than this are searched for in descriptions as well. */
const FEW_POSTS = 2_000;
/** Grams of a feature to search for: more hardly narrow the result. */
const MAX_GRAMS = 3;
const MAX_TEXT_WORDS = 80;

type Part = { word: string; part: string; inTitle: boolean; share: number };

/** The parts of a title and a description that best identify similar posts: the rarest ones. */
export function chooseFeatures(
  statistics: Statistics,
  { title, text, how }: { title: readonly string[]; text: readonly string[]; how: Dissection },
): Feature[] {
  const measure = (word: string, part: string, inTitle: boolean): Part => ({
    word,
    part,
    inTitle,
    share: statistics.shareWithGrams(numbersOf('post', [part])),
  });
  const parts = [
    ...title.flatMap((word) => partsOf(word, how).map((part) => measure(word, part, true))),
    ...text.slice(0, MAX_TEXT_WORDS).flatMap((word) => partsOf(word, how).map((part) => measure(word, part, false))),
  ].sort((a, b) => a.share - b.share || Number(b.inTitle) - Number(a.inTitle));
  const seen = parts.filter(({ share }) => share > 0);
  const rarest = limitPerWord(parts, how).slice(0, MAX_RAREST);
  const chosen = new Set([
    ...rarest,
    ...limitPerWord(seen, { ...how, partsPerWord: how.partsPerWord / 2 }).slice(0, MAX_SEEN),
  ]);
  const single = [...chosen].map(({ part, share }) =>
    makeFeature(statistics, statistics.countOf(share) < FEW_POSTS ? 'post' : 'title', [part]),
  );
  return [...single, ...pairsOf(seen).map((pair) => makeFeature(statistics, 'title', pair))];
}

function makeFeature(statistics: Statistics, field: GramField, parts: readonly string[]): Feature {
  const grams = statistics.byRarity(numbersOf(field, parts)).slice(0, MAX_GRAMS);
  return { parts, field, grams, share: statistics.shareWithGrams(grams) };
}

function numbersOf(field: GramField, parts: readonly string[]): number[] {
  return [...new Set(parts.flatMap(certainGrams))].map((gram) => gramNumber(field, gram));
}

/** The parts of a word. Words of two letters and less mean too little. */
function partsOf(word: string, { lettersOf }: Dissection): string[] {
  const letters = [...word];
  if (isDense(word)) return letters.length < 3 ? [word] : windows(letters, 3);
  if (letters.length < 3) return [];
  const size = lettersOf(word);
  return letters.length <= size ? [word] : windows(letters, size);
}

function limitPerWord(parts: readonly Part[], { partsPerWord }: Dissection): Part[] {
  const counts = new Map<string, number>();
  return parts.filter(({ word }) => {
    const count = (counts.get(word) ?? 0) + 1;
    counts.set(word, count);
    return count <= (isDense(word) ? MAX_DENSE_PARTS : partsPerWord);
  });
}

/** The rarest parts of the rarest words of the title, in pairs: parts that are common alone may be rare together. */
function pairsOf(parts: readonly Part[]): string[][] {
  const best = new Map<string, string>();
  for (const { word, part, inTitle } of parts) if (inTitle && !best.has(word)) best.set(word, part);
  const words = [...best.values()].slice(0, PAIRED_WORDS);
  return words.flatMap((part, n) => words.slice(n + 1).map((other) => [part, other]));
}
