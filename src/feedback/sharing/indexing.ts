import { type SqlBool, sql } from 'kysely';
import type { BoardRow } from '../../identity/board/board.ts';
import { isPrivate } from '../../identity/users/entry.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import { prepare } from '../../platform/db/prepare.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import type { PostRow } from '../posts/posts.ts';
import { isVisiblePost } from '../visibility/posts.ts';

/** How long moderators have to remove spam before search engines may see a post of a user whom they do not know. */
export const INDEX_AFTER_MS = 7 * DAY_MS;

/** Posts in one file of a sitemap, by their numbers. */
export const POSTS_PER_FILE = 1_000;

/** What a sitemap says of a post. */
export type IndexedPost = Pick<PostRow, 'number' | 'title' | 'date_updated'>;

/** Whether search engines may find a board. */
export function isIndexed(board: Pick<BoardRow, 'access' | 'is_indexed'>): boolean {
  return !isPrivate(board) && board.is_indexed === 1;
}

/** Whether search engines may find a post. */
export async function isPostIndexed(context: RequestContext, { number }: Pick<PostRow, 'number'>): Promise<boolean> {
  return isIndexed(context.board) && (await listBetween(context, number - 1, number)).length > 0;
}

/** How many files the sitemap of a board has: at least one, which has its other pages, too. */
export function countFiles({ post_number }: Pick<BoardRow, 'post_number'>): number {
  return Math.max(1, Math.ceil(post_number / POSTS_PER_FILE));
}

/** The posts in a file of the sitemap of a board, counted from 1. */
export async function listFile(context: RequestContext, file: number): Promise<readonly IndexedPost[]> {
  return listBetween(context, (file - 1) * POSTS_PER_FILE, file * POSTS_PER_FILE);
}

/** The posts that search engines may find, among those whose numbers are above `after` and at most `last`. */
async function listBetween({ db, clock, board }: RequestContext, after: number, last: number) {
  return indexedPosts(db.read, { boardId: board.id, after, last, before: clock.now() - INDEX_AFTER_MS });
}

type Values = { boardId: string; after: number; last: number; before: number };

const indexedPosts = prepare<Values, IndexedPost>((reader, param) =>
  reader
    .selectFrom('posts')
    .leftJoin('users', (join) =>
      join.onRef('users.board_id', '=', 'posts.board_id').onRef('users.id', '=', 'posts.author_id'),
    )
    .select(['posts.number', 'posts.title', 'posts.date_updated'])
    .where('posts.board_id', '=', param('boardId'))
    .where('posts.number', '>', param('after'))
    .where('posts.number', '<=', param('last'))
    .where(isVisiblePost({ scope: 'MEMBER', boardId: param('boardId'), viewerId: '' }))
    .where('posts.moderation_status', '=', 'APPROVED')
    .where('posts.merged_into_id', 'is', null)
    .where('posts.is_sample', '=', 0)
    .where(sql<SqlBool>`not (coalesce(users.role, '') = 'MEMBER' and users.standing = 'BLOCKED')`)
    .where(
      sql<SqlBool>`(posts.date_created <= ${param('before')} or posts.moderated_by is not null
        or users.role <> 'MEMBER' or users.is_api_user = 1 or users.standing = 'TRUSTED')`,
    )
    .orderBy('posts.number'),
);
