import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { languages } from '../../src/platform/catalogues.ts';

/** A message: a text, or one for each plural category of `count` that needs its own. `{name}` is what the caller passes. */
export type Message = string | ({ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>);
export type Catalogue = Record<string, Message>;

const place = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** The messages of the pages in one language as they are written. */
export function readCatalogue(language: string): Catalogue {
  const { server: _, ...messages } = JSON.parse(readFileSync(place(`${language}.json`), 'utf8'));
  return messages;
}

/** The names of what a message needs from its caller. */
export function placeholdersOf(message: Message): string[] {
  const text = typeof message === 'string' ? message : Object.values(message).join(' ');
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))].sort();
}

/** Files that only pages of the settings load. */
const SETTINGS = /^(routes\/settings\/|ui\/webhooks\/|lib\/settings-pages\.ts)/;

const IMPORTS = `import { f, n } from './format.ts';\nimport type { Locale } from './languages.ts';`;

/**
 * Writes `messages.ts`, one function for each message, and `languages.ts`, the languages that have a catalogue. Visitors
 * of a board need not load what only the settings show, so that is a module of its own, `messages-of-settings.ts`. Messages
 * with values are not in it: what formats them would be taken out of the file that all pages load, too.
 */
export function compileCatalogues(): void {
  const catalogues = new Map(languages.map((language) => [language, readCatalogue(language)]));
  const messages = Object.entries(catalogues.get('en') ?? {});
  const ofSettings = findMessagesOfSettings();
  const linesOf = (isOfSettings: boolean) =>
    messages
      .filter(([key, message]) => (ofSettings.has(key) && placeholdersOf(message).length === 0) === isOfSettings)
      .map(([key, fallback]) => functionOf(key, fallback, catalogues))
      .join('\n');
  write('messages-of-settings.ts', `import type { Locale } from './languages.ts';\n\n${linesOf(true)}`);
  write('messages.ts', `${IMPORTS}\nexport * from './messages-of-settings.ts';\n\n${linesOf(false)}`);
  write(
    'languages.ts',
    `export const languages = ${JSON.stringify(languages)} as const;\nexport type Locale = (typeof languages)[number];`,
  );
}

/** The names of the messages that nothing but the settings shows. */
function findMessagesOfSettings(): Set<string> {
  const web = place('..');
  const [own, others] = [new Set<string>(), new Set<string>()];
  for (const file of globSync(['root.tsx', '{routes,ui,lib}/**/*.{ts,tsx}'], { cwd: web })) {
    const used = SETTINGS.test(file.replaceAll('\\', '/')) ? own : others;
    for (const [, key = ''] of readFileSync(join(web, file), 'utf8').matchAll(/\bm\.(\w+)/g)) used.add(key);
  }
  return own.difference(others);
}

/** A message as a function of the language, and of its values if it has any. */
function functionOf(key: string, fallback: Message, catalogues: ReadonlyMap<string, Catalogue>): string {
  const parameters = placeholdersOf(fallback).map((name) => `${name}: ${typeOf(name, fallback)}`);
  const signature = parameters.length === 0 ? 'l: Locale' : `l: Locale, p: { ${parameters.join('; ')} }`;
  const others = languages.slice(1).map((language) => {
    const message = catalogues.get(language)?.[key] ?? fallback;
    return `l === '${language}' ? ${expressionOf(message)} : `;
  });
  return `export const ${key} = (${signature}): string => ${others.join('')}${expressionOf(fallback)};`;
}

function typeOf(name: string, message: Message): string {
  return typeof message === 'object' && name === 'count' ? 'number' : 'string | number';
}

function expressionOf(message: Message): string {
  if (typeof message === 'string') return templateOf(message);
  const forms = Object.entries(message).map(([category, text]) => `${category}: ${templateOf(text)}`);
  return `n(l, p.count, { ${forms.join(', ')} })`;
}

function templateOf(text: string): string {
  const escaped = text.replace(/[\\`$]/g, '\\$&').replace(/\{(\w+)\}/g, '$${f(l, p.$1)}');
  return placeholdersOf(text).length > 0 ? `\`${escaped}\`` : JSON.stringify(text);
}

/** Writes a file unless it is so already: a build that watches would begin again. */
function write(name: string, text: string): void {
  const whole = `// Made by compile.ts from the catalogues; not to be edited.\n${text}\n`;
  const file = place(name);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== whole) writeFileSync(file, whole);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) compileCatalogues();
