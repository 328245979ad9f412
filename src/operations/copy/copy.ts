import { sql } from 'kysely';
import type { Db } from '../../platform/db/db.ts';
import { requireCurrentSchema } from '../../platform/db/migrate.ts';
import {
  type AnyRow,
  countRows,
  describeTables,
  insertRows,
  keyOf,
  readRows,
  settleTable,
  type TableShape,
} from '../../platform/db/tables.ts';
import { digestTable } from './digest.ts';
import { beginCopy, endCopy, type Progress, readProgress, writeProgress } from './progress.ts';

/** Called with what is done of each step, in rows. */
export type CopyObserver = (step: 'copy' | 'compare', done: number, all: number) => void;

type CopyOptions = {
  now: number;
  onProgress: CopyObserver;
  /** Id of the only board to copy; default: all of them. */
  boardId?: string | undefined;
  /** Copies what belongs to the rows and is not in the store. Until it is done, the copy cannot be used. */
  alsoCopy?: () => Promise<void>;
};

/** Rows and bytes in a transaction: bytes bound the memory, as texts are of any size. */
const MAX_ROWS = 2_000;
const TARGET_BYTES = 1_000_000;
const FIRST_ROWS = 100;

/**
 * Copies all rows of a store, or those of one board, into an empty one, on any engine, and then compares every table by
 * counts and hashes. Nothing else may write to either. Run again after it was interrupted, it continues.
 * @returns the number of rows
 * @throws if the target is not empty, the source has another schema, or the two are not equal in the end
 */
export async function copyStore(source: Db, target: Db, options: CopyOptions): Promise<number> {
  const { now, onProgress, boardId, alsoCopy } = options;
  await requireCurrentSchema(source);
  await beginCopy(target, now);
  const tables = await listTables(source, target, boardId);
  const all = (await Promise.all(tables.map((table) => countRows(source.read, table)))).reduce((sum, n) => sum + n, 0);
  const progress = await readProgress(target);
  const copied = makeCounter((done) => onProgress('copy', done, all));
  for (const table of tables) {
    const before = progress.get(table.name) ?? null;
    copied.add(before?.rows ?? 0);
    await copyTable(source, target, table, before, copied.add);
  }
  const compared = makeCounter((done) => onProgress('compare', done, all));
  await requireEqual(source, target, tables, compared.add);
  await alsoCopy?.();
  await endCopy(target);
  return copied.total();
}

function makeCounter(onChange: (total: number) => void) {
  let total = 0;
  const add = (count: number) => {
    total += count;
    onChange(total);
  };
  return { add, total: () => total };
}

/**
 * The tables to copy, as the target has them after its migration: those that another program keeps in the same database
 * are in one of the two only.
 */
async function listTables(source: Db, target: Db, boardId: string | undefined): Promise<TableShape[]> {
  const inSource = new Map((await describeTables(source.read)).map((table) => [table.name, table]));
  const tables = (await describeTables(target.read)).filter(({ name }) => name !== 'migrations' && inSource.has(name));
  for (const table of tables) {
    const columns = namesOf(table);
    if (columns !== namesOf(inSource.get(table.name))) throw new Error(`The columns of ${table.name} are not the same`);
    if (table.key.length === 0) throw new Error(`${table.name} has no primary key`);
  }
  return boardId === undefined ? tables : tables.map((table) => rowsOfBoard(table, boardId));
}

function namesOf(table: TableShape | undefined): string | undefined {
  return table?.columns
    .map((column) => column.name)
    .sort()
    .join();
}

/** Copies the rest of a table. The next rows are read while the last ones are written. */
async function copyTable(
  source: Db,
  target: Db,
  table: TableShape,
  before: Progress | null,
  onRows: (count: number) => void,
): Promise<void> {
  let limit = FIRST_ROWS;
  let done = before?.rows ?? 0;
  const read = (after: readonly unknown[] | null) => readRows(source.read, table, after, limit);
  for (let rows = await read(before?.lastKey ?? null), last = rows.at(-1); last; last = rows.at(-1)) {
    const [batch, lastKey] = [rows, keyOf(table, last)];
    done += batch.length;
    limit = nextLimit(batch);
    const progress = { lastKey, rows: done };
    const write = target.transaction(async (tx) => {
      await insertRows(tx, table, batch);
      await writeProgress(tx, table.name, progress);
    });
    [rows] = await Promise.all([read(lastKey), write.catch((error) => Promise.reject(describe(table, error)))]);
    onRows(batch.length);
  }
  await target.transaction((tx) => settleTable(tx, table));
}

/** As many rows as have about the size of a transaction, by the size of the last ones. */
function nextLimit(rows: readonly AnyRow[]): number {
  const bytes = rows.reduce((sum, row) => sum + sizeOf(row), 0);
  const fitting = Math.round((rows.length * TARGET_BYTES) / Math.max(1, bytes));
  return Math.max(1, Math.min(fitting, rows.length * 4, MAX_ROWS));
}

function sizeOf(row: AnyRow): number {
  let size = 0;
  for (const value of Object.values(row)) {
    size += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
  }
  return size;
}

function describe({ name }: TableShape, error: Error): Error {
  return new Error(`Rows of ${name} cannot be written: ${error.message}`, { cause: error });
}

/** @throws naming each table whose rows are not the same */
async function requireEqual(
  source: Db,
  target: Db,
  tables: readonly TableShape[],
  onRows: (count: number) => void,
): Promise<void> {
  const different: string[] = [];
  for (const table of tables) {
    // All of the target: it has no rows of another board.
    const [from, to] = await Promise.all([
      digestTable(source.read, table, onRows),
      digestTable(target.read, { ...table, where: undefined }),
    ]);
    if (from.rows !== to.rows)
      different.push(`${table.name} (${from.rows} rows in the source, ${to.rows} in the copy)`);
    else if (from.sum !== to.sum) different.push(`${table.name} (the contents differ)`);
  }
  if (different.length > 0) throw new Error(`${DIFFERENT}: ${different.join(', ')}`);
}

const DIFFERENT =
  'The copy is not equal to the source, which was probably changed in the meantime: empty the target and start again. ' +
  'Different tables';

/** Tables for all boards that a copy of one of them needs. */
const SHARED = ['key_check'];
/** Sessions of accounts are those of people on all their boards: with them, a copy could act for them on the others. */
const LEFT_OUT = ['sessions'];

/**
 * A table with the rows that belong to a board: its own, and the accounts of its users with their credentials. What is
 * counted or waits for a short time (throttles, one-time codes, files to be removed) stays behind.
 */
function rowsOfBoard(table: TableShape, boardId: string): TableShape {
  if (SHARED.includes(table.name)) return table;
  const has = (name: string) => table.columns.some((column) => column.name === name);
  const accounts = sql`(select account_id from users where board_id = ${boardId})`;
  if (table.name === 'boards') return { ...table, where: sql`id = ${boardId}` };
  if (has('board_id')) return { ...table, where: sql`board_id = ${boardId}` };
  if (table.name === 'accounts') return { ...table, where: sql`id in ${accounts}` };
  if (has('account_id') && !LEFT_OUT.includes(table.name)) return { ...table, where: sql`account_id in ${accounts}` };
  return { ...table, where: sql`1 = 0` };
}
