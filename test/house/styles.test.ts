import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const web = fileURLToPath(new URL('../../web/', import.meta.url));
const files = globSync(['styles/*.css', '{ui,routes,lib}/**/*.{ts,tsx}', 'root.tsx'], { cwd: web });
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

test('the order of the layers does not depend on which file is loaded first', () => {
  const styles = texts.filter(([file]) => file.endsWith('.css') && !file.endsWith('tokens.css'));
  const wrong = styles.filter(([, text]) => !text.startsWith('@layer tokens, base, parts, pages'));
  assert.deepEqual(
    wrong.map(([file]) => file),
    [],
  );
});
