/// <reference types="vite/client" />

import { loadPart } from '../lib/load-part.ts';
import { browserPrefix } from '../lib/prefix.ts';
import { formatCount } from './format.ts';
import type { Locale } from './languages.ts';

type Values = Readonly<Record<string, string | number>>;

/** A text with values, which it fills in. */
type Filled = (values: Values) => string;

/** What the messages of `messages.ts` are in one language, by their place. */
type Texts = readonly (string | Filled)[];

/** `settings` are those that only pages of the team show. */
export type Part = 'pages' | 'settings';

type PluralForms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/**
 * What a file of `compiled/` exports.
 * @param f writes a value inside of a message: numbers get the separators of the language
 * @param n chooses the text for a number, in the plural category that the language has for it
 */
export type MakeTexts = (
  f: (value: string | number) => string,
  n: (count: number, forms: PluralForms) => string,
) => Texts;

const known = new Map<string, Texts>();

/** Where a browser finds the texts of a language, such as `de.pages`, below the prefix. */
export function addressOf(name: string): string {
  const files = import.meta.glob<string>('./compiled/*.js', { query: '?url', import: 'default', eager: true });
  return files[`./compiled/${name}.js`] ?? '';
}

/** Registers the texts of a language: on the server all, in a browser those that it has loaded. */
export function addTexts(name: string, make: MakeTexts): void {
  const [language = ''] = name.split('.');
  const plurals = new Intl.PluralRules(language);
  const f = (value: string | number) => (typeof value === 'number' ? formatCount(language, value) : value);
  known.set(
    name,
    make(f, (count, forms) => forms[plurals.select(count)] ?? forms.other),
  );
}

/** Loads the texts of a language into a browser. */
export async function loadTexts(name: string): Promise<void> {
  if (known.has(name)) return;
  const { default: make } = await import(/* @vite-ignore */ browserPrefix() + addressOf(name));
  addTexts(name, make);
}

/**
 * The texts of a language. The texts of the first page are loaded before it is shown; a later page in another language,
 * or the first of the settings, suspends until its texts are loaded: by throwing a promise, as React expects.
 */
export function textsOf(language: Locale, part: Part): Texts {
  const name = `${language}.${part}`;
  const texts = known.get(name);
  if (!texts) throw loadPart(() => loadTexts(name), [browserPrefix() + addressOf(name)]);
  return texts;
}

type Writing = (language: Locale, values?: Values) => string;

/** A message of the pages by its place, which is always the same function. */
export const pagesText = /* @__PURE__ */ writingsOf('pages');

/** A message of the settings by its place, which is always the same function. */
export const settingsText = /* @__PURE__ */ writingsOf('settings');

function writingsOf(part: Part): (place: number) => Writing {
  const writings: Writing[] = [];
  return (place) => (writings[place] ??= (language, values = {}) => write(textsOf(language, part)[place], values));
}

function write(text: string | Filled | undefined, values: Values): string {
  return typeof text === 'function' ? text(values) : (text ?? '');
}
