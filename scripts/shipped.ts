import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package that is part of what is released: built into it, or installed with it. */
export type Shipped = {
  name: string;
  version: string;
  license: string;
  /** Its folder in the project; packages for other systems are not there. */
  path: string;
};

type Locked = Pick<Shipped, 'version' | 'license'> & {
  dev?: boolean;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
};

/** What is imported only while the pages are built. */
const BUILD_TOOLS = new Set(['vite', '@react-router/dev']);
/** Read by the build instead of being imported. */
const READ_BY_BUILD = ['@iconify-json/lucide'];
const IMPORT = /^(?:import|export)\b[^;'"]*?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

/**
 * Every package that a release contains, by the lock file: what npm installs with it, and what is built into the
 * program, the pages, the tools and the widget, with all that these depend on.
 */
export function findShipped(root: string): Shipped[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const running = Object.keys(packages).filter((path) => path !== '' && !packages[path]?.dev);
  const found = new Set(running);
  const add = (name: string, from: string) => {
    const path = resolve(packages, name, from);
    if (path === null || found.has(path)) return;
    found.add(path);
    const { dependencies, peerDependencies, peerDependenciesMeta } = packages[path] as Locked;
    const peers = Object.keys(peerDependencies ?? {}).filter((peer) => !peerDependenciesMeta?.[peer]?.optional);
    for (const other of [...Object.keys(dependencies ?? {}), ...peers]) add(other, path);
  };
  for (const name of [...importedBySources(root), ...READ_BY_BUILD]) add(name, '');
  return [...found]
    .map((path) => ({ path, name: nameOf(path), ...(packages[path] as Locked) }))
    .map(({ name, version, license, path }) => ({ name, version, license, path }))
    .sort((a, b) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1));
}

function importedBySources(root: string): string[] {
  const found = globSync('{src,web}/**/*.{ts,tsx}', { cwd: root, exclude: (name) => name === 'build' });
  const files = found.filter((name) => !/[.]test[.]tsx?$/.test(name));
  const specifiers = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)]
      .filter(([text]) => !text.startsWith('import type'))
      .map(([, from, called]) => from ?? called ?? ''),
  );
  const names = specifiers.flatMap((specifier) => /^(?:@[\w.-]+\/)?[\w.-]+/.exec(specifier)?.[0] ?? []);
  const ofPackages = names.filter((name) => !/^\.|^(node|virtual)$/.test(name) && !BUILD_TOOLS.has(name));
  return [...new Set(ofPackages)];
}

/** Where Node finds a package that another one names: in the nearest folder above. */
function resolve(packages: Record<string, Locked>, name: string, from: string): string | null {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (packages[path]) return path;
  return from === '' ? null : resolve(packages, name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
