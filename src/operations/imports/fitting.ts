import { POST_TEXT, POST_TITLE } from '../../feedback/posts/posts.ts';
import { countCharacters, cutText, makeExcerpt } from '../../platform/texts/text.ts';
import type { ImportedPost } from './items.ts';

/**
 * The title and text of an idea, as far as the board takes them. A title that is too long is shortened, and begins the text
 * as a whole; a text that is too long is cut off.
 * @param report is told of both
 */
export function fitTexts(
  { title, text: given }: ImportedPost,
  report: (message: string) => void,
): { title: string; text: string | null } {
  const length = countCharacters(title, POST_TITLE.max);
  const isLong = length > POST_TITLE.max;
  if (isLong) report(`The title has ${written(length)} characters: it is shortened, and begins the text as a whole`);
  const text = isLong ? [title, given].filter(Boolean).join('\n\n') : (given ?? '');
  const size = countCharacters(text, POST_TEXT.max);
  const isCut = size > POST_TEXT.max;
  if (isCut) report(`The text has ${written(size)} characters: it ends after the first ${written(POST_TEXT.max)}`);
  return {
    title: isLong ? makeExcerpt(title, POST_TITLE.max) : title,
    text: cutText(text, POST_TEXT.max) || null,
  };
}

const written = (count: number): string => count.toLocaleString('en');
