import { isDense } from '../../platform/texts/fold.ts';
import { gramNumber, gramsOf, windows } from '../../platform/texts/grams.ts';
import type { Statistics } from './statistics.ts';
import { certainGrams } from './words.ts';

/** The unit of comparison: a word, or in a script without spaces a pair of characters. */
export type Term = { term: string; weight: number };

/** Added to the share of posts that have a term, so that a term of no other post has a weight as well. */
const LEAST_SHARE = 0.001;

/** The terms of folded words, each once. A term weighs more the fewer posts have it. */
export function termsOf(statistics: Statistics, words: readonly string[]): Term[] {
  return [...splitTerms(words)].map((term) => ({ term, weight: weightOf(statistics, term) }));
}

/** The terms of folded words, each once, without weights. */
export function splitTerms(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.flatMap(splitWord));
}

function splitWord(word: string): string[] {
  const letters = [...word];
  return isDense(word) && letters.length > 1 ? windows(letters, 2) : [word];
}

function weightOf(statistics: Statistics, term: string): number {
  return statistics.remember(term, () => {
    const numbers = certainGrams(term).map((gram) => gramNumber('post', gram));
    return Math.log(1 / (statistics.shareWithGrams(numbers) + LEAST_SHARE));
  });
}

/** A text to compare with many others: its terms, and which of those in the title have a gram. */
export type Pattern = {
  title: readonly Term[];
  /** The terms of the description that are not in the title. */
  others: readonly Term[];
  all: ReadonlySet<string>;
  gramCounts: readonly number[];
  termsByGram: ReadonlyMap<string, readonly number[]>;
};

/** Prepares a title and a description for `likenessOf`. */
export function makePattern(title: readonly Term[], text: readonly Term[]): Pattern {
  const inTitle = new Set(title.map(({ term }) => term));
  const others = text.filter(({ term }) => !inTitle.has(term));
  const grams = title.map(({ term }) => new Set(gramsOf(term)));
  const termsByGram = new Map<string, number[]>();
  for (const [n, gramsOfTerm] of grams.entries()) {
    for (const gram of gramsOfTerm) termsByGram.set(gram, [...(termsByGram.get(gram) ?? []), n]);
  }
  const all = new Set([...title, ...others].map(({ term }) => term));
  return { title, others, all, gramCounts: grams.map((set) => set.size), termsByGram };
}

/** How alike, from 0 to 1; and each term of the pattern that counted, with how well it fits and to which term. */
export type Likeness = { score: number; matches: readonly Match[] };
export type Match = { term: string; other: string; fit: number; weight: number };

/** The weights: of what both titles share; of the pattern's terms anywhere in the post; and the other way round. */
const TITLES = 0.45;
const COVERED = 0.35;
const COVERING = 0.2;

/**
 * Terms that only one text has count less than shared ones: one more rare word hardly makes two texts less alike. Nor
 * do common words make them alike.
 */
const UNMATCHED = { least: 0.5, most: 1.5 };

/** How alike a pattern and a post are, by its title and the terms of its description. */
export function likenessOf(pattern: Pattern, title: readonly Term[], textTerms: ReadonlySet<string>): Likeness {
  const inTitles = matchTitles(pattern, title);
  const partners = new Map(inTitles.map((match) => [match.other, match.fit]));
  const found = new Set(inTitles.map(({ term }) => term));
  const titleTerms = new Set(title.map(({ term }) => term));
  const inTexts = [...pattern.title, ...pattern.others]
    .filter(({ term }) => !found.has(term) && (textTerms.has(term) || titleTerms.has(term)))
    .map(({ term, weight }) => ({ term, other: term, fit: 1, weight }));
  const fits = new Map(inTitles.map((match) => [match.term, match.fit]));
  const fitsAnywhere = new Map([...fits, ...inTexts.map(({ term }) => [term, 1] as const)]);
  const fitOfOther = ({ term }: Term) => partners.get(term) ?? (pattern.all.has(term) ? 1 : 0);
  const titles = shareOf([
    ...pattern.title.map((term) => [term, fits.get(term.term) ?? 0] as const),
    ...title.map((term) => [term, partners.get(term.term) ?? 0] as const),
  ]);
  const covered = shareOf(
    [...pattern.title, ...pattern.others].map((term) => [term, fitsAnywhere.get(term.term) ?? 0]),
  );
  const covering = shareOf(title.map((term) => [term, fitOfOther(term)]));
  const score = TITLES * titles + COVERED * covered + COVERING * covering;
  return {
    score: Math.round(score * 10_000) / 10_000,
    matches: [...inTitles, ...inTexts],
  };
}

/** The share of terms, by weight, that match. */
function shareOf(terms: readonly (readonly [Term, fit: number])[]): number {
  let [fitting, all] = [0, Number.EPSILON];
  for (const [{ weight }, fit] of terms) {
    fitting += fit * weight;
    all += fit > 0 ? weight : Math.max(UNMATCHED.least, Math.min(weight, UNMATCHED.most));
  }
  return fitting / all;
}

/** The best partner of each term of the pattern among those of another title. */
function matchTitles({ title, gramCounts, termsByGram }: Pattern, others: readonly Term[]): Match[] {
  const best = new Map<number, Match>();
  for (const { term: other, weight: otherWeight } of others) {
    const grams = new Set(gramsOf(other));
    const shared = new Map<number, number>();
    for (const gram of grams) for (const n of termsByGram.get(gram) ?? []) shared.set(n, (shared.get(n) ?? 0) + 1);
    for (const [n, count] of shared) {
      const { term, weight } = title[n] as Term;
      const fit = term === other ? 1 : fitOf(term, other, count, gramCounts[n] ?? 0, grams.size);
      const before = best.get(n);
      if (fit > 0 && fit > (before?.fit ?? 0)) best.set(n, { term, other, fit, weight: Math.min(weight, otherWeight) });
    }
  }
  return [...best.values()];
}

/** Letters that a word must have to count as a part of a longer one. */
const LEAST_PART = 4;

/** How well two different words fit by the grams that they share: as parts of one another, or as spellings of one. */
function fitOf(a: string, b: string, shared: number, gramsOfA: number, gramsOfB: number): number {
  if (isDense(a) || isDense(b)) return 0;
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  if (shorter.length >= LEAST_PART && longer.includes(shorter)) return 0.85;
  const dice = (2 * shared) / (gramsOfA + gramsOfB);
  return dice >= 0.4 ? 0.9 * dice : 0;
}
