import pg from 'pg';
import { CollisionError, StoreUnavailableError, UnwritableError } from './db.ts';

/**
 * SQLSTATE classes that concern the store and not the statement:
 * https://postgresql.org/docs/current/errcodes-appendix.html
 */
const STORE_FAULTS = /^(08|28|3D|53|57P|58)/;
/** A disk is full, or the server is a standby or does not allow writes for another reason. */
const WRITE_FAULTS: Record<string, string> = {
  '53100': 'The disk of the database is full',
  '25006': 'The database is read-only',
};
const SOCKET_FAULTS =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|EADDRNOTAVAIL|ENOTFOUND|ENOENT|EAI_AGAIN)$/;
/**
 * Serialization failures, deadlocks, and locks that were not had in time: two transactions conflicted; running one again
 * resolves it.
 */
const COLLISIONS = /^(40001|40P01|55P03)$/;
/** A prepared statement is missing, or already exists: a pooler reassigns connections and does not track it. */
const STATEMENTS_LOST = /^(26000|42P05)$/;
/** A statement was canceled because it took too long. */
const OVERDUE = '57014';

/** Translates an error of the driver into our own class and message. */
export type Explain = (error: unknown) => unknown;

/** @param url where the database is: shown to operators, without the password */
export function makeExplain(url: string): Explain {
  return (error) => {
    const { code = '', message = '' } = error as { code?: string; message?: string };
    if (isStalePlan(error)) return new CollisionError('The schema has changed', { cause: error });
    if (COLLISIONS.test(code))
      return new CollisionError('The database is busy with a conflicting change', { cause: error });
    if (isPoolFull(error)) {
      return new StoreUnavailableError('Timed out waiting for a database connection', { cause: error });
    }
    if (isOverdue(error)) return new StoreUnavailableError('The database took too long to answer', { cause: error });
    if (STATEMENTS_LOST.test(code)) return new StoreUnavailableError(LOST, { cause: error });
    const unwritable = WRITE_FAULTS[code];
    if (unwritable) return new UnwritableError(unwritable, { cause: error, detail: describe(url, error) });
    const isGone =
      STORE_FAULTS.test(code) ||
      SOCKET_FAULTS.test(code) ||
      isSilence(error) ||
      /^(Connection terminated|Client has|SASL|timeout expired)/.test(message);
    if (!isGone) return error;
    return new StoreUnavailableError('The database cannot be reached', { cause: error, detail: describe(url, error) });
  };
}

const LOST =
  'Prepared statements are lost on the way to the database: set max_prepared_statements in PgBouncer, 1.21 or newer ' +
  '(docs/self-hosting.md, "PgBouncer")';

/** Causes that have a code and no message, or an unhelpful one. */
const CAUSES: [pattern: RegExp, words: string][] = [
  [/ECONNREFUSED/, 'connection refused'],
  [/ENOTFOUND|EAI_AGAIN/, 'the host name does not exist'],
  [/ETIMEDOUT|E(HOST|NET)UNREACH|timeout/i, 'no answer'],
  [/ENOENT/, 'the socket does not exist'],
  [/^SASL.*password must be/, 'it requires a password, and the URL has none'],
];

/**
 * Where the database was expected, and why it was not found there. A server's message may name a user, never a
 * password.
 */
function describe(url: string, error: unknown): string {
  const { host, port } = new pg.Client(url);
  const { code = '', message } = error as { code?: string; message: string };
  const known = CAUSES.find(([pattern]) => pattern.test(`${code} ${message}`.trim()))?.[1];
  const words = [known ?? message.replaceAll(/\s+/g, ' '), code && `(${code})`].filter(Boolean).join(' ');
  return `${host.startsWith('/') ? host : `${host}:${port}`}: ${words}`;
}

/**
 * The error of a statement after a failed one, including the commit:
 * https://postgresql.org/docs/current/errcodes-appendix.html
 */
export function isUndone(error: unknown): boolean {
  return (error as { code?: string }).code === '25P02';
}

/**
 * Whether a prepared statement would return other columns than when it was prepared: another process has changed the
 * schema. It has done nothing. Messages are translated, the name of the server's function is not.
 */
export function isStalePlan(error: unknown): boolean {
  const { code, routine } = error as { code?: string; routine?: string };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

/** Whether the server canceled a statement because it took too long. */
export function isOverdue(error: unknown): boolean {
  return (error as { code?: string } | undefined)?.code === OVERDUE;
}

/** Whether all connections of the pool stayed in use. */
export function isPoolFull(error: unknown): boolean {
  return error instanceof Error && /^timeout exceeded when trying/.test(error.message);
}

export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}
