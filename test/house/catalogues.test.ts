import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { languages } from '../../src/platform/catalogues.ts';
import { keyOf, readServerTexts, type ServerKey, templateOf } from '../../src/platform/server-texts.ts';
import { type Message, placeholdersOf, readCatalogue } from '../../web/i18n/compile.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const web = fileURLToPath(new URL('../../web/', import.meta.url));
const english = readCatalogue('en');

/** Languages that the project itself writes. In the others, what is not translated yet is shown in English. */
const complete = ['en', 'de'];

test('every language has the same messages with the same placeholders, and plurals that it distinguishes', (t) => {
  for (const language of languages) {
    const catalogue = readCatalogue(language);
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const untranslated = Object.keys(english).filter((key) => !(key in catalogue));
    if (complete.includes(language)) assert.deepEqual(untranslated, [], language);
    else if (untranslated.length > 0) t.diagnostic(`${language} lacks ${untranslated.join(', ')}`);
    for (const [key, translated] of Object.entries(catalogue)) {
      const message = english[key];
      assert.ok(message !== undefined, `${language} has a message that there is not: ${key}`);
      assert.deepEqual(placeholdersOf(translated), placeholdersOf(message), `${language}: ${key}`);
      assert.equal(typeof translated, typeof message, `${language}: ${key}`);
      if (typeof translated === 'string') continue;
      for (const category of Object.keys(translated)) {
        assert.ok(
          categories.some((known) => known === category),
          `${language}: ${key}: ${category}`,
        );
      }
    }
  }
});

test('no message is much longer than the English one, which the pages are drawn for', () => {
  const longest = (message: Message) =>
    Math.max(...(typeof message === 'string' ? [message] : Object.values(message)).map((text) => text.length));
  for (const language of languages) {
    const catalogue = readCatalogue(language);
    const long = Object.entries(english).filter(
      ([key, message]) => longest(catalogue[key] ?? '') > 2 * longest(message) + 12,
    );
    assert.deepEqual(long, [], language);
  }
});

test('every language has the texts of the server, with their placeholders, and each is used somewhere', (t) => {
  const files = globSync(['src/**/*.ts', 'web/**/*.{ts,tsx}'], {
    cwd: root,
    exclude: ['**/*.test.ts', 'web/{build,.react-router}/**'],
  });
  const code = files.map((file) => readFileSync(root + file, 'utf8')).join('\n');
  const said = new Set<string | null>([...code.matchAll(/\bmsg\(\s*'(\w+)'/g)].map(([, key = '']) => key));
  // Words that are data have the key of their text; outcomes are put together, with numbers for placeholders.
  for (const [, words = ''] of code.matchAll(/'([^'\n]+)'/g)) said.add(keyOf(words));
  const isFound = (key: string) => said.has(key) || /^(answered|deliveredAnswered|timedOut)|NotFound$/.test(key);
  const keys = [...readServerTexts('en').keys()] as ServerKey[];
  for (const key of keys) {
    assert.ok(isFound(key), `nothing says ${key}`);
    assert.equal(keyOf(templateOf(key)), key, 'two texts say the same');
  }
  for (const language of languages) {
    const texts = readServerTexts(language);
    const untranslated = keys.filter((key) => !texts.has(key));
    if (complete.includes(language)) assert.deepEqual(untranslated, [], language);
    else if (untranslated.length > 0) t.diagnostic(`${language} lacks ${untranslated.join(', ')}`);
    for (const [key, text] of texts) {
      const known = keys.find((one) => one === key) ?? assert.fail(`${language} has a text that there is not: ${key}`);
      const values = placeholdersOf(templateOf(known));
      assert.deepEqual(
        placeholdersOf(text).filter((value) => !values.includes(value)),
        [],
        `${language}: ${key}`,
      );
    }
  }
});

test('toasts end without a full stop', () => {
  for (const language of languages) {
    const toasts = Object.entries(readCatalogue(language)).filter(([key]) => /^done[A-Z]/.test(key));
    assert.deepEqual(
      toasts.filter(([, message]) => String(message).endsWith('.')),
      [],
      language,
    );
  }
});

test('every message is shown somewhere', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: web, exclude: ['build/**', '.react-router/**', 'i18n/messages.ts'] });
  const text = files.map((file) => readFileSync(web + file, 'utf8')).join('\n');
  const unused = Object.keys(english).filter((key) => !new RegExp(`\\bm\\.${key}\\b`).test(text));
  assert.deepEqual(unused, []);
});

test('German addresses people as “Sie”', () => {
  const text = readFileSync(`${web}i18n/de.json`, 'utf8');
  assert.deepEqual(text.match(/\b(?:du|dich|dir|dein(?:e[mnrs]?)?)\b[^"]*/gi), null);
});
