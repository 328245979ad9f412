import { sql } from 'kysely';
import type { TableShape } from '../../platform/db/tables.ts';

/** Tables for all boards that a copy of one of them needs. */
const SHARED = ['key_check'];
/** Sessions of accounts are those of people on all their boards: with them, a copy could act for them on the others. */
const LEFT_OUT = ['sessions'];

/**
 * A table with the rows that belong to a board: its own, and the accounts of its users with their credentials. What is
 * counted or waits for a short time (throttles, one-time codes, files to be removed) stays behind.
 */
export function rowsOfBoard(table: TableShape, boardId: string): TableShape {
  if (SHARED.includes(table.name)) return table;
  const has = (name: string) => table.columns.some((column) => column.name === name);
  const accounts = sql`(select account_id from users where board_id = ${boardId})`;
  if (table.name === 'boards') return { ...table, where: sql`id = ${boardId}` };
  if (has('board_id')) return { ...table, where: sql`board_id = ${boardId}` };
  if (table.name === 'accounts') return { ...table, where: sql`id in ${accounts}` };
  if (has('account_id') && !LEFT_OUT.includes(table.name)) return { ...table, where: sql`account_id in ${accounts}` };
  return { ...table, where: sql`1 = 0` };
}
