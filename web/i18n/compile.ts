import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { languages } from '#src/platform/catalogues.ts';
import { packageFile } from '#src/platform/installed.ts';
import { FOR_BROWSERS } from '../server-code.ts';
import { isOfTeam } from './team.ts';
import type { Part } from './texts.ts';

/** A message: a text, or one for each plural category of `count` that needs its own. `{name}` is what the caller passes. */
export type Message = string | ({ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>);
export type Catalogue = Record<string, Message>;

const place = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const web = place('..');

/** The messages of the pages in one language as they are written. */
export function readCatalogue(language: string): Catalogue {
  const { server: _, ...messages } = JSON.parse(readFileSync(place(`${language}.json`), 'utf8'));
  return messages;
}

/** The names of a message's placeholders. */
export function placeholdersOf(message: Message): string[] {
  const text = typeof message === 'string' ? message : Object.values(message).join(' ');
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))].sort();
}

/**
 * Writes what the pages load of the catalogues: `languages.ts`, the languages there are; `messages.ts`, one function for
 * each message; and in `compiled/` the texts of each language by the place of their message. A browser loads those of its
 * own language only, and those that just the settings show only there. For the server: the keys of its texts.
 */
export function compileCatalogues(): void {
  const parts = divideMessages();
  const calls = placeMessages(parts);
  const functions = Object.values(parts).flatMap((messages) =>
    messages.map(([key, message]) => functionOf(key, message, calls.get(key) ?? '')),
  );
  write('messages.ts', `${IMPORTS}\n\n${functions.join('\n')}`);
  write(
    'languages.ts',
    [
      `export const languages = ${JSON.stringify(languages)} as const;`,
      'export type Locale = (typeof languages)[number];',
      '/** The languages to choose from, each by its own name. */',
      `export const languageNames: Record<Locale, string> = ${JSON.stringify(namesOf(languages))};`,
    ].join('\n'),
  );
  writeIfChanged(fileURLToPath(packageFile('src/platform/server-keys.ts')), keysOfServer());
  for (const language of languages) {
    const catalogue = readCatalogue(language);
    for (const [part, messages] of Object.entries(parts)) {
      const texts = messages.map(([key, fallback]) => `${expressionOf(catalogue[key] ?? fallback)},`);
      write(`compiled/${language}.${part}.js`, `export default (f, n) => [\n${texts.join('\n')}\n];`);
    }
  }
}

/** From here, not from the browser: its names may differ from those in the page. */
function namesOf(languages: readonly string[]): Record<string, string> {
  return Object.fromEntries(languages.map((code) => [code, nameOf(code)]));
}

function nameOf(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

const MADE = '// Made by compile.ts from the catalogues; not to be edited.\n';
const IMPORTS = `import type { Locale } from './languages.ts';\nimport { pagesText, settingsText } from './texts.ts';`;

/** The messages of each part in the order in which `compiled/` has them. */
function divideMessages(): Record<Part, [string, Message][]> {
  const english = Object.entries(readCatalogue('en'));
  const ofSettings = findMessagesOfSettings();
  return {
    pages: english.filter(([key]) => !ofSettings.has(key)),
    settings: english.filter(([key]) => ofSettings.has(key)),
  };
}

/** What makes the function of each message, such as `pagesText(12)`, by its name. */
export function placeMessages(parts = divideMessages()): Map<string, string> {
  const placed = Object.entries(parts).flatMap(([part, messages]) =>
    messages.map(([key], index) => [key, `${part}Text(${index})`] as const),
  );
  return new Map(placed);
}

/** The names of the messages that browsers show on pages of the team only, or not at all since the server writes them. */
function findMessagesOfSettings(): Set<string> {
  const [own, others] = [new Set<string>(), new Set<string>()];
  for (const file of globSync('**/*.{ts,tsx}', { cwd: web, exclude: ['build/**', '.react-router/**'] })) {
    const path = file.replaceAll('\\', '/');
    const used = isOfTeam(path) || isOfServer(path) ? own : others;
    for (const [, key = ''] of readFileSync(join(web, path), 'utf8').matchAll(/\bm\.(\w+)/g)) used.add(key);
  }
  return own.difference(others);
}

/** Whether browsers do not get a module, because it needs others of the server. Routes and parts of pages are for both. */
function isOfServer(path: string): boolean {
  // Beside this file stands what it has still to write.
  if (!path.endsWith('.ts') || path.startsWith('i18n/')) return false;
  const found = readFileSync(join(web, path), 'utf8').matchAll(/^import (?!type ).* from '([#.].*)'/gm);
  return [...found].some(([, name = '']) =>
    name.startsWith('#src/') ? !FOR_BROWSERS.has(name) : isOfServer(posix.join(posix.dirname(path), name)),
  );
}

/** The keys of the section `server`, with how many values each text has. */
function keysOfServer(): string {
  const texts = Object.entries(JSON.parse(readFileSync(place('en.json'), 'utf8')).server);
  const counts = texts.map(([key, text]) => `${key}: ${new Set(JSON.stringify(text).match(/\{\d\}/g)).size}`);
  return `${MADE}export type ServerTexts = { ${counts.join('; ')} };\n`;
}

/** A message as a function of the language, and of its values if it has any. Browsers load all of them: they are short. */
function functionOf(key: string, message: Message, text: string): string {
  const values = placeholdersOf(message).map((name) => `${name}: ${typeOf(name, message)}`);
  const parameters = values.length === 0 ? 'l: Locale' : `l: Locale, p: { ${values.join('; ')} }`;
  return `export const ${key}: (${parameters}) => string = /* @__PURE__ */ ${text};`;
}

function typeOf(name: string, message: Message): string {
  return typeof message === 'object' && name === 'count' ? 'number' : 'string | number';
}

/** A text, or a function that fills its values in. */
function expressionOf(message: Message): string {
  if (placeholdersOf(message).length === 0 && typeof message === 'string') return JSON.stringify(message);
  if (typeof message === 'string') return `(p) => ${templateOf(message)}`;
  const forms = Object.entries(message).map(([category, text]) => `${category}: ${templateOf(text)}`);
  return `(p) => n(p.count, { ${forms.join(', ')} })`;
}

function templateOf(text: string): string {
  const escaped = text.replace(/[\\`$]/g, '\\$&').replace(/\{(\w+)\}/g, '$${f(p.$1)}');
  return placeholdersOf(text).length > 0 ? `\`${escaped}\`` : JSON.stringify(text);
}

function write(name: string, text: string): void {
  writeIfChanged(place(name), `${MADE}${text}\n`);
}

/** Writes a file unless it is unchanged: a watching build would start again. */
export function writeIfChanged(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) compileCatalogues();
