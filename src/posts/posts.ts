import type { Generated, Selectable } from 'kysely';
import type { BoardRow } from '../board/board.ts';
import { boardUrl } from '../board/board.ts';
import type { Reader, Rows, Tx } from '../db/db.ts';
import { type Columns, isOneOf, locked, prepare, prepareVariants, selectColumns, whenRead } from '../db/prepare.ts';
import { conflict, notFound } from '../errors.ts';
import { DAY_MS } from '../lib/clock.ts';
import { isId } from '../lib/ids.ts';
import { makeSlug } from '../lib/text.ts';

type PostTable = {
  board_id: string;
  id: string;
  /** Counts up from 1 on each board. */
  number: number;
  title: string;
  /** The beginning of the description; null without one. */
  excerpt: string | null;
  /** In whose name the post stands; null once that person is erased. */
  author_id: string | null;
  status_id: string;
  /** What the post is called in a system it came from. */
  external_id: string | null;
  upvotes: Generated<number>;
  downvotes: Generated<number>;
  /** Comments that are not deleted, without the description. */
  comment_count: Generated<number>;
  /** The order TRENDING, see `hotScore`. */
  hot: number;
  is_locked: Generated<0 | 1>;
  is_pinned: Generated<0 | 1>;
  is_sample: Generated<0 | 1>;
  date_created: number;
  date_updated: number;
  /** 0 while the post is not completed, so that the column can be sorted by. */
  date_completed: Generated<number>;
  date_deleted: number | null;
};

declare module '../db/db.ts' {
  interface Tables {
    posts: PostTable;
  }
}

export type PostRow = Selectable<PostTable>;

const postById = prepareVariants((columns: Columns<PostRow>) =>
  prepare<{ boardId: string; id: string }, PostRow>((reader, param) =>
    selectColumns(reader.selectFrom('posts'), columns, ['id'])
      .where('board_id', '=', param('boardId'))
      .where('id', '=', param('id'))
      .where('date_deleted', 'is', null),
  ),
);

/** A post of the board that is not deleted; `columns` is what is read of it. */
export function findPost(
  reader: Reader,
  boardId: string,
  id: string,
  columns: Columns<PostRow> = null,
): PostRow | null | Promise<PostRow | null> {
  if (!isId(id)) return null;
  return whenRead(postById(columns)(reader, { boardId, id }), ([post]) => post ?? null);
}

/** The post with this number, as addresses of posts have it. */
export async function findPostByNumber(reader: Reader, boardId: string, number: number): Promise<PostRow | null> {
  if (!Number.isSafeInteger(number) || number < 1) return null;
  const query = reader.selectFrom('posts').selectAll().where('board_id', '=', boardId).where('number', '=', number);
  return (await query.where('date_deleted', 'is', null).executeTakeFirst()) ?? null;
}

const postsByIds = prepare<{ boardId: string; ids: readonly string[] }, PostRow>((reader, param) =>
  reader
    .selectFrom('posts')
    .selectAll()
    .where('board_id', '=', param('boardId'))
    .where(isOneOf(reader, 'id', param('ids')))
    .where('date_deleted', 'is', null),
);

/** Those of the posts that exist and are not deleted, in any order. */
export function findPosts(reader: Reader, boardId: string, ids: readonly string[]): Rows<PostRow> {
  return postsByIds(reader, { boardId, ids });
}

/**
 * A post to be changed, locked until the transaction ends.
 * @throws NOT_FOUND
 */
export async function requirePostForChange(tx: Tx, boardId: string, id: string): Promise<PostRow> {
  const query = tx.selectFrom('posts').selectAll().where('board_id', '=', boardId).where('id', '=', id);
  const post = isId(id) ? await locked(tx, query.where('date_deleted', 'is', null)).executeTakeFirst() : undefined;
  if (!post) throw notFound('Post');
  return post;
}

/** As `requirePostForChange`, for what a locked post does not take: comments and votes. */
export async function requireOpenPost(tx: Tx, boardId: string, id: string): Promise<PostRow> {
  const post = await requirePostForChange(tx, boardId, id);
  if (post.is_locked) throw conflict('This post is locked: it takes no comments and votes');
  return post;
}

/** Changes columns of one post and gives the new row. */
export function setPost(tx: Tx, post: PostRow, set: Partial<PostRow>): Promise<PostRow> {
  return tx
    .updateTable('posts')
    .set(set)
    .where('board_id', '=', post.board_id)
    .where('id', '=', post.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Where people find the post. */
export function postUrl(post: Pick<PostRow, 'number' | 'title'>, board: BoardRow, baseUrl: string): string {
  return `${boardUrl(board, baseUrl)}/posts/${post.number}/${encodeURIComponent(makeSlug(post.title))}`;
}

/** How long a post must have been out to need ten times the votes to stay level with a new one. */
const TRENDING_DECADE_MS = 14 * DAY_MS;

/**
 * The place of a post in the order TRENDING: votes count by their order of magnitude, and a later start is worth as
 * much as more votes. It changes only with a vote, never with the clock (after Reddit's "hot").
 */
export function hotScore(upvotes: number, downvotes: number, dateCreated: number): number {
  const net = upvotes - downvotes;
  return Math.sign(net) * Math.log10(Math.max(Math.abs(net), 1)) + dateCreated / TRENDING_DECADE_MS;
}
