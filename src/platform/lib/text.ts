import { badRequest } from '../errors.ts';
import { msg } from '../messages.ts';
import { normalizeText, withoutJoiners } from './normal-form.ts';

/** Control characters other than tab and line feed. */
const FORBIDDEN = /[^\P{Cc}\t\n]/u;
/** A character that is seen: no space, no filler, nothing that only changes others. */
const VISIBLE = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;
/** What turns the direction of the characters after it (UAX #9): embeddings, overrides, isolates, and their ends. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

/** What a text from outside is called in errors, and how many characters (code points) it may have once trimmed. */
export type TextRule = { field: string; min: number; max: number };

/** The longest text that something is found by: an id, an address, a name, the id that another system has for it. */
const MAX_NAME = 255;

/**
 * A text from outside as the board stores it: line ends as line feeds, trimmed, in Unicode form NFC. Its length is looked
 * at before anything else, so that a text far too long costs nothing. A text that must be there can be seen.
 * @throws BAD_REQUEST naming the field and what is allowed
 */
export function requireText(raw: string, rule: TextRule): string {
  return requireGood(requireShort(raw, rule), rule);
}

/**
 * As `requireText`, for a name or a title, which stands on a line with other words: it loses what would turn their
 * direction. Those characters are invisible, and pasted text often has them.
 */
export function requireLine(raw: string, rule: TextRule): string {
  return requireGood(requireShort(raw, rule).replace(TURNS, ''), rule);
}

function requireShort(raw: string, rule: TextRule): string {
  if (raw.length > mostUnits(rule.max)) throw wrongLength(rule, raw.length);
  return raw;
}

function requireGood(raw: string, rule: TextRule): string {
  if (!raw.isWellFormed()) throw badRequest(msg`${rule.field} contains half of a surrogate pair`, rule.field);
  const text = normalizeText(raw.replace(/\r\n?/g, '\n').trim());
  const forbidden = FORBIDDEN.exec(text);
  if (forbidden) {
    const code = forbidden[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    throw badRequest(msg`${rule.field} contains the control character U+${code}, which is not allowed`, rule.field);
  }
  const length = countCharacters(text, rule.max);
  if (length < rule.min || length > rule.max) throw wrongLength(rule, length);
  if (rule.min > 0 && !VISIBLE.test(text)) {
    throw badRequest(msg`${rule.field} has only invisible characters`, rule.field);
  }
  return text;
}

/** The code points of a text; of one that has far more than `max`, its UTF-16 units, which need no counting. */
export function countCharacters(text: string, max: number): number {
  const written = withoutJoiners(text);
  return written.length > max * 2 ? written.length : [...written].length;
}

/**
 * How many UTF-16 units a text may have that is to have so many characters: up to four code points become one, letters
 * outside the first plane take two units, line ends two; and some white space may have been pasted with it.
 */
function mostUnits(max: number): number {
  return max * 4 + 1_000;
}

function wrongLength({ field, min, max }: TextRule, length: number) {
  return badRequest(
    length === 0
      ? msg`${field} must have ${min} to ${max} characters; it is empty`
      : msg`${field} must have ${min} to ${max} characters; it has ${length}`,
    field,
  );
}

/**
 * A text from outside by which something is looked for, as `requireText` would have stored it; null when nothing can be
 * stored under it, so that there is nothing to look for. PostgreSQL refuses to look for NUL.
 */
export function findableText(raw: string, max: number = MAX_NAME): string | null {
  if (raw.length > mostUnits(max) || !raw.isWellFormed()) return null;
  const text = normalizeText(raw.trim());
  return FORBIDDEN.test(text) ? null : text;
}

/** As `findableText`, for what `requireLine` has stored. */
export function findableLine(raw: string): string | null {
  return raw.length > mostUnits(MAX_NAME) ? null : findableText(raw.replace(TURNS, ''));
}

/** Whether a text can be in the store as it is, as a name or an id; what cannot need not be looked for. */
export function isStorable(text: string): boolean {
  return text.length <= mostUnits(MAX_NAME) && text.isWellFormed() && !FORBIDDEN.test(text);
}

/** As `requireText`, for what may be left out: null and undefined stay as they are. */
export function requireTextOr<N extends null | undefined>(raw: string | N, rule: TextRule): string | N {
  return typeof raw === 'string' ? requireText(raw, rule) : raw;
}

/** Likewise as `requireLine`. */
export function requireLineOr<N extends null | undefined>(raw: string | N, rule: TextRule): string | N {
  return typeof raw === 'string' ? requireLine(raw, rule) : raw;
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
