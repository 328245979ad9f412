import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { languages, placeholdersOf, readCatalogue } from '../../web/i18n/compile.ts';

const web = fileURLToPath(new URL('../../web/', import.meta.url));
const english = readCatalogue('en');

test('every language has the same messages with the same placeholders and plurals', () => {
  for (const language of languages.slice(1)) {
    const catalogue = readCatalogue(language);
    assert.deepEqual(Object.keys(catalogue).sort(), Object.keys(english).sort(), language);
    for (const [key, message] of Object.entries(english)) {
      const translated = catalogue[key] ?? '';
      assert.deepEqual(placeholdersOf(translated), placeholdersOf(message), `${language}: ${key}`);
      assert.equal(typeof translated, typeof message, `${language}: ${key}`);
    }
  }
});

test('every message is shown somewhere', () => {
  const files = globSync('{routes,ui,lib}/**/*.{ts,tsx}', { cwd: web }).concat('root.tsx');
  const text = files.map((file) => readFileSync(web + file, 'utf8')).join('\n');
  const unused = Object.keys(english).filter((key) => !new RegExp(`\\bm\\.${key}\\b`).test(text));
  assert.deepEqual(unused, []);
});
