import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SiteFolder } from './folder.ts';

/** Icons of pages, beside the folder `assets`. */
const ICONS = ['icon.svg', 'apple-touch-icon.png', 'favicon.ico'];

/** The built files that pages without scripts need, by their names; each has its content in its name. */
export async function listAssets(clientFolder: string): Promise<string[]> {
  const names = await readdir(join(clientFolder, 'assets'));
  return names.filter((name) => /\.(css|woff2|svg|png|webp)$/.test(name)).sort();
}

/** Copies styles, fonts and icons, which name each other by relative paths. */
export async function copyAssets(folder: SiteFolder, clientFolder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    folder.write(`assets/${name}`, await readFile(join(clientFolder, 'assets', name)));
  }
  for (const name of ICONS) folder.write(name, await readFile(join(clientFolder, name)));
}
