import { plainText } from './plain-text.ts';

/** Characters of a text that are read for a mail, and that the mail shows. */
const MAX_READ = 6_000;
const MAX_SHOWN = 1_000;

/** What a mail shows of a text in Markdown: its beginning, as plain text. */
export function textForMail(markdown: string): string {
  const characters = [...plainText(markdown.slice(0, MAX_READ))];
  return characters.length <= MAX_SHOWN ? characters.join('') : `${characters.slice(0, MAX_SHOWN - 1).join('')}…`;
}
