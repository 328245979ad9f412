import { translate } from '../catalogues.ts';
import type { LocalizedMessage } from '../messages.ts';
import type { MailBlock, MailBrand, MailDocument } from './document.ts';
import { cleanSubject } from './mails.ts';

/** A part of a letter, in no language yet. */
export type LetterPart =
  | { kind: 'text' | 'small'; text: LocalizedMessage }
  | { kind: 'code'; label: LocalizedMessage; code: string }
  | { kind: 'button'; label: LocalizedMessage; url: string };

/** A mail caused by an action of a user or the team, such as a sign-in or an invitation. */
export type Letter = {
  recipient: string;
  subject: LocalizedMessage;
  /** The subject as it is sent, if it has a secret; the list of mails shows `subject`. */
  secretSubject?: (sender: string) => LocalizedMessage;
  /** What mail programs show after the subject. */
  preview?: LocalizedMessage;
  parts: readonly LetterPart[];
  /** The board that caused it, in whose name it is if its recipient may see that one. */
  boardId?: string | null | undefined;
  /** The language of a recipient who has not chosen one. */
  language?: string | null | undefined;
  /** Why the recipient gets it, where that is not plain from what they did. */
  reason?: LocalizedMessage;
};

/** Writes a letter in the language of its reader, with its subject at the head. */
export function writeLetter(
  { recipient, subject, secretSubject, preview, parts, reason }: Letter,
  { brand, language }: { brand: MailBrand; language: string },
): { recipient: string; subject: string; body: MailDocument } {
  const write = (message: LocalizedMessage) => translate(language, message.parts);
  const written = parts.map((part): MailBlock => {
    return 'text' in part ? { ...part, text: write(part.text) } : { ...part, label: write(part.label) };
  });
  const blocks: MailBlock[] = [{ kind: 'heading', text: write(subject) }, ...written];
  const footer = { lines: reason ? [write(reason)] : [], links: [] };
  const body: MailDocument = { language, brand, preview: preview ? write(preview) : null, blocks, footer, list: null };
  if (secretSubject) body.subject = cleanSubject(write(secretSubject(brand.name)));
  return { recipient, subject: write(subject), body };
}
