import { beginningOf } from '../../platform/texts/beginning.ts';
import { plainText } from '../../platform/texts/plain-text.ts';
import { makeExcerpt } from '../../platform/texts/text.ts';

/** Maximum length of an excerpt, in characters. */
const EXCERPT_CHARACTERS = 200;
/** The length of the part of a description that is read for it, in UTF-16 units: markup takes up some of it. */
const READ = 1_000;

/** The beginning of a description as lists show it: plain text on one line. */
export function excerptOf(description: string): string {
  return makeExcerpt(plainText(beginningOf(description, READ)), EXCERPT_CHARACTERS);
}
