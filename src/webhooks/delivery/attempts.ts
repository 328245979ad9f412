import { type Selectable, sql } from 'kysely';
import type { Tx } from '../../platform/db/db.ts';
import { prepare, tableOf } from '../../platform/db/prepare.ts';
import { makeId } from '../../platform/lib/ids.ts';
import type { LocalizedMessage } from '../../platform/messages.ts';
import type { Exchange } from '../http/exchange.ts';

/**
 * One request to a receiver and its result, for the log. An `event` belongs to a delivery, as does a `test`; a
 * `verification` belongs to the webhook alone.
 */
type AttemptTable = {
  board_id: string;
  id: string;
  webhook_id: string;
  delivery_id: string | null;
  /** The number of the attempt within its delivery, from 1. */
  number: number;
  kind: AttemptKind;
  /** For a verification: the host that was asked, by which verifications are limited. */
  host: string | null;
  /** The outcome in a word or two, and the sentence that names the mistake and the remedy. */
  outcome: string;
  diagnosis: string;
  /** JSON of the sentence's parts, for other languages. */
  said: string;
  /** Of the response; null without one. */
  status: number | null;
  /** JSON of `LoggedRequest`, `LoggedAnswer` or null, and `Timings`. */
  request: string;
  answer: string | null;
  timings: string;
  date_created: number;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    attempts: AttemptTable;
  }
}

type AttemptKind = 'event' | 'test' | 'verification';
export type AttemptRow = Selectable<AttemptTable>;

/** A request as the log shows it; the body of a delivery is that of its event. */
export type LoggedRequest = { method: string; url: string; headers: Readonly<Record<string, string>> };
/** The headers of a response and the start of its body as text; bytes that are not UTF-8 are shown as U+FFFD. */
export type LoggedAnswer = {
  status: number;
  headers: readonly (readonly [string, string])[];
  body: string;
  isCut: boolean;
};

/** The purpose of a request, and its outcome. */
type Subject = Pick<AttemptRow, 'board_id' | 'webhook_id' | 'delivery_id' | 'number' | 'kind' | 'host'> & {
  outcome: string;
  diagnosis: LocalizedMessage;
  date_created: number;
};

/** A line of the log. Responses are stored as JSON, which contains no NUL that PostgreSQL would refuse. */
export function makeAttempt(subject: Subject, request: LoggedRequest, exchange: Exchange): AttemptRow {
  return { ...subject, id: makeId(), ...describeDiagnosis(subject.diagnosis), ...describeExchange(request, exchange) };
}

/** A sentence as stored in the columns. */
export function describeDiagnosis({ text, parts }: LocalizedMessage) {
  return { diagnosis: text, said: JSON.stringify(parts) };
}

/** A request and its response as stored in the columns. */
export function describeExchange(request: LoggedRequest, { answer, timings }: Exchange) {
  const logged: LoggedAnswer | null = answer ? { ...answer, body: Buffer.from(answer.body).toString('utf8') } : null;
  return {
    status: answer?.status ?? null,
    request: JSON.stringify(request),
    answer: logged && JSON.stringify(logged),
    timings: JSON.stringify(timings),
  };
}

const COLUMNS = {
  board_id: 'text',
  id: 'text',
  webhook_id: 'text',
  delivery_id: 'text',
  number: 'integer',
  kind: 'text',
  host: 'text',
  outcome: 'text',
  diagnosis: 'text',
  said: 'text',
  status: 'integer',
  request: 'text',
  answer: 'text',
  timings: 'text',
  date_created: 'bigint',
} as const;

/** Adds lines to the log. */
export async function insertAttempts(tx: Tx, rows: readonly AttemptRow[]): Promise<void> {
  if (rows.length > 0) await insertRows(tx, { rows: JSON.stringify(rows) });
}

const insertRows = prepare<{ rows: string }, never>((tx, param) => {
  const columns = sql.join(Object.keys(COLUMNS).map((column) => sql.ref(column)));
  return sql`insert into attempts (${columns}) select ${columns} from ${tableOf(tx, 'line', COLUMNS, param('rows'))}`;
});
