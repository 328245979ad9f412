import type { Said, SaidPart } from '../../src/platform/say.ts';

/** What the server says, in the language of whoever asked. */
export type Teller = (parts: readonly SaidPart[], english: string) => string;

/**
 * Set by the server for the pages that it answers with. It is not imported here, since what it knows, every text in every
 * language, would come into the files that browsers load.
 */
let teller: Teller = (_, english) => english;

/** Makes what the server says come in the language of the request in progress. */
export function setTeller(other: Teller): void {
  teller = other;
}

/** A text of the server in the language of the page; what does not know how it was made stays as it is. */
export function tell(text: string, said: Said | readonly SaidPart[] | null | undefined): string {
  if (!said) return text;
  return teller('parts' in said ? said.parts : said, text);
}

/** Likewise a text of the store, with the column that knows how it was made. */
export function tellStored(text: string, said: string | null): string {
  return tell(text, said === null ? null : (JSON.parse(said) as SaidPart[]));
}

/** The outcome of an attempt: a few words that are known, with numbers among them. */
export function tellOutcome(outcome: string): string {
  const numbers = outcome.match(/\d+/g) ?? [];
  let n = 0;
  return tell(outcome, [[outcome.replace(/\d+/g, () => `{${n++}}`), ...numbers]]);
}
