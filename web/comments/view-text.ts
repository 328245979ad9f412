import { renderMarkdown } from '#src/pages/rendering.ts';
import { asTyped, mentionedIn, nameMentions } from '#src/platform/texts/mentions.ts';
import type { View } from '../parts/requests/joining.ts';
import { peopleOf } from '../parts/requests/people.ts';

/** A text as HTML and as people type it, with the current names of the users that it mentions. */
export async function viewText(view: View, text: string): Promise<{ html: string; source: string }> {
  const personOf = await peopleOf(view, mentionedIn(text));
  const nameOf = (id: string) => personOf(id)?.name;
  return { html: nameMentions(await renderMarkdown(text), nameOf), source: asTyped(text, nameOf) };
}
