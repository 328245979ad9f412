import { type Expression, type SqlBool, sql } from 'kysely';
import type { Reader, Tx } from '../../platform/db/db.ts';
import { conflict } from '../../platform/errors.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { msg } from '../../platform/messages.ts';
import { requireLine } from '../../platform/texts/text.ts';
import { recordChange, type State } from '../activity/activity.ts';
import { lockBoard } from '../board/board.ts';
import { type Condition, isInSegment, parseFilter, type SegmentFilter } from '../companies/conditions.ts';
import { requireSegmentRow, type Segment, type SegmentRow, toSegment } from '../companies/segment.ts';
import { type Actor, requireRight } from '../users/authority.ts';
import type { ActorContext, RequestContext } from '../users/request-context.ts';

/** Segments of a board, which are listed and counted together. */
export const MAX_SEGMENTS = 100;
export const SEGMENT_NAME = { field: 'name', min: 1, max: 60 };

/** The segments of the board, by name. @throws FORBIDDEN */
export async function listSegments({ db, board, actor }: ActorContext): Promise<Segment[]> {
  requireRight(actor, 'customer.see');
  const query = db.read.selectFrom('segments').selectAll().where('board_id', '=', board.id);
  const rows = await query.execute();
  return rows.sort((a, b) => (a.name_folded < b.name_folded ? -1 : 1)).map(toSegment);
}

/** The segment with this id. @throws FORBIDDEN, NOT_FOUND */
export async function requireSegment(
  { db, board, actor }: RequestContext & { actor: Actor },
  id: string,
): Promise<Segment> {
  requireRight(actor, 'customer.see');
  return toSegment(await requireSegmentRow(db.read, board.id, id));
}

/** How many people are in each of these filters, counted in one pass over the people. @throws FORBIDDEN */
export async function countSegments(
  { db, board, actor }: ActorContext,
  filters: readonly SegmentFilter[],
): Promise<number[]> {
  requireRight(actor, 'customer.see');
  if (filters.length === 0) return [];
  const counts = filters.map((filter, n) =>
    sql<number>`cast(count(case when ${isInSegment(db.slow, board.id, filter)} then 1 end) as integer)`.as(`n${n}`),
  );
  const row = await db.slow.selectFrom('users').select(counts).where('board_id', '=', board.id).executeTakeFirst();
  return filters.map((_, n) => Number((row as Record<string, unknown> | undefined)?.[`n${n}`] ?? 0));
}

/** The ids of the people whom a filter has. */
export async function readPeopleIn(reader: Reader, boardId: string, filter: SegmentFilter): Promise<string[]> {
  const users = reader.selectFrom('users').select('id').where('board_id', '=', boardId);
  return (await users.where(isInSegment(reader, boardId, filter)).execute()).map(({ id }) => id);
}

