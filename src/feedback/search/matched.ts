import { foldText, isDense } from '../../platform/texts/fold.ts';
import type { Match } from './likeness.ts';

/** Maximum number of shared words to return. */
const MAX_MATCHED = 8;
/** Words below this weight, which a fifth of all posts have, are returned only if there are no others. */
const LEAST_WEIGHT = 1.6;

/**
 * The words or parts of words that make a post like another, the rarest first, written as in the post if they are whole
 * words there.
 * @param texts the title and beginning of the post, as people see them
 */
export function matchedWords(matches: readonly Match[], texts: readonly string[]): string[] {
  const telling = matches.filter(({ weight }) => weight >= LEAST_WEIGHT);
  const chosen = (telling.length > 0 ? telling : matches).toSorted((a, b) => b.fit * b.weight - a.fit * a.weight);
  const dense = joinPairs(chosen.map(({ term }) => term).filter(isDense), foldText(texts.join(' ')));
  const words = chosen
    .filter(({ term }) => !isDense(term))
    .map(({ term, other }) => writtenAs(longestCommonPart(term, other), texts));
  return [...new Set([...dense, ...words])].slice(0, MAX_MATCHED);
}

/** Pairs of characters that follow one another in the post, as the run of characters that they are. */
function joinPairs(pairs: readonly string[], folded: string): string[] {
  const all = new Set(pairs);
  const runs: string[] = [];
  for (const word of folded.split(' ')) {
    const letters = [...word];
    if (letters.length === 1 && all.has(word)) runs.push(word);
    let run = '';
    for (let n = 0; n + 1 < letters.length; n++) {
      const pair = `${letters[n]}${letters[n + 1]}`;
      if (all.has(pair)) run = run === '' ? pair : `${run}${letters[n + 1]}`;
      else if (run !== '') {
        runs.push(run);
        run = '';
      }
    }
    if (run !== '') runs.push(run);
  }
  return runs;
}

function longestCommonPart(a: string, b: string): string {
  if (a === b) return a;
  for (let length = Math.min(a.length, b.length); length > 0; length--) {
    for (let n = 0; n + length <= a.length; n++) {
      const part = a.slice(n, n + length);
      if (b.includes(part)) return part;
    }
  }
  return a;
}

function writtenAs(folded: string, texts: readonly string[]): string {
  for (const text of texts) {
    for (const word of text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []) if (foldText(word) === folded) return word;
  }
  return folded;
}
