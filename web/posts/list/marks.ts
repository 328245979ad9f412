import { foldText } from '#src/platform/texts/fold.ts';
import type { Marked, PostView } from '../posts.ts';

/** Where words begin and end, with what stands between them. */
const BETWEEN = /([\p{L}\p{N}\p{M}]+)/u;

/** What a row of the list shows of a post, with the words of a search marked in it. */
export function markPost({ title, excerpt }: PostView, words: readonly string[]): Marked {
  return { title: markWords(title, words), excerpt: markWords(excerpt ?? '', words) };
}

/**
 * A text in parts, of which every second one, from the second on, has words of a search: as search itself compares them,
 * without regard to case and accents. A misspelled word is not marked.
 * @param words those of `parseSearch`
 */
export function markWords(text: string, words: readonly string[]): string[] {
  const parts = [''];
  for (const word of text.split(BETWEEN)) {
    const found = wordIn(word, words);
    if (found === null) {
      parts[parts.length - 1] += word;
    } else {
      const [start, end] = found;
      parts[parts.length - 1] += word.slice(0, start);
      parts.push(word.slice(start, end), word.slice(end));
    }
  }
  return parts;
}

/** The longest part of a word that was searched for: where it begins and ends; the whole word if its letters were folded. */
function wordIn(word: string, words: readonly string[]): [number, number] | null {
  const folded = foldText(word);
  const found = words.filter((other) => (other.length > 2 ? folded.includes(other) : folded.startsWith(other)));
  const [longest] = found.toSorted((a, b) => b.length - a.length);
  if (folded === '' || longest === undefined) return null;
  if (folded.length !== word.length) return [0, word.length];
  const start = folded.indexOf(longest);
  return [start, start + longest.length];
}
