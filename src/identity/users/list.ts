import { type SqlBool, sql } from 'kysely';
import type { Db, Reader } from '../../platform/db/db.ts';
import { isAfter } from '../../platform/db/lists.ts';
import {
  type Columns,
  type Param,
  prepare,
  prepareVariants,
  rowLimit,
  selectColumns,
} from '../../platform/db/prepare.ts';
import { encodeCursor, makePage, type Page, type PageArgs, parseCursor } from '../../platform/lib/page.ts';
import { isInSegment, type SegmentFilter } from '../companies/conditions.ts';
import type { RequestContext } from './request-context.ts';
import type { UserRow } from './users.ts';

/** Which users to list, starting where; `columns` are those to read. */
export type UserQuery = UserFilter & PageArgs & { columns: Columns<UserRow> };

/** With a text in their name; of a segment; registered or changed at or after an instant, in the order of these changes. */
export type UserFilter = { search: string | null; since: number | null; segment: SegmentFilter | null };

/** A page of users: in the order of registration, or with `since` in the order of changes. */
export async function listUsers(context: RequestContext, query: UserQuery): Promise<Page<UserRow>> {
  const { search, since, segment, limit } = query;
  const list = since === null ? 'users' : 'users:CHANGED';
  const [date, id] = parseCursor(list, query.cursor) ?? [0, ''];
  const rows = await readUsers(context, { search, since, segment, date, id }, limit + 1, query.columns);
  return makePage(rows, limit, (user) => encodeCursor(list, [since === null ? 0 : user.date_updated, user.id]));
}

/** The next people after the one with this id, in the order of their registration. */
export async function listUsersAfter(
  context: RequestContext,
  { id, search, limit, columns }: { id: string; search: string | null; limit: number; columns: Columns<UserRow> },
): Promise<UserRow[]> {
  return readUsers(context, { search, since: null, segment: null, date: 0, id }, limit, columns);
}

type Place = UserFilter & { date: number; id: string };

async function readUsers(
  { db, board }: RequestContext,
  { search, since, segment, date, id }: Place,
  limit: number,
  columns: Columns<UserRow>,
): Promise<UserRow[]> {
  const shape = { search: search !== null, since: since !== null, after: id !== '', columns };
  const values = { boardId: board.id, pattern: patternOf(search), since: since ?? 0, date, id, limit };
  // What a segment compares is its own: nothing to prepare.
  if (segment)
    return prepare<Values, UserRow>((reader, param) => listOf(shape, reader, param, segment))(db.slow, values);
  return statements(shape)(readerFor(db, search), values);
}

/** Parts of names are in no index: a search reads all names, which may take long. */
function readerFor(db: Db, search: string | null): Reader {
  return search === null ? db.read : db.slow;
}

type Shape = { search: boolean; since: boolean; after: boolean; columns: Columns<UserRow> };
type Values = { boardId: string; pattern: string; since: number; date: number; id: string; limit: number };

const statements = prepareVariants<Shape, Values, UserRow>((shape) =>
  prepare((reader, param) => listOf(shape, reader, param, null)),
);

function listOf(
  { search, since, after, columns }: Shape,
  reader: Reader,
  param: Param<Values>,
  segment: SegmentFilter | null,
) {
  const query = reader.selectFrom('users').where('board_id', '=', param('boardId'));
  let list = selectColumns(query, columns, ['id', 'date_updated']);
  if (search) list = list.where(isNamed(param('pattern')));
  if (segment) list = list.where(isInSegment(reader, param('boardId'), segment));
  if (since) {
    list = list.where('date_updated', '>=', param('since')).orderBy('date_updated');
    if (after) list = list.where(isAfter('date_updated', 'asc', param('date'), param('id')));
  } else if (after) list = list.where('id', '>', param('id'));
  return list.orderBy('id').limit(rowLimit(param('limit')));
}

/** Maximum number of users in a search that are counted. */
const MAX_COUNTED = 10_000;

/** Number of users in the list; with a search or a segment, up to the maximum. */
export async function countUsers(
  { db, board }: RequestContext,
  { search, since, segment }: UserFilter,
): Promise<number> {
  let list = db.slow.selectFrom('users').select('id').where('board_id', '=', board.id);
  if (since !== null) list = list.where('date_updated', '>=', since);
  if (search !== null) list = list.where(isNamed(patternOf(search))).limit(MAX_COUNTED);
  if (segment !== null) list = list.where(isInSegment(db.slow, board.id, segment)).limit(MAX_COUNTED);
  const query = db.slow.selectFrom(list.as('found')).select((e) => e.fn.countAll<number>().as('count'));
  return (await query.executeTakeFirstOrThrow()).count;
}

function isNamed(pattern: string) {
  return sql<SqlBool>`name_folded like ${pattern} escape '\\'`;
}

/** What names with this text are `like`, in a query with the escape character \. */
export function patternOf(search: string | null): string {
  return `%${(search ?? '').toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
}
