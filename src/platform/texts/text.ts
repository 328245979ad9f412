import { badRequest } from '../errors.ts';
import { msg } from '../messages.ts';
import { normalizeText, withoutJoiners } from './normal-form.ts';

/** Control characters other than tab and line feed. */
const FORBIDDEN = /[^\P{Cc}\t\n]/u;
/** Ends of lines: those of word processors (U+000B), pages (U+000C) and mainframes (U+0085) come with pasted text. */
const LINE_ENDS = /\r\n?|[\v\f\x85]/g;
/** Quotation marks, dashes and such of Windows-1252, which were taken for characters of Latin-1 on their way. */
const MISTAKEN = /[\x80-\x9f]/g;
/** A visible character: not a space or filler, and nothing that only modifies others. */
const VISIBLE = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;
/**
 * Characters that change the direction of those after them (UAX #9): embeddings, overrides, isolates, and their ends.
 */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

/** The name of a text from outside in errors, and how many characters (code points) it may have once trimmed. */
export type TextRule = { field: string; min: number; max: number };

/** Maximum length of a text used for lookups: an id, an address, a name, an external id. */
const MAX_NAME = 255;

/**
 * A text from outside as the board stores it: line endings as line feeds, characters of Windows-1252 as what they were
 * meant to be, trimmed, in Unicode form NFC. Its length is checked before anything else, so that an overlong text costs
 * nothing. A required text must have a visible character.
 * @throws BAD_REQUEST naming the field and what is allowed
 */
export function requireText(raw: string, rule: TextRule): string {
  return requireGood(requireShort(raw, rule), rule);
}

/** One of the known words. @throws BAD_REQUEST naming the field */
export function requireOneOf<T extends string>(known: readonly T[], text: string, field: string): T {
  const found = known.find((one) => one === text);
  if (found) return found;
  throw badRequest(msg('textNotOneOf', field, known.join(', ')), field);
}

/**
 * As `requireText`, for a name or a title, which is shown on a line with other words: it loses characters that would
 * change their direction. Those are invisible, and pasted text often has them.
 */
export function requireLine(raw: string, rule: TextRule): string {
  return requireGood(withoutTurns(requireShort(raw, rule)), rule);
}

/** A text without the characters that change the direction of those after them. */
export function withoutTurns(text: string): string {
  return text.replace(TURNS, '');
}

function requireShort(raw: string, rule: TextRule): string {
  if (raw.length > mostUnits(rule.max)) throw wrongLength(rule, raw.length);
  return raw;
}

function requireGood(raw: string, rule: TextRule): string {
  if (!raw.isWellFormed()) throw badRequest(msg('textHasHalfSurrogate', rule.field), rule.field);
  const text = normalizeText(mended(raw).trim());
  const forbidden = FORBIDDEN.exec(text);
  if (forbidden) {
    const code = forbidden[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    throw badRequest(msg('textHasControl', rule.field, code), rule.field);
  }
  const length = countCharacters(text, rule.max);
  if (length < rule.min || length > rule.max) throw wrongLength(rule, length);
  if (rule.min > 0 && !VISIBLE.test(text)) {
    throw badRequest(msg('textIsInvisible', rule.field), rule.field);
  }
  return text;
}

/** A text with what pasting is known to break in the form that was meant. */
function mended(text: string): string {
  return text.replace(LINE_ENDS, '\n').replace(MISTAKEN, meantBy);
}

/** Five of these characters mean nothing in Windows-1252 either. */
function meantBy(character: string): string {
  return new TextDecoder('windows-1252').decode(Uint8Array.of(character.charCodeAt(0)));
}

/**
 * A text from elsewhere that loses nothing else for a few characters that cannot be stored: without control characters
 * and halves of surrogate pairs.
 */
export function storableText(text: string): string {
  return mended(text.toWellFormed()).replace(new RegExp(FORBIDDEN, 'gu'), '');
}

/** The number of code points of a text; if it has far more than `max`, its UTF-16 units, which need no counting. */
export function countCharacters(text: string, max: number): number {
  const written = withoutJoiners(text);
  return written.length > max * 2 ? written.length : [...written].length;
}

/**
 * How many UTF-16 units a text with this many characters may have: up to four code points become one, letters outside
 * the first plane take two units, line endings two; and some whitespace may have been pasted with it.
 */
function mostUnits(max: number): number {
  return max * 4 + 1_000;
}

function wrongLength({ field, min, max }: TextRule, length: number) {
  return badRequest(
    length === 0 ? msg('textIsEmpty', field, min, max) : msg('textLengthWrong', field, min, max, length),
    field,
  );
}

/**
 * A text from outside for a lookup, as `requireText` would have stored it; null if nothing can be stored under it, so
 * there is nothing to find. PostgreSQL refuses NUL in lookups.
 */
export function findableText(raw: string, max: number = MAX_NAME): string | null {
  if (raw.length > mostUnits(max) || !raw.isWellFormed()) return null;
  const text = normalizeText(raw.trim());
  return FORBIDDEN.test(text) ? null : text;
}

/** As `findableText`, for what `requireLine` has stored. */
export function findableLine(raw: string): string | null {
  return raw.length > mostUnits(MAX_NAME) ? null : findableText(withoutTurns(raw));
}

/** Whether a text can be in the store unchanged, as a name or an id; if not, a lookup is unnecessary. */
export function isStorable(text: string): boolean {
  return text.length <= mostUnits(MAX_NAME) && text.isWellFormed() && !FORBIDDEN.test(text);
}

/** As `requireText`, for optional texts: null and undefined are returned unchanged. */
export function requireTextOr<N extends null | undefined>(raw: string | N, rule: TextRule): string | N {
  return typeof raw === 'string' ? requireText(raw, rule) : raw;
}

/** As `requireLine`, for optional lines: null and undefined are returned unchanged. */
export function requireLineOr<N extends null | undefined>(raw: string | N, rule: TextRule): string | N {
  return typeof raw === 'string' ? requireLine(raw, rule) : raw;
}

/**
 * A line from elsewhere, truncated and without control characters rather than refused; empty if nothing of it is visible.
 */
export function fitLine(raw: string, max: number): string {
  const clean = raw.slice(0, 4 * max).replace(/[\p{Cc}\p{Cs}]+/gu, ' ');
  const line = makeExcerpt(findableLine(clean) ?? '', max);
  return VISIBLE.test(line) ? line : '';
}

/** The first `max` characters of a text, with an ellipsis if it was cut. */
export function cutText(text: string, max: number): string {
  if (countCharacters(text, max) <= max) return text;
  const beginning = [...text.slice(0, max * 2)].slice(0, max - 1);
  return `${beginning.join('').trimEnd()}…`;
}

/** The first `max` characters of a text on one line, with an ellipsis if it was truncated. */
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

/** A text as the readable end of a URL: `Dark mode, please!` becomes `dark-mode-please`. Any script is kept. */
export function makeSlug(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return [...words.join('-')].slice(0, 60).join('').replace(/-+$/, '') || 'post';
}

/** A text from outside for use in a sentence: one line of at most `max` printable characters. */
export function printable(text: string, max = 100): string {
  // Control characters would break lines and terminals, and direction marks would reverse the sentence.
  return makeExcerpt(text.slice(0, max * 8).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' '), max);
}
