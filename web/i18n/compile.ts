import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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

/**
 * Writes `messages.ts`, one function for each message, so that a page carries only those that it shows; and
 * `languages.ts`, the languages that have a catalogue.
 */
export function compileCatalogues(): void {
  const catalogues = new Map(languages.map((language) => [language, readCatalogue(language)]));
  const lines = Object.entries(catalogues.get('en') ?? {}).map(([key, fallback]) => {
    const parameters = placeholdersOf(fallback).map((name) => `${name}: ${typeOf(name, fallback)}`);
    const signature = parameters.length === 0 ? 'l: Locale' : `l: Locale, p: { ${parameters.join('; ')} }`;
    const others = languages.slice(1).map((language) => {
      const message = catalogues.get(language)?.[key] ?? fallback;
      return `l === '${language}' ? ${expressionOf(message)} : `;
    });
    return `export const ${key} = (${signature}): string => ${others.join('')}${expressionOf(fallback)};`;
  });
  write(
    'messages.ts',
    `import { f, n } from './format.ts';\nimport type { Locale } from './languages.ts';\n\n${lines.join('\n')}`,
  );
  write(
    'languages.ts',
    `export const languages = ${JSON.stringify(languages)} as const;\nexport type Locale = (typeof languages)[number];`,
  );
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
