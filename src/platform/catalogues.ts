import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { packageFile } from './installed.ts';
import { type MessagePart, writeOut } from './messages.ts';
import { keyOf, readServerTexts } from './server-texts.ts';

const folder = fileURLToPath(packageFile('web/i18n/'));
const codes = readdirSync(folder).flatMap((file) => /^([\w-]+)\.json$/.exec(file)?.[1] ?? []);

/** The languages of the pages: each is a catalogue, `web/i18n/<code>.json`. English is first, and the fallback. */
export const languages: readonly string[] = ['en', ...codes.filter((code) => code !== 'en').sort()];

const catalogues = new Map<string, ReadonlyMap<string, string>>();

/** Translates a text of the server; one missing from the catalogue is in English. */
export function translate(language: string, parts: readonly MessagePart[]): string {
  return writeOut(
    parts,
    (template) => {
      const key = keyOf(template);
      return key === null ? template : (textsIn(language).get(key) ?? textsIn('en').get(key) ?? template);
    },
    (value) => value.toLocaleString(language),
  );
}

function textsIn(language: string): ReadonlyMap<string, string> {
  const known = catalogues.get(language) ?? readServerTexts(language);
  catalogues.set(language, known);
  return known;
}
