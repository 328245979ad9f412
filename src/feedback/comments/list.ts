import type { ViewerContext } from '../../identity/users/request-context.ts';
import type { Reader, Rows } from '../../platform/db/db.ts';
import { isAfter, listEach } from '../../platform/db/lists.ts';
import { type Columns, isOneOf, type Param, rowLimit, selectColumns } from '../../platform/db/prepare.ts';
import { encodeCursor, makePage, makePages, type Page, type PageArgs, parseCursor } from '../../platform/lib/page.ts';
import { isOnVisiblePost, isVisibleComment } from '../visibility/comments.ts';
import { type ViewerScope, viewerId, viewerScopeOf } from '../visibility/posts.ts';
import type { CommentRow, CommentType } from './comments.ts';

/** The orders that comments can be listed in. */
const orders = {
  OLDEST: { column: 'date_created', direction: 'asc' },
  NEWEST: { column: 'date_created', direction: 'desc' },
  /** By the last time of writing, editing, moderating or moving: to follow changes. */
  CHANGED: { column: 'date_changed', direction: 'asc' },
} as const;

export type CommentOrder = keyof typeof orders;

/** Which comments, in which order, starting where, for which viewer. */
export type CommentQuery = PageArgs & {
  order: CommentOrder;
  types: readonly CommentType[] | null;
  /** In the order CHANGED: since when. */
  since?: number;
  /** The columns read for each comment, besides its position in the list. */
  columns: Columns<CommentRow>;
};

/** What has lists of comments: posts, comments (replies) and people (without the descriptions of their posts). */
type Owner = 'post_id' | 'parent_id' | 'user_id';

/**
 * Pages of the comments of each owner, by its id. Posts and parents must be visible to the viewer; of a person's
 * comments only those on such posts are given.
 */
export async function listCommentsOfEach(
  context: ViewerContext,
  owner: Owner,
  ids: readonly string[],
  query: CommentQuery,
): Promise<Map<string, Page<CommentRow>>> {
  const rows = await readComments(context, owner, ids, query);
  return makePages(rows, owner, ids, query.limit, cursorOf(query.order));
}

/** A page of comments of one post that the viewer may see, or of all posts. */
export async function listComments(
  context: ViewerContext,
  postId: string | null,
  query: CommentQuery,
): Promise<Page<CommentRow>> {
  const [owner, ids] = postId === null ? ([null, null] as const) : (['post_id', [postId]] as const);
  return makePage(await readComments(context, owner, ids, query), query.limit, cursorOf(query.order));
}

/** Returns the position after a comment in lists of an order. */
export function cursorOf(order: CommentOrder) {
  return (row: CommentRow) => encodeCursor(`comments:${order}`, [row[orders[order].column], row.id]);
}

function readComments(
  { db, board, actor }: ViewerContext,
  owner: Owner | null,
  ids: readonly string[] | null,
  { order, types, since, cursor, limit, columns }: CommentQuery,
): Rows<CommentRow> {
  const position = parseCursor(`comments:${order}`, cursor);
  const [date = 0, id = ''] = position ?? [];
  const shape = {
    owner,
    order,
    byType: types !== null,
    since: since !== undefined,
    after: position !== null,
    scope: viewerScopeOf(actor),
    columns,
  };
  const viewing = { boardId: board.id, viewerId: viewerId(actor) };
  const values = { ...viewing, types: types ?? [], since: since ?? 0, date, id, limit: limit + 1 };
  return comments(db.read, shape, values, ids);
}

type Shape = {
  owner: Owner | null;
  order: CommentOrder;
  byType: boolean;
  since: boolean;
  after: boolean;
  scope: ViewerScope;
  columns: Columns<CommentRow>;
};
type Values = {
  boardId: string;
  viewerId: string;
  types: readonly string[];
  since: number;
  date: number;
  id: string;
  limit: number;
};

function listOf(shape: Shape, reader: Reader, param: Param<Values>, ownerId: string | null) {
  const { owner, scope } = shape;
  const { column, direction } = orders[shape.order];
  const viewerFilter = { scope, boardId: param('boardId'), viewerId: param('viewerId') };
  let list = reader
    .selectFrom('comments')
    .where('board_id', '=', param('boardId'))
    .where(isVisibleComment(viewerFilter));
  if (owner) list = list.where(owner, '=', ownerId);
  if (owner === 'user_id') list = list.where('is_first', '=', 0);
  if (owner === 'user_id' || owner === null) list = list.where(isOnVisiblePost(viewerFilter));
  if (shape.since) list = list.where(column, '>=', param('since'));
  if (shape.after) list = list.where(isAfter(column, direction, param('date'), param('id')));
  if (shape.byType) list = list.where(isOneOf(reader, 'type', param('types')));
  return selectColumns(list, shape.columns, ['id', column, ...(owner ? [owner] : [])])
    .orderBy(column, direction)
    .orderBy('id', direction)
    .limit(rowLimit(param('limit')));
}

const comments = listEach<Shape, Values, CommentRow>(
  listOf,
  null,
  ({ owner, since, byType }) => owner === 'post_id' && !since && !byType,
);
