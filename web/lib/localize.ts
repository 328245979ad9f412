import type { LocalizedMessage, MessagePart } from '#src/platform/messages.ts';

/** Writes a message of the server in the language of the request. */
export type Translate = (parts: readonly MessagePart[], english: string) => string;

/**
 * Set by the server for the pages that it renders. It is not imported here, since every text in every language would
 * then be in the files that browsers load.
 */
let translate: Translate = (_, english) => english;

/** Makes the server's texts appear in the language of the request in progress. */
export function setTranslate(other: Translate): void {
  translate = other;
}

/** A text of the server in the language of the page; a text without its parts stays unchanged. */
export function localize(text: string, said: LocalizedMessage | readonly MessagePart[] | null | undefined): string {
  if (!said) return text;
  return translate('parts' in said ? said.parts : said, text);
}

/** A text from the store in the language of the page, with the column that has its parts. */
export function localizeStored(text: string, said: string | null): string {
  return localize(text, said === null ? null : (JSON.parse(said) as MessagePart[]));
}

/** The outcome of an attempt: one of a few phrases, with numbers in them. */
export function localizeOutcome(outcome: string): string {
  const numbers = /\d+(?:,\d{3})*/g;
  const values = outcome.match(numbers)?.map((number) => Number(number.replaceAll(',', ''))) ?? [];
  let n = 0;
  return localize(outcome, [[outcome.replace(numbers, () => `{${n++}}`), ...values]]);
}
