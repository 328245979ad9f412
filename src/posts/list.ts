import type { Reader } from '../db/db.ts';
import { type Columns, isOneOf, prepare, prepareVariants, rowLimit, selectColumns } from '../db/prepare.ts';
import { encodeCursor, makePage, type Page, parseCursor } from '../lib/page.ts';
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
  /** What is read of each post, beside its id and what the order goes by. */
  columns?: Columns<PostRow>;
};

/**
 * One page of posts. It costs the same at any depth: the cursor holds the sort value of the last row, and the next
 * page starts there in the index.
 * @throws BAD_REQUEST for a cursor that is broken or comes from another order
 */
export async function listPosts(reader: Reader, boardId: string, query: PostQuery): Promise<Page<PostRow>> {
  const { order, cursor, limit, statusIds, authorId, columns = null } = query;
  const position = parseCursor(`posts:${order}`, cursor, order === 'TRENDING' ? Number.isFinite : undefined);
  const statement = statements({ order, after: !!position, byStatus: !!statusIds, byAuthor: !!authorId, columns });
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

const statements = prepareVariants<Shape, Values, PostRow>(({ order, after, byStatus, byAuthor, columns }) => {
  const { column, direction } = orders[order];
  return prepare((reader, param) => {
    let query = reader.selectFrom('posts').where('board_id', '=', param('boardId')).where('date_deleted', 'is', null);
    if (byStatus) query = query.where(isOneOf(reader, 'status_id', param('statusIds')));
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
});

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
