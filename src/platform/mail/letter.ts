import { translate } from '../catalogues.ts';
import type { LocalizedMessage } from '../messages.ts';
import type { MailBlock, MailBrand, MailDocument } from './document.ts';

/** A part of a letter, in no language yet. */
export type LetterPart =
  | { kind: 'text' | 'small'; text: LocalizedMessage }
  | { kind: 'code'; label: LocalizedMessage; code: string }
  | { kind: 'button'; label: LocalizedMessage; url: string };

/** A mail caused by an action of a user or the team, such as a sign-in or an invitation. */
export type Letter = { recipient: string; subject: LocalizedMessage; parts: readonly LetterPart[] };

/** Writes a letter in the language of its reader. */
export function writeLetter(
  { recipient, subject, parts }: Letter,
  { brand, language }: { brand: MailBrand; language: string },
): { recipient: string; subject: string; body: MailDocument } {
  const write = (message: LocalizedMessage) => translate(language, message.parts);
  const blocks = parts.map((part): MailBlock => {
    return 'text' in part ? { ...part, text: write(part.text) } : { ...part, label: write(part.label) };
  });
  const body = { language, brand, preview: null, blocks, footer: { lines: [], links: [] }, list: null };
  return { recipient, subject: write(subject), body };
}
