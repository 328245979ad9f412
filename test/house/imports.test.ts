import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The floors of the house, the ground floor first. A file imports from its own floor and from those below, types
 * included, and nothing on a floor imports itself through others.
 */
const floors = [
  /^src\/platform\//,
  /^src\/identity\//,
  /^src\/events\//,
  /^src\/(feedback|webhooks)\//,
  /^src\/operations\//,
  /^src\/(api|pages)\//,
  /^src\/(cli\/|[^/]+$)/,
  // The pages, which import nothing of the server but by `#src/`.
  /^web\/(lib\/|i18n\/|icons\/|server-code)/,
  /^web\/(parts|widget|vote)\//,
  /^web\/[^/]+\//,
  /^web\/[^/]+$/,
];
const MAX_AT_THE_TOP = 14;
const MAX_LAYERS = 10;
const MAX_LINES = 350;
const MAX_IN_A_FOLDER = 25;
/** Files and packages that a file imports. */
const MAX_IMPORTS = 30;

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

const imports = readImports();

/** Imports from file to file: of types and styles, too, and those that wait until they are needed. Tests see everything. */
function readImports(): Graph {
  const files = globSync(['src/**/*.ts', 'web/**/*.{ts,tsx}'], {
    cwd: root,
    exclude: ['**/*.test.ts', 'web/{build,.react-router}/**'],
  });
  const specifier = /^(?:import|export) (?:[^;']*? from )?'(\.[^'?]+\.(?:tsx?|css))\b|\bimport\('(\.[^']+\.tsx?)'\)/gm;
  return new Map(
    files.map((file) => {
      const found = [...readFileSync(join(root, file), 'utf8').matchAll(specifier)];
      const paths = found.map(([, path, later]) => slashed(normalize(join(dirname(file), path ?? later ?? ''))));
      return [slashed(file), new Set(paths)];
    }),
  );
}

/** Imports between larger parts: the first folders of each path, or the file where there are fewer. */
function importsBetween(folders: number): Graph {
  const partOf = (file: string) => file.split('/', folders + 1).join('/');
  const parts = new Map<string, Set<string>>();
  for (const [file, targets] of imports) {
    const part = parts.get(partOf(file)) ?? new Set();
    for (const target of targets) if (partOf(target) !== partOf(file)) part.add(partOf(target));
    parts.set(partOf(file), part);
  }
  return parts;
}

/** How many layers the parts stand in: each above all that it imports. @throws when one imports itself through others */
function countLayers(graph: Graph): number {
  const layers = new Map<string, number>();
  function layerOf(part: string, path: readonly string[]): number {
    assert.ok(!path.includes(part), `a circle: ${[...path, part].join(' → ')}`);
    const known = layers.get(part);
    if (known !== undefined) return known;
    const below = [...(graph.get(part) ?? [])].map((target) => layerOf(target, [...path, part]));
    const layer = 1 + Math.max(0, ...below);
    layers.set(part, layer);
    return layer;
  }
  return Math.max(...[...graph.keys()].map((part) => layerOf(part, [])));
}

function floorOf(file: string): number {
  const floor = floors.findIndex((pattern) => pattern.test(file));
  assert.ok(floor >= 0, `${file} has no floor`);
  return floor;
}

test('imports point down only', () => {
  const wrong = [...imports].flatMap(([file, targets]) =>
    [...targets].filter((target) => floorOf(target) > floorOf(file)).map((target) => `${file} imports ${target}`),
  );
  assert.deepEqual(wrong, []);
});

test('no file and no folder imports itself through others', () => {
  countLayers(imports);
  countLayers(importsBetween(2));
});

test('the structure can be seen: little is at the top, in few layers', () => {
  const top = importsBetween(1);
  assert.ok([...top.keys()].filter((part) => part.startsWith('src/')).length <= MAX_AT_THE_TOP);
  assert.ok(countLayers(top) <= MAX_LAYERS);
});

test('a folder of the pages can be seen at a glance', () => {
  const sizes = new Map<string, number>();
  for (const file of globSync('web/**/*.*', { cwd: root, exclude: ['web/{build,.react-router,i18n/compiled}/**'] }))
    sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
  const large = [...sizes].filter(([, size]) => size > MAX_IN_A_FOLDER);
  assert.deepEqual(large, []);
});

test('no file brings together more than can be seen at a glance', () => {
  const files = globSync(['src/**/*.ts', 'web/**/*.{ts,tsx}'], {
    cwd: root,
    exclude: ['**/*.test.ts', 'web/{build,.react-router}/**'],
  });
  const counts = files.map((file) => {
    const found = readFileSync(join(root, file), 'utf8').matchAll(
      /^(?:import|export|\}) (?:[^;']*? )?from '([^']+)'/gm,
    );
    return [file, new Set([...found].map(([, from]) => from)).size] as const;
  });
  assert.deepEqual(
    counts.filter(([, count]) => count > MAX_IMPORTS),
    [],
  );
});

test('only db knows the engines', () => {
  const elsewhere = globSync('src/**/*.ts', { cwd: root })
    .map(slashed)
    .filter((file) => !/^src\/(platform\/db|feedback\/search)\//.test(file) && !file.endsWith('.test.ts'));
  const wrong = elsewhere.filter((file) =>
    /from '(pg|node:sqlite)'|sql\.raw\(/.test(readFileSync(join(root, file), 'utf8')),
  );
  assert.deepEqual(wrong, []);
});

test('pages import the server’s code by one spelling', () => {
  const pages = globSync('web/**/*.{ts,tsx}', { cwd: root, exclude: ['web/build/**'] });
  const wrong = pages.filter((file) => /['"](\.\.\/)+src\//.test(readFileSync(join(root, file), 'utf8')));
  assert.deepEqual(wrong, []);
});

test('a property stands on a line of its own, or in an object that fits on one', () => {
  const files = globSync('{src,web,test,scripts,bench,sdk/src}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules/**', 'web/build/**'],
  });
  const packed = files.filter((file) => /^\s+\.\.\.\{ /m.test(readFileSync(join(root, file), 'utf8')));
  assert.deepEqual(packed, []);
});

test('files are short', () => {
  const places = ['{src,test,scripts,bench,sdk/src,integrations}/**/*.ts', 'web/**/*.{ts,tsx,css}'];
  const files = globSync(places, { cwd: root, exclude: ['**/node_modules/**', 'web/build/**'] }).map(slashed);
  const long = files.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > MAX_LINES);
  // The corpus is a list of documents and the messages are made: data, which a split would only hide.
  assert.deepEqual(
    long.filter((file) => !/corpus|i18n\/messages|sdk\/src\/schema/.test(file)),
    [],
  );
});

function slashed(path: string): string {
  return path.split(sep).join('/');
}
