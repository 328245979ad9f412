import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const web = fileURLToPath(new URL('../../web/', import.meta.url));
const files = globSync('**/*.{css,ts,tsx}', { cwd: web, exclude: ['{build,.react-router,tools,sandbox}/**'] });
const texts = files.map((file) => [file, readFileSync(join(web, file), 'utf8')] as const);

test('every custom property that styles use is set somewhere', () => {
  const set = new Set(
    texts
      .flatMap(([, text]) => [...text.matchAll(/(--[\w-]+)['"]?:|setProperty\('(--[\w-]+)'/g)])
      .map(([, a, b]) => a ?? b),
  );
  const missing = texts.flatMap(([file, text]) =>
    [...text.matchAll(/var\((--[\w-]+)\)/g)].flatMap(([, name]) => (set.has(name) ? [] : [`${file}: ${name}`])),
  );
  assert.deepEqual(missing, []);
});

/** What other engines draw wrongly, and the reason. */
const FAULTY: readonly [what: RegExp, why: string][] = [
  [/@starting-style/, 'WebKit never leaves it where there are position-try-fallbacks'],
  [/repeating-(linear|radial|conic)-gradient/, 'Firefox fills the gaps of one from transparent to an oklch color'],
];

test('no style is one that other engines draw wrongly', () => {
  const found = texts.flatMap(([file, text]) =>
    FAULTY.flatMap(([what, why]) =>
      what.test(text.replace(/\/\*.*?\*\//gs, '')) ? [`${file}: ${what.source}: ${why}`] : [],
    ),
  );
  assert.deepEqual(found, []);
});

test('the order of the layers does not depend on which file is loaded first', () => {
  const styles = texts.filter(([file]) => file.endsWith('.css') && !file.endsWith('tokens.css'));
  const wrong = styles.filter(([, text]) => !text.startsWith('@layer tokens, base, parts, pages'));
  assert.deepEqual(
    wrong.map(([file]) => file),
    [],
  );
});
