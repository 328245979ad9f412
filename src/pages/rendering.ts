import { beginningOf } from '../platform/lib/beginning.ts';
import { Lane } from '../platform/lib/lane.ts';
import { TextCache } from '../platform/lib/text-cache.ts';

/** Bytes of HTML that a process keeps: pages show the same texts again and again. */
const KEPT_BYTES = 16 * 1_048_576;

/** What a text looks like depends on nothing but the text, so all requests share what is kept. */
const kept = new TextCache(KEPT_BYTES);

/** A process has one event loop, so one piece is rendered in each of its turns: other requests have theirs between two. */
const lane = new Lane(1);

/** Renders a page, or a part of one, once its turn has come. */
export function renderInTurn<T>(render: () => T | Promise<T>): Promise<T> {
  return lane.within(render);
}

/** Markdown of a visitor as HTML, see `renderMarkdown` in `platform/lib/markdown.ts`. */
export async function renderMarkdown(text: string): Promise<string> {
  const known = kept.get(text);
  if (known !== undefined) return known;
  // What renders takes 40 ms and 5 MB to load, so it comes with the first page that shows a text.
  const markdown = await import('../platform/lib/markdown.ts');
  return renderInTurn(() => {
    const html = kept.get(text) ?? markdown.renderMarkdown(text);
    kept.set(text, html);
    return html;
  });
}

/** A text of more UTF-16 units than a page shows at once, and so many of it that are shown. */
export type Folding = { from: number; shown: number };

/** Likewise, and of a long text only its beginning. */
export async function renderBeginning(
  text: string,
  { from, shown }: Folding,
): Promise<{ html: string; isCut: boolean }> {
  const isCut = text.length > from;
  return { html: await renderMarkdown(isCut ? beginningOf(text, shown) : text), isCut };
}
