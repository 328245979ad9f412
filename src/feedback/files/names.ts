import { normalizeText } from '../../platform/texts/normal-form.ts';

const MAX_CHARACTERS = 200;
/** How much of the beginning and the end of an overlong name is examined. */
const ENDS = 1_000;
/** Longer extensions do not count as such: the name is cut there like anywhere else. */
const ENDING = /\.([\p{L}\p{N}]{1,16})$/u;

/**
 * Characters that change the text direction, are invisible, or have a meaning in file systems; joiners belong to their
 * letters.
 */
const UNSAFE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}<>:"|?*]/gu;

/**
 * The name that a file gets, from the one that the client gave it: without folders and misleading characters, at most
 * 200 characters, and with an extension that fits its bytes, so that no system opens them as something else.
 */
export function makeFileName(given: string, endings: readonly string[]): string {
  const [usual = ''] = endings;
  const whole = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
  const base = whole.length > 2 * ENDS ? whole.slice(0, ENDS) + whole.slice(-ENDS) : whole;
  const clean = normalizeText(base.toWellFormed().replace(UNSAFE, ''))
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|(?<![. ])[. ]+$/g, '');
  const ending = ENDING.exec(clean)?.[1] ?? '';
  const fits = endings.includes(ending.toLowerCase());
  const stem = fits ? clean.slice(0, -ending.length - 1) : clean;
  const end = `.${fits ? ending : usual}`;
  return `${shorten(stem, MAX_CHARACTERS - end.length) || 'file'}${end}`;
}

function shorten(text: string, max: number): string {
  return [...text.slice(0, max * 2).toWellFormed()]
    .slice(0, max)
    .join('')
    .replace(/[. ]+$/, '');
}
