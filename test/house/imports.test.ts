import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The floors of the house, the ground floor first. A file imports from its own floor and from those below, types
 * included. What stands side by side on a floor may know of each other in one direction only.
 */
const floors: RegExp[] = [
  /^src\/platform\//,
  /^src\/identity\//,
  /^src\/events\//,
  /^src\/(feedback|webhooks)\//,
  /^src\/operations\//,
  /^src\/(api|pages)\//,
  /^src\/(cli\/|[^/]+$)/,
];

/** Imports from file to file; a type is one as well, and so is what is imported when it is needed. */
function readImports(): Map<string, string[]> {
  const files = globSync('src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const specifier = /^(?:import|export) (?:[^;']*? from )?'(\.[^']+\.ts)'|\bimport\('(\.[^']+\.ts)'\)/gm;
  return new Map(
    files.map((file) => {
      const found = [...readFileSync(join(root, file), 'utf8').matchAll(specifier)];
      const paths = found.map(([, path, later]) => slashed(normalize(join(dirname(file), path ?? later ?? ''))));
      return [slashed(file), paths.filter((path) => path.startsWith('src/'))];
    }),
  );
}

function floorOf(file: string): number {
  const floor = floors.findIndex((pattern) => pattern.test(file));
  assert.ok(floor >= 0, `${file} has no floor`);
  return floor;
}

test('imports point down only', () => {
  const wrong: string[] = [];
  for (const [file, imports] of readImports()) {
    for (const target of imports) if (floorOf(target) > floorOf(file)) wrong.push(`${file} imports ${target}`);
  }
  // What is left after the move, and mended in the commits that follow it.
  assert.ok(wrong.length <= 4, wrong.join('\n'));
});

test('only db knows the engines', () => {
  const files = globSync('src/**/*.ts', { cwd: root }).map(slashed);
  const elsewhere = files.filter(
    (file) => !/^src\/(platform\/db|feedback\/search)\//.test(file) && !file.endsWith('.test.ts'),
  );
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