/** In a query: `column` is the id of a person in the segment. */
export function isOfSegment(
  reader: Reader,
  boardId: string,
  column: string,
  filter: SegmentFilter,
): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} in (
    select users.id from users where users.board_id = ${boardId} and ${isInSegment(reader, boardId, filter)})`;
}

/** A segment as operations change it. */
export type SegmentState = { name: string } & SegmentFilter;

/** A segment as a client gives it. */
export type SegmentInput = { name: string; match: string; conditions: readonly Condition[] };

/** What operations change of a segment, by the names of the API. */
function stateOf(row: SegmentRow): SegmentState {
  return { name: row.name, ...(JSON.parse(row.filter) as SegmentFilter) };
}

function record(tx: Tx, context: ActorContext, id: string, before: State, after: State): Promise<void> {
  return recordChange(tx, context, { thing: 'SEGMENT', id, before, after });
}

/** Creates a segment. @throws FORBIDDEN; BAD_REQUEST; CONFLICT for a name in use, or too many */
export function createSegment(context: ActorContext, input: SegmentInput): Promise<Segment> {
  return addSegment(context, makeId(), input);
}

/** Brings a deleted segment back. @throws as `createSegment` */
export function restoreSegment(context: ActorContext, id: string, state: SegmentState): Promise<Segment> {
  return addSegment(context, id, state);
}

function addSegment(context: ActorContext, id: string, input: SegmentInput): Promise<Segment> {
  const name = requireLine(input.name, SEGMENT_NAME);
  const filter = parseFilter(input.match, input.conditions);
  const { actor, board, clock } = context;
  requireRight(actor, 'segment.edit');
  return context.db.transaction(async (tx) => {
    const names = await requireFreeName(tx, board.id, name);
    const all = await tx.selectFrom('segments').select('id').where('board_id', '=', board.id).execute();
    if (all.length >= MAX_SEGMENTS) throw conflict(msg('segmentsTooMany', MAX_SEGMENTS));
    const row = { board_id: board.id, id, ...names, filter: JSON.stringify(filter), date_created: clock.now() };
    await tx.insertInto('segments').values(row).execute();
    // With all it has: undoing it is refused once others have changed it.
    await record(tx, context, id, { exists: false }, { exists: true, ...stateOf(row) });
    return toSegment(row);
  });
}

/** Changes to a segment; `match` and `conditions` are given together. */
export type SegmentChanges = { [K in keyof SegmentInput]?: SegmentInput[K] | null | undefined };

/** Changes a segment. @throws FORBIDDEN, NOT_FOUND, BAD_REQUEST, CONFLICT */
export function updateSegment(context: ActorContext, id: string, changes: SegmentChanges): Promise<Segment> {
  const { name, match, conditions } = changes;
  const newName = name == null ? null : requireLine(name, SEGMENT_NAME);
  requireRight(context.actor, 'segment.edit');
  return context.db.transaction(async (tx) => {
    const { id: boardId } = context.board;
    const row = await requireSegmentRow(tx, boardId, id);
    const before = stateOf(row);
    const filter = parseFilter(match ?? before.match, conditions ?? before.conditions);
    const names = newName === null ? {} : await requireFreeName(tx, boardId, newName, id);
    const changed = { ...row, ...names, filter: JSON.stringify(filter) };
    const update = tx.updateTable('segments').set({ ...names, filter: changed.filter });
    await update.where('board_id', '=', boardId).where('id', '=', id).execute();
    await record(tx, context, id, before, stateOf(changed));
    return toSegment(changed);
  });
}

/** Deletes a segment; the people in it stay. @throws FORBIDDEN, NOT_FOUND */
export function deleteSegment(context: ActorContext, id: string): Promise<Segment> {
  requireRight(context.actor, 'segment.edit');
  return context.db.transaction(async (tx) => {
    const row = await requireSegmentRow(tx, context.board.id, id);
    await tx.deleteFrom('segments').where('board_id', '=', row.board_id).where('id', '=', id).execute();
    await record(tx, context, id, { exists: true, ...stateOf(row) }, { exists: false });
    return toSegment(row);
  });
}

/** A segment as it is now, for undoing what was done to it; null once it is deleted. */
export async function readSegmentState(tx: Tx, boardId: string, id: string): Promise<State | null> {
  const query = tx.selectFrom('segments').selectAll().where('board_id', '=', boardId).where('id', '=', id);
  const row = await query.executeTakeFirst();
  return row ? { exists: true, ...stateOf(row) } : null;
}

/** The columns for a name that no other segment has. The board is locked, so two calls cannot both find it free. */
async function requireFreeName(tx: Tx, boardId: string, name: string, ownId?: string) {
  const folded = name.toLowerCase();
  await lockBoard(tx, boardId);
  const query = tx.selectFrom('segments').select(['id', 'name']).where('board_id', '=', boardId);
  const other = await query.where('name_folded', '=', folded).executeTakeFirst();
  if (other && other.id !== ownId) throw conflict(msg('segmentNameTaken', other.name));
  return { name, name_folded: folded };
}
