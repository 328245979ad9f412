import { translate } from '../catalogues.ts';
import type { LocalizedMessage } from '../messages.ts';
import type { MailBlock, MailBrand, MailDocument } from './document.ts';

/** A part of a letter, in no language yet. */
export type LetterPart =
  | { kind: 'text' | 'small'; text: LocalizedMessage }
  | { kind: 'code'; label: LocalizedMessage; code: string }
  | { kind: 'button'; label: LocalizedMessage; url: string };

/** A mail caused by an action of a user or the team, such as a sign-in or an invitation. */
export type Letter = {
  recipient: string;
  subject: LocalizedMessage;
  parts: readonly LetterPart[];
  /** Why the recipient gets it, where that is not plain from what they did. */
  reason?: LocalizedMessage;
};

/** Writes a letter in the language of its reader, with its subject at the head. */
export function writeLetter(
  { recipient, subject, parts, reason }: Letter,
  { brand, language }: { brand: MailBrand; language: string },
): { recipient: string; subject: string; body: MailDocument } {
  const write = (message: LocalizedMessage) => translate(language, message.parts);
  const written = parts.map((part): MailBlock => {
    return 'text' in part ? { ...part, text: write(part.text) } : { ...part, label: write(part.label) };
  });
  const blocks: MailBlock[] = [{ kind: 'heading', text: write(subject) }, ...written];
  const footer = { lines: reason ? [write(reason)] : [], links: [] };
  return { recipient, subject: write(subject), body: { language, brand, preview: null, blocks, footer, list: null } };
}
