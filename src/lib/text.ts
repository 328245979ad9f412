import { badRequest } from '../errors.ts';
import { say } from './say.ts';

/** Control characters other than tab and line feed. */
const FORBIDDEN = /[^\P{Cc}\t\n]/u;

/** What a text from outside is called in errors, and how many characters (code points) it may have once trimmed. */
export type TextRule = { field: string; min: number; max: number };

/**
 * A text from outside as the board stores it: line ends as line feeds, trimmed, in Unicode form NFC.
 * @throws BAD_REQUEST naming the field and what is allowed
 */
export function requireText(raw: string, rule: TextRule): string {
  if (!raw.isWellFormed()) throw badRequest(say`${rule.field} contains half of a surrogate pair`, rule.field);
  const text = raw.replace(/\r\n?/g, '\n').trim().normalize('NFC');
  const forbidden = FORBIDDEN.exec(text);
  if (forbidden) {
    const code = forbidden[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    throw badRequest(say`${rule.field} contains the control character U+${code}, which is not allowed`, rule.field);
  }
  const length = text.length > rule.max * 2 ? text.length : [...text].length;
  if (length >= rule.min && length <= rule.max) return text;
  const { field, min, max } = rule;
  throw badRequest(
    length === 0
      ? say`${field} must have ${min} to ${max} characters; it is empty`
      : say`${field} must have ${min} to ${max} characters; it has ${length}`,
    field,
  );
}

/** Whether a text can be in the store at all. What cannot is found nowhere, and PostgreSQL refuses to look for NUL. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !FORBIDDEN.test(text);
}

/** As `requireText`, for what may be left out: null and undefined stay as they are. */
export function requireTextOr<N extends null | undefined>(raw: string | N, rule: TextRule): string | N {
  return typeof raw === 'string' ? requireText(raw, rule) : raw;
}

/** The first `max` characters of a text on one line, with an ellipsis when something was cut. */
export function makeExcerpt(text: string, max: number): string {
  const line = text
    .slice(0, max * 8)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  return characters.length <= max
    ? line
    : `${characters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`;
}

/** A text as the readable end of an address: `Dark mode, please!` gives `dark-mode-please`. Any script is kept. */
export function makeSlug(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return [...words.join('-')].slice(0, 60).join('').replace(/-+$/, '') || 'post';
}
