import { readFile, stat } from 'node:fs/promises';
import { ImportError } from '../items.ts';

/** Bytes of JSON that is read as a whole; fewer where a process serves requests beside it. */
export const MAX_JSON_BYTES = 256 * 1_048_576;
/** Values in it: two and a half million votes. */
const MAX_VALUES = 10_000_000;
/** Bytes of a value with its name, fewer than exports have. */
const BYTES_OF_VALUE = 8;
const [COMMA, BRACKET, BRACE] = [0x2c, 0x5b, 0x7b];

/** What a file of JSON has. @param maxBytes that it may have @throws ImportError */
export async function readJsonFile(file: string, maxBytes = MAX_JSON_BYTES): Promise<unknown> {
  requireSize('The file', (await stat(file)).size, maxBytes);
  return parseJson('The file', await readFile(file), maxBytes);
}

/** @throws ImportError naming the file if it is too large to be read as a whole */
export function requireSize(name: string, bytes: number, maxBytes: number): void {
  if (bytes > maxBytes) throw new ImportError(`${name} is larger than ${Math.floor(maxBytes / 1_048_576)} MB`);
}

/** A text of JSON in UTF-8. @throws ImportError naming the file if it is none, or has more values than memory is kept for */
export function parseJson(name: string, bytes: Buffer, maxBytes: number): unknown {
  const maxValues = Math.min(MAX_VALUES, maxBytes / BYTES_OF_VALUE);
  if (countValues(bytes) > maxValues)
    throw new ImportError(`${name} has over ${Math.floor(maxValues).toLocaleString('en')} values`);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new ImportError(`${name} cannot be read: ${(error as Error).message}`);
  }
}

/** How many values a JSON text has at most, by what stands before one: what it takes of memory depends on these. */
function countValues(bytes: Buffer): number {
  let count = 0;
  for (let n = 0; n < bytes.length; n++) {
    const byte = bytes[n];
    if (byte === COMMA || byte === BRACKET || byte === BRACE) count++;
  }
  return count;
}
