import { badRequest } from '../errors.ts';
import { isId } from './ids.ts';

/** A position in an ordered list: the sort value of the last row shown, and its id to distinguish equal values. */
export type Position = readonly [value: number, id: string];

/** A part of a list; `cursor` leads to the next part and is null at the end. It is computed on request. */
export type Page<Row> = { readonly nodes: Row[]; readonly hasMore: boolean; readonly cursor: string | null };

export const emptyPage: Page<never> = { nodes: [], hasMore: false, cursor: null };

/** Which part of a list: after a cursor or from the beginning, and up to how many rows. */
export type PageArgs = { cursor: string | null; limit: number };

/** The default and the maximum number of rows of a page. */
export const PAGE_DEFAULT = 20;
export const PAGE_MAX = 100;

/** @throws BAD_REQUEST if a page size from outside is not from 1 to 100 */
export function requireLimit(limit: number | null | undefined): number {
  if (limit == null) return PAGE_DEFAULT;
  if (limit < 1 || limit > PAGE_MAX) throw badRequest(`limit must be from 1 to ${PAGE_MAX}; it is ${limit}`, 'limit');
  return limit;
}

/** Makes a page of up to `limit` rows from one row more. */
export function makePage<Row>(rows: readonly Row[], limit: number, cursorOf: (row: Row) => string): Page<Row> {
  const nodes = rows.slice(0, limit);
  const last = nodes.at(-1);
  const hasMore = rows.length > limit;
  return {
    nodes,
    hasMore,
    get cursor() {
      return hasMore && last ? cursorOf(last) : null;
    },
  };
}

/** Makes the page of each parent from the rows of all. */
export function makePages<Row, Column extends keyof Row>(
  rows: readonly Row[],
  column: Column,
  parentIds: readonly string[],
  limit: number,
  cursorOf: (row: Row) => string,
): Map<string, Page<Row>> {
  const lists = Map.groupBy<unknown, Row>(rows, (row) => row[column]);
  return new Map(parentIds.map((id) => [id, makePage(lists.get(id) ?? [], limit, cursorOf)]));
}

/**
 * A position as the opaque text that clients send back.
 * @param list names the list and its order, so that a cursor of another list is recognized
 */
export function encodeCursor(list: string, position: Position): string {
  return Buffer.from(JSON.stringify([list, ...position])).toString('base64url');
}

/**
 * The position in a cursor of this list; null for the beginning.
 * @param isValue whether the list can have this sort value: PostgreSQL fails on one that its column cannot hold
 * @param isTie whether the list can have this second part, if it is not empty
 * @throws BAD_REQUEST if the text is invalid or from another list
 */
export function parseCursor(
  list: string,
  cursor: string | null | undefined,
  isValue: (value: unknown) => boolean = Number.isSafeInteger,
  isTie: (id: string) => boolean = isId,
): Position | null {
  if (cursor == null) return null;
  const position = decodeCursor(list, cursor, isTie);
  if (!position || !isValue(position[0]))
    throw badRequest('cursor does not belong to this list in this order', 'cursor');
  return position;
}

function decodeCursor(list: string, cursor: string, isTie: (id: string) => boolean): Position | null {
  if (!/^[\w-]{1,400}$/.test(cursor)) return null;
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (!Array.isArray(parts) || parts.length !== 3 || parts[0] !== list) return null;
    const [, value, id] = parts;
    return typeof id === 'string' && (id === '' || isTie(id)) ? [value, id] : null;
  } catch {
    return null;
  }
}
