import { AsyncLocalStorage } from 'node:async_hooks';
import { Lane } from '../platform/lib/lane.ts';
import { beginningOf } from '../platform/texts/beginning.ts';
import { TextCache } from '../platform/texts/text-cache.ts';

/** Bytes of cached HTML in a process: pages show the same texts again and again. */
const KEPT_BYTES = 16 * 1_048_576;

/** The HTML of a text depends only on the text, so all requests share the cache. */
const kept = new TextCache(KEPT_BYTES);

/** A process has one event loop, so one piece is rendered in each of its turns, and other requests run in between. */
const lane = new Lane(1);

/** The network for which a page is made. */
const askers = new AsyncLocalStorage<string>();

/** Makes a page for a network: what is rendered in the course of it takes turns with what other networks ask for. */
export function renderFor<T>(network: string, work: () => Promise<T>): Promise<T> {
  return askers.run(network, work);
}

/** Renders a page, or a part of one, once its turn has come. */
export function renderInTurn<T>(render: () => T | Promise<T>): Promise<T> {
  return lane.within(render, askers.getStore());
}

/** Markdown of a visitor as HTML, see `renderMarkdown` in `platform/texts/markdown.ts`. */
export async function renderMarkdown(text: string): Promise<string> {
  const known = kept.get(text);
  if (known !== undefined) return known;
  // The renderer takes 40 ms and 5 MB to load, so it is loaded with the first page that shows a text.
  const markdown = await import('../platform/texts/markdown.ts');
  return renderInTurn(() => {
    const html = kept.get(text) ?? markdown.renderMarkdown(text);
    kept.set(text, html);
    return html;
  });
}

/** Texts longer than this many UTF-16 units are shortened, to this many. */
type Folding = { from: number; shown: number };

/** Renders Markdown, but only the beginning of a long text. */
export async function renderBeginning(
  text: string,
  { from, shown }: Folding,
): Promise<{ html: string; isCut: boolean }> {
  const isCut = text.length > from;
  return { html: await renderMarkdown(isCut ? beginningOf(text, shown) : text), isCut };
}
