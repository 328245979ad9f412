import { type Expression, type SqlBool, sql } from 'kysely';
import {
  type ChangeRow,
  isOfTeam,
  MAX_UNDONE,
  type State,
  things,
  UNDO_DAYS,
} from '../../identity/activity/activity.ts';
import { type Action, may } from '../../identity/users/authority.ts';
import type { ActorContext, RequestContext, ViewerContext } from '../../identity/users/request-context.ts';
import type { Reader } from '../../platform/db/db.ts';
import { isKnown, isOneOf } from '../../platform/db/prepare.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { emptyPage, encodeCursor, makePage, type Page, type PageArgs, parseCursor } from '../../platform/lib/page.ts';
import { isVisibleOrDeletedPost, type Viewer, viewerFilterOf, viewerId } from '../visibility/posts.ts';

/** What the team did with one request or form. */
export type OperationView = {
  id: string;
  actorId: string | null;
  via: string | null;
  dateCreated: number;
  dateUndone: number | null;
  undoneBy: string | null;
  isUndoable: boolean;
  /** In the order in which they were made. */
  changes: readonly ChangeView[];
};

/** What an operation changed about one thing. */
export type ChangeView = Pick<ChangeRow, 'thing' | 'thing_id' | 'post_id'> & { before: State; after: State };

/** Operations of the team that the viewer may see, the newest first; none for anyone outside the team. */
export async function listOperations(
  context: ViewerContext,
  { cursor, limit }: PageArgs,
): Promise<Page<OperationView>> {
  if (!isOfTeam(context)) return emptyPage;
  const { db, board, actor } = context;
  const [, before] = parseCursor('operations', cursor) ?? [];
  let query = db.read.selectFrom('operations').select('operation_id').distinct().where('board_id', '=', board.id);
  if (before) query = query.where('operation_id', '<', before);
  const kept = query.where('date_created', '>', oldestKept(context)).where(isVisibleChange(actor, board.id));
  const rows = await kept
    .orderBy('operation_id', 'desc')
    .limit(limit + 1)
    .execute();
  const page = makePage(rows, limit, ({ operation_id: id }) => encodeCursor('operations', [0, id]));
  const views = await findOperations(
    context,
    page.nodes.map((row) => row.operation_id),
  );
  return { ...page, cursor: page.cursor, nodes: views };
}

/** These operations, the newest first. Of those that the viewer may see only in part, that part. */
export async function findOperations(
  { db, board, actor }: Pick<ViewerContext, 'db' | 'board' | 'actor'>,
  ids: readonly string[],
): Promise<OperationView[]> {
  const rows = await changesOf(db.read, board.id, ids).where(isVisibleChange(actor, board.id)).execute();
  const operations = Map.groupBy(rows, (row) => row.operation_id);
  return [...operations.values()]
    .map((changes) => viewOperation(changes, actor))
    .toSorted((a, b) => (a.id < b.id ? 1 : -1));
}

/** The changes of operations in their order. */
export function changesOf(reader: Reader, boardId: string, ids: readonly string[]) {
  const query = reader.selectFrom('operations').selectAll().where('board_id', '=', boardId);
  return query
    .where(isOneOf(reader, 'operation_id', ids))
    .orderBy('operation_id')
    .orderBy('id');
}

function viewOperation(rows: readonly ChangeRow[], viewer: Viewer): OperationView {
  const first = rows[0] as ChangeRow;
  const changes = rows.map(viewChange);
  const isPossible = changes.every((change) => !('lost' in change.after) && may(viewer, rightTo(change)));
  return {
    id: first.operation_id,
    actorId: first.actor_id,
    via: first.via,
    dateCreated: first.date_created,
    dateUndone: first.date_undone,
    undoneBy: first.undone_by,
    isUndoable: first.date_undone === null && rows.length <= MAX_UNDONE && isPossible,
    changes,
  };
}

/** The right without which a change cannot be undone; all others are rights of the whole team. */
function rightTo({ thing, after }: ChangeView): Action {
  if (thing === 'USER') return 'role' in after ? 'team.manage' : 'user.standing';
  if (thing === 'BOARD') return 'isApiEnabled' in after ? 'api.switch' : 'board.edit';
  if (thing === 'FIELD' || thing === 'FIELD_ORDER') return 'field.edit';
  return thing === 'STATUS' || thing === 'STATUS_ORDER' ? 'status.edit' : 'post.see.team';
}

/** A change as the API shows it. */
export function viewChange({ thing, thing_id, post_id, state_before, state_after }: ChangeRow): ChangeView {
  return { thing, thing_id, post_id, before: JSON.parse(state_before), after: JSON.parse(state_after) };
}

/** The oldest time of operations that are kept, not included. */
export function oldestKept({ clock }: Pick<RequestContext, 'clock'>): number {
  return clock.now() - UNDO_DAYS * DAY_MS;
}

/**
 * In a query on `operations`: changes of posts that the viewer sees, or saw before they were deleted, and of all else that
 * this version knows, except what others do to views of their own.
 */
export function isVisibleChange(viewer: Viewer, boardId: string): Expression<SqlBool> {
  return sql<SqlBool>`(${isKnown('operations.thing', things)}
    and (operations.thing <> 'OWN_VIEW' or operations.actor_id = ${viewerId(viewer)}) and (operations.post_id is null or exists (
    select 1 from posts
    where posts.board_id = operations.board_id and posts.id = operations.post_id
      and ${isVisibleOrDeletedPost(viewerFilterOf(viewer, boardId))})))`;
}

/** Whether the viewer may see all of these changes. */
export async function seesAll(
  reader: Reader,
  { board, actor }: Pick<ActorContext, 'board' | 'actor'>,
  operationId: string,
): Promise<boolean> {
  const hidden = reader.selectFrom('operations').select('id').where('board_id', '=', board.id);
  const isHidden = sql<SqlBool>`not ${isVisibleChange(actor, board.id)}`;
  return !(await hidden.where('operation_id', '=', operationId).where(isHidden).limit(1).executeTakeFirst());
}
