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
const WORD = /[[\p{L}\p{N}\p{M}]--[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]]+/v.source;
const WORDS = new RegExp(`${DENSE}|${WORD}`, 'gv');
const STARTS_DENSE = new RegExp(`^${DENSE}`, 'v');

/**
 * The words of a text as search compares them: in lower case, without accents and vowel signs, one space between them
 * and no other character. A run of Chinese, Japanese or Korean is one word, separate from Latin words in it.
 */
export function foldText(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).join(' ');
  const plain = normalizeText(normalizeText(text, 'NFKD').toLowerCase().replace(MARKS, ''));
  const letters = plain.replace(LETTER, (letter) => LETTERS[letter] ?? letter);
  return (letters.match(WORDS) ?? []).join(' ');
}

/** Whether a folded word is of a script without spaces between words, where a part of it is a word as well. */
export function isDense(word: string): boolean {
  return word.charCodeAt(0) > 127 && STARTS_DENSE.test(word);
}
