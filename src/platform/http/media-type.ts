import { MIMEType } from 'node:util';
import { UnsupportedBodyError } from '../errors.ts';
import { printable } from '../texts/text.ts';

/** What a Content-Type says, as far as bodies are read by it. */
export type MediaType = { type: string; boundary: string | null };

/** Characters of a wrong type or charset that an error repeats. */
const MAX_SHOWN = 60;

/**
 * A Content-Type as RFC 9110 (§8.3.1) writes it: any case, quotes and spaces where they may be, empty parameters.
 * @returns null if it is none
 * @throws UnsupportedBodyError for a charset that is not UTF-8
 */
export function readMediaType(header: string | undefined): MediaType | null {
  const parsed = parse(header ?? '');
  if (!parsed) return null;
  const charset = parsed.params.get('charset');
  if (charset && !/^utf-?8$/i.test(charset)) {
    const given = printable(charset, MAX_SHOWN);
    throw new UnsupportedBodyError(
      `The charset in Content-Type must be utf-8, not ${given}: encode the body as UTF-8`,
      'content-type',
    );
  }
  return { type: parsed.essence, boundary: parsed.params.get('boundary') };
}

/** @throws UnsupportedBodyError unless a Content-Type is this one, in UTF-8 */
export function requireMediaType(header: string | undefined, needed: string): MediaType {
  const found = readMediaType(header);
  if (found?.type === needed) return found;
  const given = header ? `not ${printable(header, MAX_SHOWN)}` : 'and is missing';
  throw new UnsupportedBodyError(`Content-Type must be ${needed}, ${given}`, 'content-type');
}

function parse(header: string): MIMEType | null {
  try {
    return new MIMEType(header);
  } catch {
    return null;
  }
}
