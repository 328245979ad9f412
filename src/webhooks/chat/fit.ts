import { withoutTurns } from '../../platform/texts/text.ts';

/** How a character is written where some have a meaning. */
export type Escape = (character: string) => string;

/** As it is. */
export const asIs: Escape = (character) => character;

/**
 * The beginning of a text in at most `max` UTF-16 units once it is escaped, with an ellipsis if something is missing.
 * Neither a character nor its escape is cut in two.
 */
export function fit(text: string, max: number, write: Escape = asIs): string {
  let written = '';
  let end = 0;
  for (const character of text.toWellFormed()) {
    written += write(character);
    if (written.length > max) return `${written.slice(0, end)}…`;
    if (written.length < max) end = written.length;
  }
  return written;
}

/** A text beside others, in its own direction, which it cannot leave. */
export function isolate(text: string): string {
  return `\u2068${withoutTurns(text)}\u2069`;
}
