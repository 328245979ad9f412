import { type Expression, type SqlBool, sql } from 'kysely';
import type { Reader } from '../../platform/db/db.ts';
import { isAfter, listEach } from '../../platform/db/lists.ts';
import { type Columns, type Param, prepare, rowLimit, selectColumns } from '../../platform/db/prepare.ts';
import { encodeCursor, makePage, makePages, type Page, type PageArgs, parseCursor } from '../../platform/lib/page.ts';
import { isVisiblePost, type Viewer, type ViewerScope, viewerId, viewerScopeOf } from '../visibility/posts.ts';
import {
  addFilter,
  type FilterShape,
  type FilterValues,
  isSelective,
  type PostFilter,
  shapeOf,
  valuesOf,
} from './filter.ts';
import type { PostRow } from './posts.ts';

/** The orders that posts can be listed in: the column, and which end comes first. Each has an index. */
const orders = {
  TRENDING: { column: 'hot', direction: 'desc' },
  TOP: { column: 'upvotes', direction: 'desc' },
  NEWEST: { column: 'date_created', direction: 'desc' },
  OLDEST: { column: 'date_created', direction: 'asc' },
  RECENTLY_UPDATED: { column: 'date_updated', direction: 'desc' },
  MOST_COMMENTED: { column: 'comment_count', direction: 'desc' },
  COMPLETED: { column: 'date_completed', direction: 'desc' },
} as const;

export type PostOrder = keyof typeof orders;
export const postOrders = Object.keys(orders) as PostOrder[];

/** Orders that the posts of one status have an index for. */
const ordersWithinStatus: readonly PostOrder[] = ['TRENDING', 'TOP', 'NEWEST', 'OLDEST'];
/** Maximum number of statuses whose lists are merged instead of scanning the list of all posts. */
const MAX_MERGED_LISTS = 50;

/** Which posts, in which order, starting where, for which viewer. */
export type PostQuery = PageArgs & {
  viewer: Viewer;
  order: PostOrder;
  filter?: PostFilter;
  /** Further conditions, which are not prepared: for searches. */
  conditions?: readonly Expression<SqlBool>[];
  /** The columns read for each post, besides its id and the sort column. */
  columns?: Columns<PostRow>;
};

/**
 * One page of posts. It costs the same at any depth: the cursor holds the sort value of the last row, and the next
 * page starts there in the index.
 * @throws BAD_REQUEST for a cursor that is broken or comes from another order
 */
export async function listPosts(reader: Reader, boardId: string, query: PostQuery): Promise<Page<PostRow>> {
  const { statusIds, ...others } = query.filter ?? {};
  const hasIndex = ordersWithinStatus.includes(query.order) && (statusIds?.length ?? 0) <= MAX_MERGED_LISTS;
  // The few posts of a selective filter have an index of their own, which no list of a status uses.
  const isMerged = hasIndex && !query.conditions && !isSelective(shapeOf(others));
  const rows =
    statusIds && isMerged
      ? await readPosts(reader, boardId, { ...query, filter: others }, 'status_id', statusIds, true)
      : await readPosts(reader, boardId, query, null, null);
  return makePage(rows, query.limit, cursorOf(query.order));
}

/** Pages of the posts of each status or author, by its id. */
export async function listPostsOfEach(
  reader: Reader,
  boardId: string,
  query: PostQuery,
  column: 'status_id' | 'author_id',
  ids: readonly string[],
): Promise<Map<string, Page<PostRow>>> {
  const columns = query.columns ? [...query.columns, column] : null;
  const rows = await readPosts(reader, boardId, { ...query, columns }, column, ids);
  return makePages(rows, column, ids, query.limit, cursorOf(query.order));
}

function cursorOf(order: PostOrder) {
  return (row: PostRow) => encodeCursor(`posts:${order}`, [row[orders[order].column], row.id]);
}

/** All posts, or those of several statuses or authors; `merged` makes one list of them. */
async function readPosts(
  reader: Reader,
  boardId: string,
  { viewer, order, filter = {}, conditions, cursor, limit, columns = null }: PostQuery,
  by: Shape['by'],
  ids: readonly string[] | null,
  merged = false,
): Promise<PostRow[]> {
  const position = parseCursor(`posts:${order}`, cursor, order === 'TRENDING' ? Number.isFinite : undefined);
  if (ids?.length === 0) return [];
  const [value = 0, id = ''] = position ?? [];
  const shape = {
    order,
    after: !!position,
    scope: viewerScopeOf(viewer),
    filter: shapeOf(filter),
    columns,
    by,
    merged,
  };
  const values = { boardId, viewerId: viewerId(viewer), value, id, limit: limit + 1, ...valuesOf(filter) };
  if (!conditions) return posts(reader, shape, values, ids);
  return prepare<Values, PostRow>((_, param) => listOf(shape, reader, param, null, conditions))(reader, values);
}

type Shape = {
  order: PostOrder;
  after: boolean;
  scope: ViewerScope;
  filter: FilterShape;
  columns: Columns<PostRow>;
  by: 'status_id' | 'author_id' | null;
  merged: boolean;
};
type Values = FilterValues & { boardId: string; viewerId: string; value: number; id: string; limit: number };

function listOf(
  { order, after, scope, filter, columns, by }: Shape,
  reader: Reader,
  param: Param<Values>,
  parentId: string | null,
  conditions: readonly Expression<SqlBool>[] = [],
) {
  const { column, direction } = orders[order];
  let query = reader.selectFrom('posts').where('board_id', '=', param('boardId'));
  if (by) query = query.where(by, '=', parentId);
  query = query.where(isVisiblePost({ scope, boardId: param('boardId'), viewerId: param('viewerId') }));
  query = addFilter(reader, query, filter, param);
  for (const condition of conditions) query = query.where(condition);
  if (after) query = query.where(isAfter(column, direction, param('value'), param('id')));
  return selectColumns(query, columns, ['id', column])
    .orderBy(isSelective(filter) ? sql`+${sql.ref(column)}` : column, direction)
    .orderBy('id', direction)
    .limit(rowLimit(param('limit')));
}

const posts = listEach<Shape, Values, PostRow>(
  listOf,
  ({ order, merged }, reader, param, lists) => {
    if (!merged) return lists;
    const { column, direction } = orders[order];
    return reader
      .selectFrom(lists.as('posts'))
      .selectAll()
      .orderBy(column, direction)
      .orderBy('id', direction)
      .limit(rowLimit(param('limit')));
  },
  ({ filter, by }) => filter.length === 0 && by === null,
);
