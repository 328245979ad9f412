import { hash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { badRequest } from '../../platform/errors.ts';
import { type TrackerClient, TrackerFault } from './client.ts';

/** Pages of issues or comments that are looked through for a mark. */
const MAX_PAGES = 10;
/** Issues that the notes of a release may name. */
const MAX_NAMED = 1_000;

/** A moment as trackers write it, in milliseconds. */
export const moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** A number that people see. */
export const number = z.int().positive();

/** A moment as trackers read it. */
export const instant = (ms: number) => new Date(Math.max(ms, 0)).toISOString().replace(/\.\d+/, '');

/** What a tracker has sent, as it should be. @throws TrackerFault */
export function readAs<Value>(name: string, type: z.ZodType<Value>, body: unknown): Value {
  const { data, success, error } = type.safeParse(body);
  if (success) return data;
  throw new TrackerFault(`${name} responded with something else: ${z.prettifyError(error).slice(0, 300)}`, 0);
}

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

/** Whether two secrets are equal, in a time that tells nothing about them. */
export function isEqual(given: string, wanted: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(given), digest(wanted));
}
