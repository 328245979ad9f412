import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A message: a text, or for each plural category of `count` one. `{name}` stands for what the caller passes. */
export type Message = string | { one: string; other: string };
export type Catalogue = Record<string, Message>;

/** The languages of the pages; the first has every message and is the fallback. */
export const languages = ['en', 'de'] as const;

const place = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** The messages of one language as they are written. */
export function readCatalogue(language: string): Catalogue {
  return JSON.parse(readFileSync(place(`${language}.json`), 'utf8'));
}

/** The names of what a message needs from its caller. */
export function placeholdersOf(message: Message): string[] {
  const text = typeof message === 'string' ? message : Object.values(message).join(' ');
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))].sort();
}

/** Writes `messages.ts`: one function for each message, so that a page carries only those that it shows. */
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
  const text = `${HEAD}${lines.join('\n')}\n`;
  const file = place('messages.ts');
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

const HEAD = `// Made by compile.ts from the catalogues; not to be edited.
import { f, type Locale, n } from './format.ts';

`;

function typeOf(name: string, message: Message): string {
  return typeof message === 'object' && name === 'count' ? 'number' : 'string | number';
}

function expressionOf(message: Message): string {
  if (typeof message === 'string') return templateOf(message);
  return `n(l, p.count, ${templateOf(message.one)}, ${templateOf(message.other)})`;
}

function templateOf(text: string): string {
  const escaped = text.replace(/[\\`$]/g, '\\$&').replace(/\{(\w+)\}/g, '$${f(l, p.$1)}');
  return placeholdersOf(text).length > 0 ? `\`${escaped}\`` : JSON.stringify(text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) compileCatalogues();
