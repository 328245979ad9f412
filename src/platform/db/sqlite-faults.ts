import { StoreUnavailableError, UnwritableError } from './db.ts';

/** Primary result codes of SQLite that concern the store and not the statement: https://sqlite.org/rescode.html */
const STORE_FAULTS: Record<number, string> = {
  5: 'The store is locked by another process',
  6: 'The store is locked',
  8: 'The store is read-only',
  10: 'The disk of the store is failing',
  11: 'The store is damaged',
  13: 'The disk of the store is full',
  14: 'The store cannot be opened',
};
/** The codes of faults that end with the next write that succeeds. */
const WRITE_FAULTS: readonly number[] = [8, 10, 13];

/** Translates an error of SQLite that concerns the store into our own class and message. */
export function explain(error: unknown): unknown {
  const code = (error as { errcode?: number }).errcode;
  if (code === undefined) return error;
  const fault = STORE_FAULTS[code % 256];
  const Kind = WRITE_FAULTS.includes(code % 256) ? UnwritableError : StoreUnavailableError;
  return fault ? new Kind(fault, { cause: error }) : error;
}
