import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The floors of the house, the ground floor first: a file may import from its own floor and those below. The first
 * pattern that fits a file is its floor.
 */
const floors: [name: string, pattern: RegExp][] = [
  ['lib', /^src\/(lib\/|errors\.ts|config\.ts|metrics\/|version\.ts)/],
  ['db', /^src\/db\//],
  ['main', /^src\/main\.ts/],
  ['commands', /^src\/commands\//],
  ['app', /^src\/(app\.ts|background\.ts|features\.ts|store-figures\.ts)/],
  ['web', /^src\/web\//],
  ['graphql endpoint', /^src\/graphql\/(route|answer|idempotency|execute|schema)\.ts/],
  [
    'graphql',
    /^src\/graphql\/(builder|collect|columns|compile|context|limits|loader|page|run|selections|steps|texts)\.ts/,
  ],
  ['pages', /^src\/(playground|sandbox)\//],
  ['events', /^src\/events\/(events|deliveries)\.ts/],
  ['accounts', /^src\/accounts\//],
  ['features', /^src\/\w+\//],
  ['call', /^src\/call\.ts/],
];
const order = [
  'lib',
  'db',
  'accounts',
  'call',
  'events',
  'graphql',
  'features',
  'graphql endpoint',
  'pages',
  'web',
  'app',
  'commands',
  'main',
];

/** Imports of values, from file to file. Types have no direction: they are gone when the program runs. */
function readImports(): Map<string, string[]> {
  const files = globSync('src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const specifiers = [...text.matchAll(/^(?:import|export) (?!type )(?:[^;]*? from )?'(\.[^']+\.ts)'/gms)];
      return [slashed(file), specifiers.map(([, path = '']) => slashed(normalize(join(dirname(file), path))))];
    }),
  );
}

function floorOf(file: string): string {
  const floor = floors.find(([, pattern]) => pattern.test(file));
  assert.ok(floor, `${file} has no floor`);
  return floor[0];
}

test('imports point down only', () => {
  const wrong: string[] = [];
  for (const [file, imports] of readImports()) {
    for (const target of imports) {
      if (order.indexOf(floorOf(target)) > order.indexOf(floorOf(file))) wrong.push(`${file} imports ${target}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('no file imports itself through others', () => {
  const imports = readImports();
  const done = new Set<string>();
  function visit(file: string, path: readonly string[]): void {
    assert.ok(!path.includes(file), `a cycle: ${[...path, file].join(' → ')}`);
    if (done.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  }
  for (const file of imports.keys()) visit(file, []);
});

test('only db knows the engines', () => {
  const files = globSync('src/**/*.ts', { cwd: root }).map(slashed);
  const elsewhere = files.filter((file) => !/^src\/(db|search)\//.test(file) && !file.endsWith('.test.ts'));
  const wrong = elsewhere.filter((file) =>
    /from '(pg|node:sqlite)'|sql\.raw\(/.test(readFileSync(join(root, file), 'utf8')),
  );
  assert.deepEqual(wrong, []);
});

test('files are short', () => {
  const places = ['{src,test,scripts,bench}/**/*.ts', 'web/**/*.{ts,tsx,css}'];
  const files = globSync(places, { cwd: root, exclude: ['**/node_modules/**', 'web/build/**'] }).map(slashed);
  const long = files.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 300);
  // The corpus is a list of documents and the messages are made: data, which a split would only hide.
  assert.deepEqual(
    long.filter((file) => !/corpus|i18n\/messages/.test(file)),
    [],
  );
});

function slashed(path: string): string {
  return path.split(sep).join('/');
}
