import type { Reader } from '../db/db.ts';
import {
  type Columns,
  isOneOf,
  type Prepared,
  prepare,
  prepareVariants,
  rowLimit,
  selectColumns,
} from '../db/prepare.ts';
import { encodeCursor, makePage, type Page, parseCursor } from '../lib/page.ts';
import type { PostCondition } from '../search/visible.ts';
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

/** Which posts, in which order, from where on. */
export type PostQuery = {
  order: PostOrder;
  /** Only posts in one of these statuses. */
  statusIds?: readonly string[];
  /** Only posts in the name of this person. */
  authorId?: string;
  cursor: string | null;
  limit: number;
  /** Further conditions, which are not prepared: for searches. */
  conditions?: readonly PostCondition[];
  /** What is read of each post, beside its id and what the order goes by. */
  columns?: Columns<PostRow>;
};

/**
 * One page of posts. It costs the same at any depth: the cursor holds the sort value of the last row, and the next
 * page starts there in the index.
 * @throws BAD_REQUEST for a cursor that is broken or comes from another order
 */
export async function listPosts(reader: Reader, boardId: string, query: PostQuery): Promise<Page<PostRow>> {
  const { order, cursor, limit, statusIds, authorId, conditions, columns = null } = query;
  const position = parseCursor(`posts:${order}`, cursor);
  const shape = { order, after: !!position, byStatus: !!statusIds, byAuthor: !!authorId, columns };
  const statement = conditions ? makeStatement(shape, conditions) : statements(shape);
  const [value = 0, id = ''] = position ?? [];
  const rows = await statement(reader, {
    boardId,
    value,
    id,
    statusIds: statusIds ?? [],
    authorId: authorId ?? '',
    limit: limit + 1,
  });
  return makePage(rows, limit, (row) => encodeCursor(`posts:${order}`, [row[orders[order].column], row.id]));
}

type Shape = { order: PostOrder; after: boolean; byStatus: boolean; byAuthor: boolean; columns: Columns<PostRow> };
type Values = {
  boardId: string;
  value: number;
  id: string;
  statusIds: readonly string[];
  authorId: string;
  limit: number;
};

const statements = prepareVariants<Shape, Values, PostRow>((shape) => makeStatement(shape, []));

function makeStatement(
  { order, after, byStatus, byAuthor, columns }: Shape,
  conditions: readonly PostCondition[],
): Prepared<Values, PostRow> {
  const { column, direction } = orders[order];
  return prepare((reader, param) => {
    let query = reader.selectFrom('posts').where('board_id', '=', param('boardId')).where('date_deleted', 'is', null);
    if (byStatus) query = query.where(isOneOf(reader, 'status_id', param('statusIds')));
    for (const condition of conditions) query = query.where(condition);
    if (byAuthor) query = query.where('author_id', '=', param('authorId'));
    if (after) {
      const beyond = direction === 'desc' ? '<' : '>';
      query = query.where((e) => e(e.refTuple(column, 'id'), beyond, e.tuple(param('value'), param('id'))));
    }
    return selectColumns(query, columns, ['id', column])
      .orderBy(column, direction)
      .orderBy('id', direction)
      .limit(rowLimit(param('limit')));
  });
}

/** Posts of a search that are counted, at most. */
const MAX_COUNTED = 10_000;

/** How many posts fulfil the conditions, as far as they are counted. */
export async function countPostsWith(
  reader: Reader,
  boardId: string,
  { conditions, statusIds }: Pick<PostQuery, 'conditions' | 'statusIds'>,
): Promise<number> {
  let posts = reader.selectFrom('posts').select('posts.id').where('board_id', '=', boardId);
  posts = posts.where('date_deleted', 'is', null).limit(MAX_COUNTED);
  if (statusIds) posts = posts.where(isOneOf(reader, 'status_id', statusIds));
  for (const condition of conditions ?? []) posts = posts.where(condition);
  const query = reader.selectFrom(posts.as('found')).select((e) => e.fn.countAll<number>().as('count'));
  return (await query.executeTakeFirstOrThrow()).count;
}

/** How many posts stand in the name of a person. */
export async function countPostsOf(reader: Reader, boardId: string, authorId: string): Promise<number> {
  const { count } = await reader
    .selectFrom('posts')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('board_id', '=', boardId)
    .where('author_id', '=', authorId)
    .where('date_deleted', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}
