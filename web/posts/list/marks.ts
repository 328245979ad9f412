import { patternOf, variantsOf } from '#src/feedback/search/words.ts';
import { foldText } from '#src/platform/texts/fold.ts';
import type { Marked, PostView } from '../posts.ts';

/** Where words begin and end, with what stands between them. */
const BETWEEN = /([\p{L}\p{N}\p{M}]+)/u;
/** Words with a hyphen or dot between them, which a search may have in one word. */
const COMPOUND = /([\p{L}\p{M}]+(?:[-.‐‑][\p{L}\p{M}]+)+)/u;
const JOINT = /[-.‐‑]/;

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
  const wanted = variantsOf(words).flat();
  const parts = [''];
  for (const [index, piece] of text.split(COMPOUND).entries()) {
    const across = index % 2 === 1 ? foundAcross(piece, wanted) : null;
    for (const word of across ? [piece] : piece.split(BETWEEN)) {
      const found = across ?? wordIn(word, wanted);
      if (found === null) {
        parts[parts.length - 1] += word;
      } else {
        const [start, end] = found;
        parts[parts.length - 1] += word.slice(0, start);
        parts.push(word.slice(start, end), word.slice(end));
      }
    }
  }
  return parts;
}

/** The longest part of a compound that is in none of its words alone, as email in e-mail: where it begins and ends. */
function foundAcross(compound: string, words: readonly string[]): [number, number] | null {
  const apart = compound.split(JOINT);
  const alone = apart.map(foldText);
  const across = words.filter((word) => word.length > 2 && !alone.some((folded) => folded.includes(word)));
  const found = wordIn(apart.join(''), across);
  if (found === null) return null;
  const places = compound.split('').flatMap((unit, place) => (JOINT.test(unit) ? [] : [place]));
  const [start, end] = found;
  return [places[start] ?? 0, (places[end - 1] ?? compound.length) + 1];
}

/** The longest part of a word that was searched for: where it begins and ends; the whole word if its letters were folded. */
function wordIn(word: string, words: readonly string[]): [number, number] | null {
  const folded = ` ${foldText(word)} `;
  const found = words.filter((other) => folded.includes(patternOf(other)));
  const [longest] = found.toSorted((a, b) => b.length - a.length);
  if (longest === undefined) return null;
  if (folded.length !== word.length + 2) return [0, word.length];
  const start = Math.max(0, folded.indexOf(patternOf(longest)) - 1);
  return [start, start + longest.length];
}
