import { type Generated, type Selectable, sql } from 'kysely';
import type { Db, Reader, Tx } from '../db/db.ts';
import { skipLocked, tableOf } from '../db/prepare.ts';
import type { Cipher } from '../lib/cipher.ts';
import { HOUR_MS, MINUTE_MS } from '../lib/clock.ts';
import { makeId } from '../lib/ids.ts';
import { encodeCursor, makePage, type Page, parseCursor } from '../lib/page.ts';
import { makeExcerpt } from '../texts/text.ts';
import { forgetBounce, RecipientRefusedError, recordBounce } from './bounces.ts';
import type { MailDocument } from './document.ts';

/**
 * A mail is `waiting` until a server has accepted it (`sent`), refused its recipient (`bounced`) or the last retry
 * failed (`given_up`).
 */
export type MailState = 'waiting' | 'sent' | 'bounced' | 'given_up';

type MailTable = {
  board_id: string;
  id: string;
  recipient: string;
  subject: string;
  /** Encrypted, since it contains one-time links; empty once the mail is done. See `decryptBody`. */
  body: string;
  /** The user whom the text names, besides the recipient. */
  named_id: string | null;
  state: MailState;
  /** Number of attempts started. */
  tries: Generated<number>;
  /** Why the last attempt failed, if one did. */
  last_error: string | null;
  date_created: number;
  /** While a worker sends it: when its lease expires and others may take over. */
  date_due: number;
  date_done: number | null;
  /** Who is sending it now. */
  lease_token: string | null;
  /** The post that it is about, if any: mails about one post form a thread. */
  post_id: string | null;
  /** Whether the body is a `MailDocument` as JSON; else it is plain text. */
  is_document: Generated<0 | 1>;
  /** Whether the row is deleted once it is done, since the mail is to a user who was erased. */
  is_unlogged: Generated<0 | 1>;
};

declare module '../db/db.ts' {
  interface Tables {
    mails: MailTable;
  }
}

export type MailRow = Selectable<MailTable>;

export type NewMail = {
  boardId: string;
  recipient: string;
  subject: string;
  /** Plain text, or a document from which text and HTML are generated. */
  body: string | MailDocument;
  /** The user whom the text names, besides the recipient: the mail is deleted with that user. */
  namedId?: string | null | undefined;
  /** The post that the mail is about. */
  postId?: string | null | undefined;
  /** Whether the row is deleted once the mail is sent or given up. */
  isUnlogged?: boolean | undefined;
};

/** A mail that this process may send until its lease expires. */
export type LeasedMail = MailRow & { lease_token: string };

/** How long a claim on a mail lasts. Sending must not take longer. */
export const LEASE_MS = MINUTE_MS;

/** How long after each failed attempt the next one follows; after the last, in about two days, there are no more. */
const RETRIES_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  12 * HOUR_MS,
  12 * HOUR_MS,
];

const MAX_SUBJECT = 200;
const MAX_ERROR = 500;

/**
 * Queues a mail, if the caller's transaction commits. Subject and body may contain anything: characters that mail does
 * not allow are removed.
 * @returns the mail's id
 * @throws if the recipient is not a single address; addresses from outside are validated at input
 */
export async function queueMail(tx: Tx, cipher: Cipher, mail: NewMail, now: number): Promise<string> {
  const { ids, queued } = queueMails(tx, cipher, [mail], now);
  await queued;
  return ids[0] as string;
}

/** As `queueMail`, for several mails: their ids in the same order, and when they are added. */
export function queueMails(
  tx: Tx,
  cipher: Cipher,
  mails: readonly NewMail[],
  now: number,
): { ids: string[]; queued: Promise<unknown> } {
  const rows = mails.map((mail) => makeMail(cipher, mail, now));
  return { ids: rows.map(({ id }) => id), queued: insertMails(tx, rows) };
}

/** In one statement whose text is always the same, however many they are. */
async function insertMails(tx: Tx, rows: readonly ReturnType<typeof makeMail>[]): Promise<void> {
  if (rows.length === 0) return;
  tx.notify('mails');
  const names = sql.join(Object.keys(columnTypes).map((name) => sql.ref(name)));
  await sql`
    insert into mails (${names}) select ${names} from ${tableOf(tx, 'm', columnTypes, JSON.stringify(rows))}`.execute(
    tx,
  );
}

/** What is stored of a new mail, in the types of PostgreSQL. */
const columnTypes = {
  board_id: 'text',
  id: 'text',
  recipient: 'text',
  subject: 'text',
  body: 'text',
  named_id: 'text',
  post_id: 'text',
  state: 'text',
  is_document: 'integer',
  is_unlogged: 'integer',
  date_created: 'bigint',
  date_due: 'bigint',
} as const satisfies Record<keyof ReturnType<typeof makeMail>, 'text' | 'integer' | 'bigint'>;

/** As `queueMail`, for a mail that the caller sends itself, immediately. */
export async function leaseNewMail(tx: Tx, cipher: Cipher, mail: NewMail, now: number): Promise<LeasedMail> {
  const row = { ...makeMail(cipher, mail, now), tries: 1, date_due: now + LEASE_MS, lease_token: makeId() };
  await tx.insertInto('mails').values(row).execute();
  return { ...row, last_error: null, date_done: null };
}

/** The text of a mail. @throws if it was encrypted with a different key */
export function decryptBody(cipher: Cipher, mail: Pick<MailRow, 'id' | 'body' | 'is_document'>): string | MailDocument {
  const { id, body, is_document: isDocument } = mail;
  const text = ENCRYPTED.test(body) ? cipher.decrypt(body, placeOf(id)) : body;
  return isDocument && text !== '' ? JSON.parse(text) : text;
}

