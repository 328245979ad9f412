import { readFileSync } from 'node:fs';
import { packageFile } from './installed.ts';
import type { ServerTexts } from './server-keys.ts';

export type ServerKey = keyof ServerTexts;

/** A text of the section `server`. In English it may be worded otherwise for people, who do not see arguments. */
type ServerText = string | { readonly api: string; readonly pages: string };

const english = readSection('en');
const keys = new Map(Object.entries(english).map(([key, text]) => [forApi(text), key]));

/** An English text as the API has it, with `{0}`, `{1}` for values. */
export function templateOf(key: ServerKey): string {
  return forApi(english[key] ?? key);
}

/** The key of an English text; of one from an earlier version, or from elsewhere, its words written as one. */
export function keyOf(template: string): ServerKey | null {
  const key = keys.get(template) ?? keyOfWords(template);
  return Object.hasOwn(english, key) ? (key as ServerKey) : null;
}

/** `TLS certificate expired` → `tlsCertificateExpired` */
function keyOfWords(words: string): string {
  const plain = words.replace(/\{\d\}/g, '').toLowerCase();
  return plain.replace(/[^a-z0-9]+(.)?/g, (_, next: string = '') => next.toUpperCase());
}

/** The texts of the server in a language, for people, by their keys. */
export function readServerTexts(language: string): ReadonlyMap<string, string> {
  const texts = Object.entries(readSection(language));
  return new Map(texts.map(([key, text]) => [key, typeof text === 'string' ? text : text.pages]));
}

function readSection(language: string): Readonly<Record<string, ServerText>> {
  return JSON.parse(readFileSync(packageFile(`web/i18n/${language}.json`), 'utf8')).server;
}

function forApi(text: ServerText): string {
  return typeof text === 'string' ? text : text.api;
}
