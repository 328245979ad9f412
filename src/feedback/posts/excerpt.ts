import { beginningOf } from '../../platform/lib/beginning.ts';
import { plainText } from '../../platform/lib/markdown.ts';
import { makeExcerpt } from '../../platform/lib/text.ts';

/** Characters of the description that lists show. */
const EXCERPT_CHARACTERS = 200;
/** UTF-16 units of a description that are read for it: signs, code blocks and tables take up some. */
const READ = 1_000;

/** The beginning of a description as lists show it: what it says, on one line. */
export function excerptOf(description: string): string {
  return makeExcerpt(plainText(beginningOf(description, READ)), EXCERPT_CHARACTERS);
}
