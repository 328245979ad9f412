/** Characters (UTF-16 units) of a text of an item: longer ones cannot be imported, so they are not looked at. */
export const MAX_TEXT = 100_000;

/** A text of an item, before anything is done with it. @throws RangeError if it is too long */
export function bounded(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  throw new RangeError(
    `A text has ${text.length.toLocaleString('en')} characters: over ${MAX_TEXT.toLocaleString('en')} are not imported`,
  );
}
