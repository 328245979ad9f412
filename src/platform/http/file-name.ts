import { isAscii } from 'node:buffer';
import { badRequest } from '../errors.ts';
import { printable } from '../texts/text.ts';
import { decodePercent, isUtf8Form } from './utf8.ts';

/**
 * A parameter of a header: its name, and its value in quotes or without. Many clients do not escape the quotes of a
 * name, so that a value ends with quotes before the next parameter or the end; without them it is all the rest, or each
 * further parameter would search through the rest again.
 */
const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:\\.|.)*?)(?:"(?=\s*(?:;|$))|$)|([^;"]*))/gs;

/** A text in a header of ASCII (RFC 2047), with the space between it and the next one. */
const ENCODED_WORD = /=\?([\w-]+)(?:\*[\w-]*)?\?([bq])\?([^?]*)\?=(?:\s+(?==\?))?/gi;

/**
 * The name of a file in a Content-Disposition, however its sender writes what is not ASCII. `filename*` counts wherever
 * it stands (RFC 6266, §4.3): .NET sends it beside a `filename` of encoded words.
 * @returns null if there is no name
 * @throws BAD_REQUEST for one that cannot be decoded
 */
export function fileNameOf(disposition: string): string | null {
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of disposition.matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    const value = quoted?.replace(/\\(["\\])/g, '$1') ?? plain.trim();
    if (!parameters.has(key)) parameters.set(key, value);
  }
  const extended = parameters.get('filename*');
  if (extended !== undefined) return decodeExtended(extended);
  const name = parameters.get('filename');
  return name === undefined ? null : decodeName(name);
}

/** As in RFC 8187: charset, language and percent-encoded bytes, separated by apostrophes. */
function decodeExtended(value: string): string {
  const [, charset = '', encoded] = /^([^']*)'[^']*'(.*)$/s.exec(value) ?? [];
  if (encoded === undefined) throw badRequest("filename* must be of the form UTF-8''name", 'filename');
  return decodeText(decodePercent(Buffer.from(encoded)), charset);
}

function decodeName(name: string): string {
  const words = name.replace(ENCODED_WORD, (_, charset: string, way: string, text: string) =>
    decodeText(way.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : decodeQ(text), charset),
  );
  const bytes = Buffer.from(words);
  // RFC 7578 (§2) allows to percent-encode all that is not ASCII. Who does not, may have a percent sign in a name.
  if (isAscii(bytes) && /%[89a-f][\da-f]/i.test(words) && isUtf8Form(bytes)) return decodePercent(bytes).toString();
  // Browsers encode quotes and ends of lines, and nothing else (HTML, "Multipart form data").
  return words.replace(/%(?:22|0d|0a)/gi, decodeURIComponent);
}

/** The bytes of RFC 2047's encoding Q. */
function decodeQ(text: string): Buffer {
  const escaped = text
    .replace(/%/g, '%25')
    .replaceAll('_', ' ')
    .replace(/=(?=[\da-f]{2})/gi, '%');
  return decodePercent(Buffer.from(escaped));
}

function decodeText(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    throw badRequest(`The name of the file cannot be decoded as ${printable(charset, 40) || 'text'}`, 'filename');
  }
}
