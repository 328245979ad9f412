import { hash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { badRequest } from '../../platform/errors.ts';
import { msg } from '../../platform/messages.ts';
import type { TrackerClient } from './client.ts';
import { TrackerFault } from './fault.ts';
import type { Keyed } from './product.ts';

/** Pages of issues or comments that are looked through for a mark. */
const MAX_PAGES = 3;
/** Issues that the notes of a release may name. */
const MAX_NAMED = 1_000;

/** A moment as trackers write it, in milliseconds. */
export const moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** A number that people see, or that a row has. */
export const number = z.int().positive();

/** The address of a page. */
export const pageUrl = z
  .url({ protocol: /^https?$/ })
  .max(2_000)
  .regex(/^[!-~\u00a1-\uffff]+$/);

/** Who made something. */
export const byAccount = z.object({ id: number }).nullish();

/** A moment as trackers read it. */
export const instant = (ms: number) => new Date(Math.max(ms, 0)).toISOString().replace(/\.\d+/, '');

/** What a tracker has sent, as it should be. @throws TrackerFault */
export function readAs<Value>(name: string, type: z.ZodType<Value>, body: unknown): Value {
  const { data, success, error } = type.safeParse(body);
  if (success) return data;
  throw new TrackerFault(msg('trackerSomethingElse', name, z.prettifyError(error).slice(0, 300)), 0);
}

/** The rows of a list that are as they should be: a strange one keeps no other from being read. @throws TrackerFault */
export function readRows<Row>(name: string, type: z.ZodType<Row>, body: unknown): Row[] {
  return readAs(name, z.array(z.unknown()), body).flatMap((row) => {
    const { data, success } = type.safeParse(row);
    return success ? [data] : [];
  });
}

/** The account of the token; '' if the tracker does not say, as of an app. */
export async function findAccount(client: TrackerClient): Promise<string> {
  const { status, body } = await client.ask('GET', '/user', { missing: [403, 404] });
  const { data } = z.object({ id: number }).safeParse(body);
  return status === 200 && data ? String(data.id) : '';
}

/** Whether something was made by the account of the token, if that is known. */
export function isOwn({ account }: TrackerClient, by: { id: number | string } | null | undefined): boolean {
  return account === '' || String(by?.id ?? '') === account;
}

/** A text with a key that no one sees, at its end. */
export function withMark({ text, key }: Keyed): string {
  return `${text}\n\n${markOf(key)}`;
}

/** Whether a text has a key at its end. */
export function isMarked(text: string | null | undefined, key: string): boolean {
  return text?.trimEnd().endsWith(markOf(key)) ?? false;
}

const markOf = (key: string) => `<!-- earshot:${key} -->`;

/** The JSON of a request that claims to come from a tracker. @throws BAD_REQUEST */
export function readRequest<Value>(name: string, type: z.ZodType<Value>, body: Buffer): Value {
  try {
    const { data, success } = type.safeParse(JSON.parse(body.toString('utf8')));
    if (success) return data;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw badRequest(`The body is not what ${name} sends; its content type must be application/json`);
}

/** The first of the rows of a list, read page by page, that has a mark; null if there is none, or no such list. */
export async function findMarked<Row>(
  client: TrackerClient,
  path: string,
  { rowsOf, isMarked }: { rowsOf: (body: readonly unknown[]) => Row[]; isMarked: (row: Row) => boolean },
): Promise<Row | null> {
  let url: string | null = path;
  for (let page = 0; url !== null && page < MAX_PAGES; page++) {
    const { body, next } = await client.ask('GET', url, { missing: [404, 410] });
    const found = Array.isArray(body) ? rowsOf(body).find(isMarked) : undefined;
    if (found !== undefined) return found;
    url = next;
  }
  return null;
}

/** The issues that the notes of a release name, each once: those of the matches that are of the project. */
export function namedIn(notes: string, form: RegExp, issueOf: (match: RegExpExecArray) => string | null): string[] {
  const named = new Set<string>();
  for (const match of notes.matchAll(form)) {
    const issue = issueOf(match);
    if (issue !== null) named.add(issue);
    if (named.size === MAX_NAMED) break;
  }
  return [...named];
}

/** Breaks what refers to something in a text: what follows these marks, and commits. */
export function breakAfter(text: string, marks: RegExp): string {
  const commit = /\b(?=\d*[a-f])(?=[a-f]*\d)[\da-f]{7,40}\b/gi;
  return text
    .replace(marks, '\u200b')
    .replace(commit, (hash) => `${hash.slice(0, 3)}\u200b${hash.slice(3)}`)
    .replaceAll('<!--', '<\u200b!--');
}

/** Whether two secrets are equal, in a time that tells nothing about them. */
export function isEqual(given: string, wanted: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(given), digest(wanted));
}
