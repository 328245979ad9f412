/** Titles and descriptions whose words are as common and as rare as those of a language, the same on every run. */
export type Phrase = { title: string; text: string | null };

const VOCABULARY = 30_000;
const COMMON =
  'the to in a for on of and add export import dark mode calendar filter search mobile invoice webhook roles keyboard'.split(
    ' ',
  );
const SYLLABLES =
  'ba be bi bo da de di do fa fe ga ge ha ho ka ke ki ko la le li lo ma me mi mo na ne ni no pa pe po ra re ri ro sa se si so ta te ti to va ve vi vo za ze ex in on an er st tr ch sch au ei'.split(
    ' ',
  );

/** The words, the most common first: the nth is about as common as one in n. */
export const vocabulary: readonly string[] = makeVocabulary();

/** The nth post. Seven in ten have a description. */
export function makePhrase(n: number): Phrase {
  const random = makeRandom(n + 7);
  const title = pickWords(random, 3 + Math.floor(random() * 7));
  return { title, text: random() < 0.7 ? pickWords(random, 5 + Math.floor(random() * 35)) : null };
}

/** A sequence of numbers from 0 up to 1 that is the same for the same seed (mulberry32). */
export function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function pickWords(random: () => number, count: number): string {
  return Array.from({ length: count }, () => vocabulary[Math.floor(VOCABULARY ** random()) - 1]).join(' ');
}

function makeVocabulary(): string[] {
  const random = makeRandom(1);
  const words = new Set(COMMON);
  while (words.size < VOCABULARY) {
    const count = 2 + Math.floor(random() * 3);
    words.add(Array.from({ length: count }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]).join(''));
  }
  return [...words];
}
