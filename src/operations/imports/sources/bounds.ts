import type { ImportItem } from '../items.ts';

/** Characters (UTF-16 units) of a text of an item: longer ones cannot be imported, so they are not looked at. */
export const MAX_TEXT = 100_000;

/** Entries of a list of an item, such as its tags: the board takes far fewer, and each costs memory for a whole batch. */
export const MAX_LIST = 1_000;

/** A text of an item, before anything is done with it. @throws RangeError if it is too long */
export function bounded(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  throw new RangeError(
    `A text has ${text.length.toLocaleString('en')} characters: over ${MAX_TEXT.toLocaleString('en')} are not imported`,
  );
}

/** A list of an item, before anything is done with it. @throws RangeError if it is too long */
export function boundedList(list: readonly unknown[]): readonly unknown[] {
  if (list.length <= MAX_LIST) return list;
  throw new RangeError(
    `A list has ${list.length.toLocaleString('en')} entries: over ${MAX_LIST.toLocaleString('en')} are not imported`,
  );
}

/** What a row contains, up to where it cannot be read, and then why. Items are read when they are asked for. */
export function* caught(line: number, read: () => Iterable<ImportItem>): Generator<ImportItem> {
  try {
    yield* read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    yield { kind: 'problem', line, message: error.message };
  }
}
