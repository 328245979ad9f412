import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { packageFile } from './installed.ts';
import { type MessagePart, writeOut } from './messages.ts';

const folder = fileURLToPath(packageFile('web/i18n/'));
const codes = readdirSync(folder).flatMap((file) => /^([\w-]+)\.json$/.exec(file)?.[1] ?? []);

/** The languages of the pages: each is a catalogue, `web/i18n/<code>.json`. English is first, and the fallback. */
export const languages: readonly string[] = ['en', ...codes.filter((code) => code !== 'en').sort()];

/** The section `server` of a catalogue: texts of the server by their English template. */
type ServerMessages = Readonly<Record<string, string>>;

const catalogues = new Map<string, ServerMessages>();

/** Translates a text of the server; a text missing from the catalogue stays English. */
export function translate(language: string, parts: readonly MessagePart[]): string {
  const known = catalogues.get(language) ?? readServerMessages(language);
  catalogues.set(language, known);
  return writeOut(
    parts,
    (template) => known[template] ?? template,
    (value) => value.toLocaleString(language),
  );
}

/** The texts of the server in one of `languages`. */
export function readServerMessages(language: string): ServerMessages {
  return JSON.parse(readFileSync(`${folder}${language}.json`, 'utf8')).server;
}
