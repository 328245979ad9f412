import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { moduleBeside } from '../installed.ts';
import type * as Markdown from './markdown.ts';

const require = createRequire(import.meta.url);
let markdown: typeof Markdown | undefined;

/**
 * The plain text of Markdown, see `markdown.ts`. That takes 40 ms and 18 MB to load, so it is loaded with the first text; by
 * `require`, because an `import` would have to be awaited wherever an excerpt is made.
 */
export function plainText(text: string): string {
  markdown ??= require(fileURLToPath(moduleBeside('markdown', import.meta.url))) as typeof Markdown;
  return markdown.plainText(text);
}
