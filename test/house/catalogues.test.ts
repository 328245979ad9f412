import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { languages, readServerMessages } from '../../src/platform/catalogues.ts';
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

test('every language has all messages of the server, and nothing else; English only those with other words on pages', () => {
  const files = globSync('src/**/*.ts', { cwd: root, exclude: (file) => file.endsWith('.test.ts') });
  const sources = files
    .filter((file) => !file.endsWith('platform/messages.ts'))
    .map((file) => readFileSync(root + file, 'utf8'));
  const written = new Set(sources.flatMap(templatesIn));
  // Reasons and outcomes are looked up as they are found; outcomes are put together, with numbers for placeholders.
  const code = sources.concat(readFileSync(`${web}settings/keys/settings.ts`, 'utf8')).join('\n');
  const isFound = (text: string) =>
    code.includes(`'${text}'`) || /^(answered|delivered,|timed out) | not found$/.test(text);
  const known = Object.keys(readServerMessages('de'));
  for (const language of languages) {
    const messages = readServerMessages(language);
    for (const template of language === 'de' ? [...written, ...known] : []) {
      assert.ok(messages[template] !== undefined, `${language}: ${template}`);
    }
    for (const [template, message] of Object.entries(messages)) {
      const missing = placeholdersOf(message).filter((name) => !placeholdersOf(template).includes(name));
      assert.deepEqual(missing, [], `${language}: ${template}`);
      assert.ok(
        written.has(template) || isFound(template),
        `${language} has a message that nothing writes: ${template}`,
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

/** The templates of msg`…` in a source: each value, which may have braces of its own, as `{0}`, `{1}` and so on. */
function templatesIn(source: string): string[] {
  const value = /\$\{(?:[^{}`]|\{[^{}]*\})*\}/g;
  return [...source.matchAll(/\bmsg`([^`]*)`/g)].map(([, text = '']) => {
    let n = 0;
    return text.replace(value, () => `{${n++}}`);
  });
}

test('every message is shown somewhere', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: web, exclude: ['build/**', '.react-router/**', 'i18n/messages.ts'] });
  const text = files.map((file) => readFileSync(web + file, 'utf8')).join('\n');
  const unused = Object.keys(english).filter((key) => !new RegExp(`\\bm\\.${key}\\b`).test(text));
  assert.deepEqual(unused, []);
});
