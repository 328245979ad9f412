import type { Reader } from '../db/db.ts';
import { type Columns, isOneOf, prepare, prepareVariants, rowLimit, selectColumns } from '../db/prepare.ts';
import { encodeCursor, makePage, type Page, parseCursor } from '../lib/page.ts';
import type { CommentRow, CommentType } from './comments.ts';

/** Which comments of each post, the oldest first. */
export type CommentQuery = {
  types: readonly CommentType[] | null;
  cursor: string | null;
  limit: number;
  /** What is read of each comment, beside its place in the list. */
  columns: Columns<CommentRow>;
};

type Values = {
  boardId: string;
  types: readonly string[];
  date: number;
  id: string;
  limit: number;
  [postId: `post${number}`]: string;
};

/**
 * The first page of comments of each of the posts, by the post's id, in one statement: the beginnings of their lists,
 * one after the other, so that a post with ten thousand comments costs no more than one with ten.
 */
export async function listCommentsOfPosts(
  reader: Reader,
  boardId: string,
  postIds: readonly string[],
  { types, cursor, limit, columns }: CommentQuery,
): Promise<Map<string, Page<CommentRow>>> {
  const position = parseCursor('comments', cursor);
  const statement = statements({ posts: postIds.length, byType: types !== null, after: position !== null, columns });
  const [date = 0, id = ''] = position ?? [];
  const values: Values = { boardId, types: types ?? [], date, id, limit: limit + 1 };
  postIds.forEach((postId, n) => {
    values[`post${n}`] = postId;
  });
  const byPost = Map.groupBy(await statement(reader, values), (row) => row.post_id);
  const cursorOf = (row: CommentRow) => encodeCursor('comments', [row.date_created, row.id]);
  return new Map(postIds.map((postId) => [postId, makePage(byPost.get(postId) ?? [], limit, cursorOf)]));
}

type Shape = { posts: number; byType: boolean; after: boolean; columns: Columns<CommentRow> };

const statements = prepareVariants<Shape, Values, CommentRow>(({ posts, byType, after, columns }) =>
  prepare((reader, param) => {
    const listOf = (postId: string) => {
      let list = reader
        .selectFrom('comments')
        .where('board_id', '=', param('boardId'))
        .where('post_id', '=', postId)
        .where('date_deleted', 'is', null);
      if (after)
        list = list.where((e) => e(e.refTuple('date_created', 'id'), '>', e.tuple(param('date'), param('id'))));
      if (byType) list = list.where(isOneOf(reader, 'type', param('types')));
      const page = selectColumns(list, columns, ['id', 'post_id', 'date_created'])
        .orderBy('date_created')
        .orderBy('id')
        .limit(rowLimit(param('limit')));
      return reader.selectFrom(page.as('page')).selectAll();
    };
    let query = listOf(param('post0'));
    for (let n = 1; n < posts; n++) query = query.unionAll(listOf(param(`post${n}`)));
    return query;
  }),
);

/** Comments by a person on posts that are not deleted, the newest first, without descriptions. */
export async function listCommentsOfUser(
  reader: Reader,
  boardId: string,
  userId: string,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<Page<CommentRow>> {
  const [, before] = parseCursor('comments of user', cursor) ?? [];
  let query = reader
    .selectFrom('comments')
    .innerJoin('posts', (join) =>
      join.onRef('posts.board_id', '=', 'comments.board_id').onRef('posts.id', '=', 'comments.post_id'),
    )
    .selectAll('comments')
    .where('comments.board_id', '=', boardId)
    .where('comments.user_id', '=', userId)
    .where('comments.is_first', '=', 0)
    .where('comments.date_deleted', 'is', null)
    .where('posts.date_deleted', 'is', null);
  if (before !== undefined) query = query.where('comments.id', '<', before);
  const rows = await query
    .orderBy('comments.id', 'desc')
    .limit(limit + 1)
    .execute();
  return makePage(rows, limit, (row) => encodeCursor('comments of user', [0, row.id]));
}
