import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../../platform/installed.ts';

/** Where `npm run build:tools` puts the playground and the sandbox. */
export const TOOLS_FOLDER = fileURLToPath(packageFile('web/build/tools'));

/** The files that a page begins with, as paths below the folder. */
export type Entry = { scripts: readonly string[]; styles: readonly string[] };

type Manifest = Record<string, { file: string; css?: string[]; imports?: string[] }>;

/** The files of a page, its own script first; null while they are not built. */
export function findEntry(source: string, folder = TOOLS_FOLDER): Entry | null {
  const file = join(folder, '.vite', 'manifest.json');
  if (!existsSync(file)) return null;
  const manifest: Manifest = JSON.parse(readFileSync(file, 'utf8'));
  const scripts = new Set<string>();
  const styles = new Set<string>();
  function add(name: string): void {
    const chunk = manifest[name];
    if (!chunk || scripts.has(chunk.file)) return;
    scripts.add(chunk.file);
    for (const imported of chunk.imports ?? []) add(imported);
    for (const style of chunk.css ?? []) styles.add(style);
  }
  add(source);
  return { scripts: [...scripts], styles: [...styles] };
}
