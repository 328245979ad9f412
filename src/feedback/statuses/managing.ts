import { recordChange, type State } from '../../identity/activity/activity.ts';
import { lockBoard } from '../../identity/board/board.ts';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { locked } from '../../platform/db/prepare.ts';
import { updateRow } from '../../platform/db/rows.ts';
import { badRequest, conflict, notFound } from '../../platform/errors.ts';
import { requireColor, requireColorOr } from '../../platform/lib/color.ts';
import { makeId, requireOwnId } from '../../platform/lib/ids.ts';
import { msg } from '../../platform/messages.ts';
import { requireLine, requireLineOr } from '../../platform/texts/text.ts';
import { listStatuses, type PostVisibility, type StatusRow } from './statuses.ts';

/** How many statuses a board may have, including the built-in ones. */
const MAX_STATUSES = 50;

const NAME = { field: 'name', min: 1, max: 50 };

export type NewStatus = {
  /** A UUID chosen by the client; without one the status gets a new id. */
  id?: string | null | undefined;
  name: string;
  /** CSS hex color, `#rgb` or `#rrggbb`. */
  color: string;
  /** Whether it is a column of the roadmap; default: true. */
  isOnRoadmap?: boolean | null | undefined;
};

/**
 * Adds a custom status, after the board's last one.
 * @throws CONFLICT when another status has the name or the id, or the board already has the maximum number
 */
export async function createStatus(context: ActorContext, input: NewStatus): Promise<StatusRow> {
  const name = requireLine(input.name, NAME);
  const color = requireColor(input.color);
  const id = input.id == null ? makeId() : requireOwnId(input.id);
  requireRight(context.actor, 'status.edit');
  return context.db.transaction(async (tx) => {
    const statuses = await lockStatuses(tx, context.board.id);
    requireFreeName(statuses, name);
    if (statuses.some((status) => status.id === id)) throw conflict('There is already a status with this id');
    if (statuses.length >= MAX_STATUSES) throw conflict(msg('statusTooMany', MAX_STATUSES));
    const position = 1 + statuses.findLastIndex(({ type }) => type === 'CUSTOM' || type === 'UNASSIGNED');
    const row = { board_id: context.board.id, id, name, color, type: 'CUSTOM', post_visibility: 'PUBLIC' } as const;
    const is_on_roadmap = input.isOnRoadmap === false ? 0 : 1;
    const created = await tx
      .insertInto('statuses')
      .values({ ...row, position, is_on_roadmap })
      .returningAll()
      .executeTakeFirstOrThrow();
    await putInOrder(tx, statuses.toSpliced(position, 0, created));
    await recordStatusChange(tx, context, id, { exists: false }, { exists: true, postCount: 0 });
    return created;
  });
}

/** Changes to a status; omitted properties stay unchanged. */
export type StatusChanges = {
  name?: string | null | undefined;
  color?: string | null | undefined;
  postVisibility?: PostVisibility | null | undefined;
  isOnRoadmap?: boolean | null | undefined;
};

/**
 * Changes a status, built-in ones too.
 * @throws CONFLICT when another one has the name; BAD_REQUEST when MERGED becomes a column of the roadmap
 */
export async function updateStatus(context: ActorContext, id: string, changes: StatusChanges): Promise<StatusRow> {
  const name = requireLineOr(changes.name ?? null, NAME);
  const color = requireColorOr(changes.color ?? null);
  requireRight(context.actor, 'status.edit');
  return context.db.transaction(async (tx) => {
    const statuses = await lockStatuses(tx, context.board.id);
    const status = requireKnown(statuses, id);
    if (name !== null) requireFreeName(statuses, name, id);
    if (changes.isOnRoadmap && status.type === 'MERGED')
      throw badRequest('Merged posts are not shown on the roadmap', 'isOnRoadmap');
    const set = {
      ...(name !== null && { name }),
      ...(color !== null && { color }),
      ...(changes.postVisibility && { post_visibility: changes.postVisibility }),
      ...(changes.isOnRoadmap != null && { is_on_roadmap: changes.isOnRoadmap ? (1 as const) : (0 as const) }),
    };
    if (Object.keys(set).length === 0) return status;
    const changed = await updateRow(tx, 'statuses', status, set);
    await recordStatusChange(tx, context, id, stateOfStatus(status), stateOfStatus(changed));
    return changed;
  });
}

/** What operations change of a status, by the names of the API. */
export function stateOfStatus({ name, color, post_visibility: postVisibility, is_on_roadmap }: StatusRow) {
  return { name, color, postVisibility, isOnRoadmap: is_on_roadmap === 1 };
}

/** A status as operations change it. */
export type StatusState = ReturnType<typeof stateOfStatus>;

/** Records what a change of the team did to a status, see `recordChange`. */
export function recordStatusChange(
  tx: Tx,
  context: ActorContext,
  id: string,
  before: State,
  after: State,
): Promise<void> {
  return recordChange(tx, context, { thing: 'STATUS', id, before, after });
}

/**
 * Reorders statuses. Those not listed keep their positions.
 * @throws NOT_FOUND for an unknown status, BAD_REQUEST if one is listed twice
 */
export async function rearrangeStatuses(context: ActorContext, ids: readonly string[]): Promise<void> {
  if (new Set(ids).size < ids.length) throw badRequest('ids names a status more than once', 'ids');
  requireRight(context.actor, 'status.edit');
  await context.db.transaction(async (tx) => {
    const statuses = await lockStatuses(tx, context.board.id);
    const named = ids.map((id) => requireKnown(statuses, id)).values();
    const isNamed = new Set(ids);
    const inOrder = statuses.map((status) => (isNamed.has(status.id) ? (named.next().value ?? status) : status));
    await putInOrder(tx, inOrder);
    const [before, after] = [{ statusIds: idsOf(statuses) }, { statusIds: idsOf(inOrder) }];
    await recordChange(tx, context, { thing: 'STATUS_ORDER', id: context.board.id, before, after });
  });
}

function idsOf(statuses: readonly StatusRow[]): string[] {
  return statuses.map(({ id }) => id);
}

/** Assigns each status its position, beginning with 0. */
export async function putInOrder(tx: Tx, statuses: readonly StatusRow[]): Promise<void> {
  for (const [position, status] of statuses.entries()) {
    if (status.position !== position) await updateRow(tx, 'statuses', status, { position });
  }
}

/** The statuses of the board in their order, locked, and with them the board: no other transaction adds one. */
export async function lockStatuses(tx: Tx, boardId: string): Promise<StatusRow[]> {
  const query = tx.selectFrom('statuses').select('id').where('board_id', '=', boardId);
  await locked(tx, query.orderBy('id')).execute();
  await lockBoard(tx, boardId);
  return listStatuses(tx, boardId);
}

/** @throws NOT_FOUND */
export function requireKnown(statuses: readonly StatusRow[], id: string): StatusRow {
  const status = statuses.find((s) => s.id === id);
  if (!status) throw notFound('Status');
  return status;
}

function requireFreeName(statuses: readonly StatusRow[], name: string, ownId?: string): void {
  const folded = name.toLowerCase();
  const other = statuses.find((status) => status.id !== ownId && status.name.toLowerCase() === folded);
  if (other) throw conflict(msg('statusNameTaken', other.name));
}
