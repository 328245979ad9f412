import type { ImportItem } from '../items.ts';

/** What a row contains, up to where it cannot be read, and then why. Items are read when they are asked for. */
export function* caught(line: number, read: () => Iterable<ImportItem>): Generator<ImportItem> {
  try {
    yield* read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    yield { kind: 'problem', line, message: error.message };
  }
}
