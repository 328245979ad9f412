import type { ImportItem } from '../items.ts';

/** What a row contains, or why it cannot be read. */
export function* caught(line: number, read: () => Iterable<ImportItem>): Generator<ImportItem> {
  try {
    yield* [...read()];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    yield { kind: 'problem', line, message: error.message };
  }
}
