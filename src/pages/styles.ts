import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The texts of the built style sheets: few, and the same for every page. */
const texts = new Map<string, string>();

/**
 * Reads style sheets for a page that has them in itself.
 * @param folder the built files for browsers
 * @param paths as pages link them, for example `/assets/root-DyJvL6ao.css`; React Router ends those with `#` that a part
 * of the page loads later, too
 */
export function readStyles(folder: string, paths: readonly string[]): string {
  return paths
    .map((path) => {
      const text = texts.get(path) ?? readFileSync(join(folder, path.replace(/#$/, '')), 'utf8');
      texts.set(path, text);
      return text;
    })
    .join('\n');
}
