import type { LocalizedMessage, MessagePart } from '../../src/platform/messages.ts';

/** Writes a message of the server in the language of the request. */
export type Translate = (parts: readonly MessagePart[], english: string) => string;

/**
 * Set by the server for the pages that it answers with. It is not imported here, since what it knows, every text in every
 * language, would come into the files that browsers load.
 */
let translate: Translate = (_, english) => english;

/** Makes what the server says come in the language of the request in progress. */
export function setTranslate(other: Translate): void {
  translate = other;
}

/** A text of the server in the language of the page; what does not know how it was made stays as it is. */
export function localize(text: string, said: LocalizedMessage | readonly MessagePart[] | null | undefined): string {
  if (!said) return text;
  return translate('parts' in said ? said.parts : said, text);
}

/** Likewise a text of the store, with the column that knows how it was made. */
export function localizeStored(text: string, said: string | null): string {
  return localize(text, said === null ? null : (JSON.parse(said) as MessagePart[]));
}

/** The outcome of an attempt: a few words that are known, with numbers among them. */
export function localizeOutcome(outcome: string): string {
  const numbers = outcome.match(/\d+/g) ?? [];
  let n = 0;
  return localize(outcome, [[outcome.replace(/\d+/g, () => `{${n++}}`), ...numbers]]);
}
