import type { Reader } from '../../platform/db/db.ts';
import { type Columns, isOneOf, prepare, prepareVariants, rowLimit, selectColumns } from '../../platform/db/prepare.ts';
import { encodeCursor, makePage, type Page, parseCursor } from '../../platform/lib/page.ts';
import { isOnVisiblePost, isVisibleComment } from '../visibility/comments.ts';
import { type Viewer, type ViewerScope, viewerId, viewerScopeOf } from '../visibility/posts.ts';
import type { CommentRow, CommentType } from './comments.ts';

/** The orders that comments can be listed in. */
const orders = {
  OLDEST: { column: 'date_created', direction: 'asc' },
  NEWEST: { column: 'date_created', direction: 'desc' },
  /** What was written, edited, moderated or moved last comes last: to follow what changes. */
  CHANGED: { column: 'date_changed', direction: 'asc' },
} as const;

export type CommentOrder = keyof typeof orders;

/** Which comments, in which order, from where on, for whom. */
export type CommentQuery = {
  viewer: Viewer;
  order: CommentOrder;
  types: readonly CommentType[] | null;
  /** In the order CHANGED: since when. */
  since?: number;
  cursor: string | null;
  limit: number;
  /** What is read of each comment, beside its place in the list. */
  columns: Columns<CommentRow>;
};

/** What has lists of comments: posts, comments (replies) and people (without the descriptions of their posts). */
type Owner = 'post_id' | 'parent_id' | 'user_id';

/**
 * The first page of comments of each of the owners, by the owner's id, in one statement: the beginnings of their
 * lists, one after the other, so that a post with ten thousand comments costs no more than one with ten. Posts and
 * parents must be visible to the viewer; of a person's comments only those on such posts are given.
 */
export async function listCommentsOfEach(
  reader: Reader,
  boardId: string,
  owner: Owner,
  ids: readonly string[],
  query: CommentQuery,
): Promise<Map<string, Page<CommentRow>>> {
  const rows = await readLists(reader, boardId, owner, ids, query);
  const lists = Map.groupBy(rows, (row) => row[owner]);
  return new Map(ids.map((id) => [id, makePage(lists.get(id) ?? [], query.limit, cursorOf(query.order))]));
}

/** A page of comments of one post that the viewer may see, or of all posts. */
export async function listComments(
  reader: Reader,
  boardId: string,
  postId: string | null,
  query: CommentQuery,
): Promise<Page<CommentRow>> {
  const rows = await readLists(reader, boardId, postId === null ? null : 'post_id', [postId ?? ''], query);
  return makePage(rows, query.limit, cursorOf(query.order));
}

/** Gives the place after a comment in the lists of an order. */
export function cursorOf(order: CommentOrder) {
  return (row: CommentRow) => encodeCursor(`comments:${order}`, [row[orders[order].column], row.id]);
}

async function readLists(
  reader: Reader,
  boardId: string,
  owner: Owner | null,
  ids: readonly string[],
  { viewer, order, types, since, cursor, limit, columns }: CommentQuery,
): Promise<CommentRow[]> {
  const position = parseCursor(`comments:${order}`, cursor);
  const [date = 0, id = ''] = position ?? [];
  const byType = types !== null;
  const after = position !== null;
  const shape = { owner, lists: ids.length, order, byType, since: since !== undefined, after, columns };
  const values: Values = {
    boardId,
    viewerId: viewerId(viewer),
    types: types ?? [],
    since: since ?? 0,
    date,
    id,
    limit: limit + 1,
  };
  ids.forEach((ownerId, n) => {
    values[`owner${n}`] = ownerId;
  });
  return statements({ ...shape, scope: viewerScopeOf(viewer) })(reader, values);
}

type Shape = {
  owner: Owner | null;
  lists: number;
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
  [ownerId: `owner${number}`]: string;
};

const statements = prepareVariants<Shape, Values, CommentRow>((shape) =>
  prepare((reader, param) => {
    const { owner, order, columns } = shape;
    const { column, direction } = orders[order];
    const viewerFilter = { scope: shape.scope, boardId: param('boardId'), viewerId: param('viewerId') };
    const listOf = (n: number) => {
      let list = reader.selectFrom('comments').where('board_id', '=', param('boardId'));
      list = list.where(isVisibleComment(viewerFilter));
      if (owner) list = list.where(owner, '=', param(`owner${n}`));
      if (owner === 'user_id') list = list.where('is_first', '=', 0);
      if (owner === 'user_id' || owner === null) list = list.where(isOnVisiblePost(viewerFilter));
      if (shape.since) list = list.where(column, '>=', param('since'));
      if (shape.after) {
        const isAfter = direction === 'desc' ? '<' : '>';
        list = list.where((e) => e(e.refTuple(column, 'id'), isAfter, e.tuple(param('date'), param('id'))));
      }
      if (shape.byType) list = list.where(isOneOf(reader, 'type', param('types')));
      const page = selectColumns(list, columns, ['id', column, ...(owner ? [owner] : [])])
        .orderBy(column, direction)
        .orderBy('id', direction)
        .limit(rowLimit(param('limit')));
      return reader.selectFrom(page.as('page')).selectAll();
    };
    let query = listOf(0);
    for (let n = 1; n < shape.lists; n++) query = query.unionAll(listOf(n));
    return query;
  }),
);
