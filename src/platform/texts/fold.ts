import { normalizeText } from './normal-form.ts';

/**
 * Marks that differ between spellings of a word: accents of European scripts, vowel signs of Hebrew and Arabic, and
 * variation selectors of emoji.
 */
const MARKS =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]|[\ufe0e\ufe0f]/g;

/** Letters that Unicode does not decompose and that people write in more than one way. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
  ى: 'ي',
  ی: 'ي',
  ة: 'ه',
  ک: 'ك',
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/** Scripts that write words without spaces between them, or with their endings attached; and emoji. */
const DENSE = /[[[\p{L}\p{N}]&&[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]]\p{Extended_Pictographic}]+/v
  .source;
const WORD = /[[\p{L}\p{N}\p{M}]--[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]]/v.source;
const WORDS = new RegExp(`${DENSE}|${WORD}+`, 'gv');
const STARTS_DENSE = new RegExp(`^${DENSE}`, 'v');

const LETTERS_OF_WORD = /[[\p{L}\p{M}]--[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]]+/v.source;
/** Runs of letters with a single hyphen or dot between them. */
const RUNS = new RegExp(`(?<!${WORD})${LETTERS_OF_WORD}(?:[\\-.‐]${LETTERS_OF_WORD})+(?!${WORD})`, 'gv');
/** `RUNS` in ASCII, where it is found ten times faster. */
const ASCII_RUNS = /(?<![a-z0-9])[a-z]+(?:[-.][a-z]+)+(?![a-z0-9])/g;
/** Runs with as many letters are found within words, so that dark-mode needs no joined form. */
const FOUND_WITHIN = 3;
/** Letters of a joined form: with two, i.e. would be IE; what is very long is a path. */
const JOINED = { least: 3, most: 40 };

/**
 * The words of a text as search compares them: in lower case, without accents and vowel signs, one space between them
 * and no other character. A run of Chinese, Japanese or Korean is one word, separate from Latin words in it.
 */
export function foldText(text: string): string {
  return wordsOf(simplify(text));
}

/** As the search index stores a text: after the parts of a compound comes its joined form, as in "e mail email". */
export function foldForIndex(text: string): string {
  return foldCompounds(text, (parts) => `${parts.join(' ')} ${parts.join('')}`);
}

/**
 * As `foldText`, but with compounds written in another way: letters with single hyphens or dots between them, where runs
 * are too short to be found within words, such as e-mail, Wi-Fi, Node.js and U.S.A.
 */
export function foldCompounds(text: string, write: (parts: readonly string[]) => string): string {
  const simple = simplify(text);
  const folded: string[] = [];
  let end = 0;
  for (const { 0: runs, index } of simple.matchAll(isAscii(simple) ? ASCII_RUNS : RUNS)) {
    const groups = groupRuns(runs.split(/[-.‐]/));
    if (!groups.some(isCompound)) continue;
    folded.push(wordsOf(simple.slice(end, index)));
    folded.push(...groups.map((group) => (isCompound(group) ? write(group) : group.join(' '))));
    end = index + runs.length;
  }
  folded.push(wordsOf(simple.slice(end)));
  return folded.filter((part) => part !== '').join(' ');
}

/** Runs that belong together because one of two neighbours is short: of e-mail-address the first two. */
function groupRuns(runs: readonly string[]): string[][] {
  const groups: string[][] = [];
  let before = '';
  for (const run of runs) {
    const group = groups.at(-1);
    if (group && Math.min(before.length, run.length) < FOUND_WITHIN) group.push(run);
    else groups.push([run]);
    before = run;
  }
  return groups;
}

function isCompound(group: readonly string[]): boolean {
  const letters = group.join('').length;
  return group.length > 1 && letters >= JOINED.least && letters <= JOINED.most;
}

/** In lower case, without what differs between spellings of a letter. */
function simplify(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  const plain = normalizeText(normalizeText(text, 'NFKD').toLowerCase().replace(MARKS, ''));
  return plain.replace(LETTER, (letter) => LETTERS[letter] ?? letter);
}

function wordsOf(simple: string): string {
  return (simple.match(isAscii(simple) ? /[a-z0-9]+/g : WORDS) ?? []).join(' ');
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** Whether a folded word is of a script without spaces between words, where a part of it is a word as well. */
export function isDense(word: string): boolean {
  return word.charCodeAt(0) > 127 && STARTS_DENSE.test(word);
}
