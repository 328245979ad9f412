import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The texts of the built style sheets: few, and the same for every page. */
const texts = new Map<string, string>();

/**
 * Reads style sheets for a page that has them in itself.
 * @param folder the built files for browsers
 * @param prefix that of the server
 * @param paths as pages link them, for example `/assets/root-DyJvL6ao.css` below the prefix; React Router ends those with
 * `#` that a part of the page loads later, too
 */
export function readStyles(folder: string, prefix: string, paths: readonly string[]): string {
  return paths
    .map((path) => {
      const text = texts.get(path) ?? readSheet(folder, prefix, path);
      texts.set(path, text);
      return text;
    })
    .join('\n');
}

/** Within a page, what a sheet names relative to itself is named by its whole path. */
function readSheet(folder: string, prefix: string, path: string): string {
  const sheet = readFileSync(join(folder, path.slice(prefix.length).replace(/#$/, '')), 'utf8');
  return sheet.replaceAll('url(./', `url(${prefix}/assets/`);
}
