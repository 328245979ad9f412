import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What every server needs from its start. All other packages are loaded when something needs them. */
const atStart = [
  ...['@pothos/core', 'commander', 'fastify', 'graphql', 'graphql-http'],
  ...['ipaddr.js', 'kysely', 'lru-cache', 'pg', 'pino', 'prom-client', 'zod'],
];

test('a server without requests has loaded only what every server needs', () => {
  const files = new Set([join(root, 'src/main.ts'), join(root, 'src/cli/program.ts'), join(root, 'src/cli/serve.ts')]);
  const packages = new Map<string, string>();
  for (const file of files) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(STATIC)) {
      if (name.startsWith('.')) files.add(join(dirname(file), name));
      else if (!name.startsWith('node:')) packages.set(packageOf(name), relative(root, file));
    }
  }
  const more = [...packages].filter(([name]) => !atStart.includes(name));
  assert.deepEqual(
    more.map(([name, file]) => `${file} imports ${name}`),
    [],
  );
  assert.deepEqual([...packages.keys()].sort(), atStart);
});

/** Imports that are loaded with their file: neither those of types alone nor those by `import()`. */
const STATIC = /^(?:import|export)(?! type) (?:[^;']*? from )?'([^']+)'/gm;

/** A package may be imported by one of its parts. */
function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}