/** A mail queued by an earlier version is not a single word. */
const ENCRYPTED = /^v1\.[\w-]+$/;

function placeOf(id: string): string {
  return `mails.body ${id}`;
}

function makeMail(cipher: Cipher, mail: NewMail, now: number) {
  const { boardId, recipient, subject, body, namedId = null, postId = null, isUnlogged = false } = mail;
  if (!/^[^\s\p{Cc}@]+@[^\s\p{Cc}@]+$/u.test(recipient)) throw new Error('A mail needs the address of one recipient');
  const id = makeId();
  const text = typeof body === 'string' ? cleanText(body) : cleanBody(body);
  return {
    board_id: boardId,
    id,
    recipient,
    subject: cleanSubject(subject),
    body: cipher.encrypt(text, placeOf(id)),
    is_document: typeof body === 'string' ? (0 as const) : (1 as const),
    named_id: namedId,
    post_id: postId,
    is_unlogged: isUnlogged ? (1 as const) : (0 as const),
    state: 'waiting' as const,
    date_created: now,
    date_due: now,
  };
}

/** A subject as it is sent. */
export function cleanSubject(text: string): string {
  return makeLine(text, MAX_SUBJECT);
}

/** A mail as JSON, as it is sent. */
export function cleanBody(body: MailDocument): string {
  return JSON.stringify(body, cleanValue);
}

function cleanValue(_: string, value: unknown): unknown {
  return typeof value === 'string' ? cleanText(value) : value;
}

/** What `cleanText` may have to change; few texts have any of it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
const UNCLEAN = /[\0-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]/;

/** Without characters that mail does not allow. */
function cleanText(text: string): string {
  if (!UNCLEAN.test(text)) return text;
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\t\n]/gu, '')
    .toWellFormed();
}

/** The mails of a board, the newest first. */
export async function listMails(
  reader: Reader,
  boardId: string,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<Page<MailRow>> {
  const [, before] = parseCursor('mails', cursor) ?? [];
  let query = reader.selectFrom('mails').selectAll().where('board_id', '=', boardId);
  if (before !== undefined) query = query.where('id', '<', before);
  const rows = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return makePage(rows, limit, (row) => encodeCursor('mails', [0, row.id]));
}

/** When the next mail of any board is due; null when none is waiting. */
export async function findNextDue(reader: Reader): Promise<number | null> {
  const next = await waiting(reader).select('date_due').orderBy('date_due').limit(1).executeTakeFirst();
  return next?.date_due ?? null;
}

/** Claims the mail that has been due for the longest time, so that no other worker sends it; null if there is none. */
export function claimMail(db: Db, now: number): Promise<LeasedMail | null> {
  return db.transaction(async (tx) => {
    const due = waiting(tx).selectAll().where('date_due', '<=', now).orderBy('date_due').orderBy('id').limit(1);
    const mail = await skipLocked(tx, due).executeTakeFirst();
    if (!mail) return null;
    const lease = { tries: mail.tries + 1, date_due: now + LEASE_MS, lease_token: makeId() };
    await tx.updateTable('mails').set(lease).where('board_id', '=', mail.board_id).where('id', '=', mail.id).execute();
    return { ...mail, ...lease };
  });
}

/**
 * Records the result of an attempt: null when the mail was sent, else why not. An address that the server refused is
 * recorded as bounced, until it accepts mail again.
 * @param mayRetry whether there is another attempt after a failure
 * @returns the updated mail; null if its lease has expired and another worker took it over, which records its own
 * result
 */
export async function recordAttempt(
  db: Db,
  mail: LeasedMail,
  error: Error | null,
  now: number,
  mayRetry = true,
): Promise<Pick<MailRow, 'state' | 'date_due'> | null> {
  const result =
    error === null
      ? { ...done(now), state: 'sent' as const }
      : afterFailure(mayRetry ? mail.tries : RETRIES_MS.length + 1, error, now);
  return db.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('mails')
      .set({ ...result, lease_token: null })
      .where('board_id', '=', mail.board_id)
      .where('id', '=', mail.id)
      .where('lease_token', '=', mail.lease_token)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return null;
    if (mail.is_unlogged && result.state !== 'waiting') {
      await tx.deleteFrom('mails').where('board_id', '=', mail.board_id).where('id', '=', mail.id).execute();
      return result;
    }
    if (result.state === 'sent') await forgetBounce(tx, mail.board_id, mail.recipient);
    if (result.state === 'bounced') await recordBounce(tx, mail.board_id, mail.recipient, result.last_error, now);
    return result;
  });
}

function afterFailure(tries: number, error: Error, now: number) {
  const last_error = makeLine(error.message, MAX_ERROR);
  if (error instanceof RecipientRefusedError) return { ...done(now), state: 'bounced' as const, last_error };
  const wait = RETRIES_MS[tries - 1];
  return wait === undefined
    ? { ...done(now), state: 'given_up' as const, last_error }
    : { date_due: now + wait, state: 'waiting' as const, last_error };
}

function done(now: number) {
  return { date_due: now, date_done: now, body: '' };
}

/** The state is part of the query's text: the index covers only waiting mails, and a parameter could be any state. */
function waiting(reader: Reader) {
  return reader.selectFrom('mails').where('state', '=', sql.lit('waiting'));
}

function makeLine(text: string, max: number): string {
  return makeExcerpt(text.toWellFormed().replace(/\p{Cc}/gu, ' '), max);
}
