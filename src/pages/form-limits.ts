import { isUtf8 } from 'node:buffer';
import { readMediaType } from '../platform/http/media-type.ts';
import { isUtf8Form } from '../platform/http/utf8.ts';
import { Refusal } from './refusal.ts';

/** The limits of a form, counted before any of it is parsed: parsing costs far more than counting. */
export const FORM = {
  bytes: 1_048_576,
  /** Bytes of a form with files that are received, more than `bytes` only to answer with what was typed. */
  received: 11_534_336,
  /** Fields of a form without files. */
  fields: 1_000,
  /** Parts of a form with files, and bytes of the headers of each. */
  parts: 100,
  headBytes: 4_096,
} as const;

/** The media types of forms, without and with files. */
export const FORM_TYPE = 'application/x-www-form-urlencoded';
const WITH_FILES = 'multipart/form-data';

/** Why a form is refused that is so large that it cannot be shown again. */
export const TOO_LARGE =
  'This form is larger than 1 MiB. Go back: most browsers still have what you typed. Then choose smaller files, or shorten the text.';

/** Why a form is refused whose texts would be stored with U+FFFD. Browsers send those of our pages in UTF-8. */
const NOT_UTF8 = 'The form is not in UTF-8, so nothing was changed.';

/**
 * Lets a form through that pages can parse.
 * @returns its media type as it was checked. The form parser interprets headers differently (duplicates, quotes,
 * escapes), so it must get this one and not the original.
 * @throws Refusal: 415 if it is not a form, 413 for more fields than any of our forms has, 400 for a broken one and for
 * texts that are not UTF-8; UnsupportedBodyError for another charset
 */
export function requireForm(contentType: string, body: Buffer): string {
  const type = readMediaType(contentType)?.type;
  if (type === WITH_FILES) return `${type}; boundary="${requireFewParts(contentType, body)}"`;
  if (type !== FORM_TYPE) throw new Refusal(415, 'Only forms can be sent to a page.');
  requireFewFields(body);
  if (!isUtf8Form(body)) throw new Refusal(400, NOT_UTF8);
  return type;
}

/** Whether a form of this media type can have files. */
export function isWithFiles(contentType: string): boolean {
  return readMediaType(contentType)?.type === WITH_FILES;
}

function requireFewFields(body: Buffer): void {
  if (countUpTo(body, '&', FORM.fields) < FORM.fields) return;
  throw new Refusal(413, `A form has at most ${FORM.fields.toLocaleString('en')} fields.`);
}

/** @returns the boundary that was used */
function requireFewParts(contentType: string, body: Buffer): string {
  const boundary = boundaryOf(contentType);
  if (boundary === null) throw new Refusal(400, 'The form does not say how its parts are told apart.');
  const delimiter = `--${boundary}`;
  // The last one is the end of the form.
  if (countUpTo(body, delimiter, FORM.parts + 2) > FORM.parts + 1) {
    throw new Refusal(413, `A form with files has at most ${FORM.parts} parts.`);
  }
  for (let at = body.indexOf(delimiter); at >= 0; ) {
    const next = body.indexOf(delimiter, at + delimiter.length);
    if (next >= 0) requireReadable(body.subarray(at + delimiter.length, next));
    at = next;
  }
  return boundary;
}

/** The headers of a part are between the end of the delimiter's line and an empty one. Files may be any bytes. */
function requireReadable(part: Buffer): void {
  const longest = '\r\n'.length + FORM.headBytes + '\r\n\r\n'.length;
  const end = part.subarray(0, longest).indexOf('\r\n\r\n');
  if (end < 0 && part.length > longest) throw new Refusal(400, 'The form has a part that cannot be read.');
  const head = part.subarray(0, end < 0 ? part.length : end);
  const isFile = /;\s*filename\*?=/i.test(head.toString('latin1').replace(/"[^"]*"/g, ''));
  if (!isUtf8(isFile ? head : part)) throw new Refusal(400, NOT_UTF8);
}

/**
 * What separates the parts of a form; null if its media type does not say. RFC 2046, §5.1.1: at most 70 characters, here
 * only ASCII and without those that quoting escapes.
 */
export function boundaryOf(contentType: string): string | null {
  const [, ...parameters] = contentType.split(';', 8);
  const [, plain, quoted] =
    /^\s*boundary=(?:([!#-[\]-~]{1,70})|"([ !#-[\]-~]{1,70})")\s*$/i.exec(
      parameters.find((parameter) => /^\s*boundary=/i.test(parameter)) ?? '',
    ) ?? [];
  return plain ?? quoted ?? null;
}

/** How often a text is in the bytes; counting stops at `most`. */
function countUpTo(bytes: Buffer, text: string, most: number): number {
  let count = 0;
  for (let at = bytes.indexOf(text); at >= 0 && count < most; at = bytes.indexOf(text, at + text.length)) count++;
  return count;
}
