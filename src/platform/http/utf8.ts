import { isUtf8 } from 'node:buffer';
import { badRequest } from '../errors.ts';

const MARK = Buffer.from('\ufeff');
/** Bytes of the longest character, without the last. */
const LONGEST_START = 3;
const PERCENT = 0x25;

/**
 * The text of a body, without a byte order mark. Decoders silently replace what is not UTF-8 with U+FFFD, and the
 * letters that were meant are lost: Latin-1 is what Windows PowerShell sends unless it is told otherwise.
 * @throws BAD_REQUEST with the place of the first byte that is not UTF-8
 */
export function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) {
    const place = `byte ${lengthOfUtf8(bytes) + 1} of ${bytes.length}`;
    throw badRequest(`The body must be UTF-8, but ${place} is not: encode the text as UTF-8 and send it again`);
  }
  const hasMark = bytes[0] === MARK[0] && bytes.subarray(0, MARK.length).equals(MARK);
  return bytes.toString('utf8', hasMark ? MARK.length : 0);
}

/** How many bytes are UTF-8, of those that are not all. */
function lengthOfUtf8(bytes: Buffer): number {
  const lengthIn = (end: number): number | null => {
    for (let length = end; length >= Math.max(0, end - LONGEST_START); length--) {
      if (isUtf8(bytes.subarray(0, length))) return length;
    }
    return null;
  };
  let [good, bad] = [0, bytes.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (lengthIn(middle) === null) bad = middle;
    else good = middle;
  }
  return lengthIn(good) ?? 0;
}

/** Whether a form or a query is UTF-8 once its percent-encoded bytes are decoded. */
export function isUtf8Form(form: Uint8Array): boolean {
  return isUtf8(form.includes(PERCENT) ? decodePercent(form) : form);
}

/** Bytes of which some are percent-encoded. A percent sign that encodes none stays. */
export function decodePercent(encoded: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(encoded.length);
  let length = 0;
  for (let at = 0; at < encoded.length; at++) {
    const byte = encoded[at] as number;
    const decoded = byte === PERCENT ? 16 * digitAt(encoded, at + 1) + digitAt(encoded, at + 2) : Number.NaN;
    if (!Number.isNaN(decoded)) at += 2;
    bytes[length++] = Number.isNaN(decoded) ? byte : decoded;
  }
  return bytes.subarray(0, length);
}

/** A hexadecimal digit; NaN for anything else. */
function digitAt(bytes: Uint8Array, at: number): number {
  const code = bytes[at] ?? 0;
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}
