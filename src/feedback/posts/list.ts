import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Reader, Tables } from '../../platform/db/db.ts';
import {
  type Columns,
  type Prepared,
  prepare,
  prepareVariants,
  rowLimit,
  selectColumns,
} from '../../platform/db/prepare.ts';
import { encodeCursor, makePage, type Page, parseCursor } from '../../platform/lib/page.ts';
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
/** Statuses whose lists are merged rather than looked for in the list of all posts. */
const MAX_MERGED_LISTS = 50;

/** Which posts, in which order, from where on, for whom. */
export type PostQuery = {
  viewer: Viewer;
  order: PostOrder;
  filter?: PostFilter;
  /** Further conditions, which are not prepared: for searches. */
  conditions?: readonly Expression<SqlBool>[];
  cursor: string | null;
  limit: number;
  /** What is read of each post, beside its id and what the order goes by. */
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
  const rows =
    statusIds && hasIndex && !query.conditions
      ? await readLists(reader, boardId, { ...query, filter: others }, 'status_id', statusIds, true)
      : await readLists(reader, boardId, query, null, [], false);
  return makePage(rows, query.limit, cursorOf(query.order));
}

/** A page of the posts of each status or author, by its id, in one statement. */
export async function listPostsOfEach(
  reader: Reader,
  boardId: string,
  query: PostQuery,
  column: 'status_id' | 'author_id',
  ids: readonly string[],
): Promise<Map<string, Page<PostRow>>> {
  const columns = query.columns && [...query.columns, column];
  const rows = await readLists(reader, boardId, { ...query, columns: columns ?? null }, column, ids, false);
  const lists = Map.groupBy(rows, (row) => row[column]);
  return new Map(ids.map((id) => [id, makePage(lists.get(id) ?? [], query.limit, cursorOf(query.order))]));
}

function cursorOf(order: PostOrder) {
  return (row: PostRow) => encodeCursor(`posts:${order}`, [row[orders[order].column], row.id]);
}

/** The beginnings of the lists of several statuses or authors, or of one list of all; `merged` makes one list of them. */
async function readLists(
  reader: Reader,
  boardId: string,
  { viewer, order, filter = {}, conditions, cursor, limit, columns = null }: PostQuery,
  by: Shape['by'],
  ids: readonly string[],
  merged: boolean,
): Promise<PostRow[]> {
  const position = parseCursor(`posts:${order}`, cursor, order === 'TRENDING' ? Number.isFinite : undefined);
  if (by !== null && ids.length === 0) return [];
  const [value = 0, id = ''] = position ?? [];
  const how = { order, after: !!position, scope: viewerScopeOf(viewer), filter: shapeOf(filter), columns };
  const shape = { ...how, by, lists: ids.length, merged };
  const statement = conditions ? makeStatement(shape, conditions) : statements(shape);
  const values: Values = { boardId, viewerId: viewerId(viewer), value, id, limit: limit + 1, ...valuesOf(filter) };
  ids.forEach((listId, n) => {
    values[`list${n}`] = listId;
  });
  return statement(reader, values);
}

type Shape = {
  order: PostOrder;
  after: boolean;
  scope: ViewerScope;
  filter: FilterShape;
  columns: Columns<PostRow>;
  by: 'status_id' | 'author_id' | null;
  lists: number;
  merged: boolean;
};
type Values = FilterValues & {
  boardId: string;
  viewerId: string;
  value: number;
  id: string;
  limit: number;
  [listId: `list${number}`]: string;
};

type PostsQuery = SelectQueryBuilder<Tables, 'posts', object>;

const statements = prepareVariants<Shape, Values, PostRow>((shape) => makeStatement(shape, []));

function makeStatement(shape: Shape, conditions: readonly Expression<SqlBool>[]): Prepared<Values, PostRow> {
  const { column, direction } = orders[shape.order];
  return prepare((reader, param) => {
    const listOf = (restrict: (query: PostsQuery) => PostsQuery) => {
      let query = restrict(reader.selectFrom('posts').where('board_id', '=', param('boardId')));
      query = query.where(
        isVisiblePost({ scope: shape.scope, boardId: param('boardId'), viewerId: param('viewerId') }),
      );
      query = addFilter(reader, query, shape.filter, param);
      for (const condition of conditions) query = query.where(condition);
      if (shape.after) {
        const isAfter = direction === 'desc' ? '<' : '>';
        query = query.where((e) => e(e.refTuple(column, 'id'), isAfter, e.tuple(param('value'), param('id'))));
      }
      return selectColumns(query, shape.columns, ['id', column])
        .orderBy(isSelective(shape.filter) ? sql`+${sql.ref(column)}` : column, direction)
        .orderBy('id', direction)
        .limit(rowLimit(param('limit')));
    };
    const { by } = shape;
    if (by === null) return listOf((query) => query);
    const pageOf = (n: number) =>
      reader.selectFrom(listOf((query) => query.where(by, '=', param(`list${n}`))).as('page')).selectAll();
    let lists = pageOf(0);
    for (let n = 1; n < shape.lists; n++) lists = lists.unionAll(pageOf(n));
    if (!shape.merged) return lists;
    return reader
      .selectFrom(lists.as('posts'))
      .selectAll()
      .orderBy(column, direction)
      .orderBy('id', direction)
      .limit(rowLimit(param('limit')));
  });
}
