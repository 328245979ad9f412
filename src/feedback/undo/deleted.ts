import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import {
  encodeCursor,
  makePage,
  type Page,
  type PageArgs,
  type Position,
  parseCursor,
} from '../../platform/lib/page.ts';
import type { CommentRow } from '../comments/comments.ts';
import { lastPurged, type PostRow } from '../posts/posts.ts';
import { isOnVisiblePost } from '../visibility/comments.ts';
import { isVisibleOrDeletedPost, viewerFilterOf } from '../visibility/posts.ts';

/** Before the row that was deleted last. */
const START: Position = [Number.MAX_SAFE_INTEGER, ''];

/** Deleted posts that moderators can restore, the last deleted first. */
export async function listDeletedPosts(context: ActorContext, { cursor, limit }: PageArgs): Promise<Page<PostRow>> {
  const { db, board, actor } = context;
  requireRight(actor, 'post.restore');
  const [at, id] = parseCursor('deleted posts', cursor) ?? START;
  const query = db.read.selectFrom('posts').selectAll().where('board_id', '=', board.id);
  const rows = await query
    .where('date_deleted', '>', lastPurged(context.clock.now()))
    .where((e) => e(e.refTuple('date_deleted', 'id'), '<', e.tuple(at, id)))
    .where(isVisibleOrDeletedPost(viewerFilterOf(actor, board.id)))
    .orderBy('date_deleted', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return makePage(rows, limit, (row) => encodeCursor('deleted posts', [row.date_deleted ?? 0, row.id]));
}

/** The titles of those of these posts that were deleted, as far as the actor saw them. */
export async function findDeletedTitles(
  { db, board, actor }: ActorContext,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.read
    .selectFrom('posts')
    .select(['id', 'title'])
    .where('board_id', '=', board.id)
    .where('id', 'in', ids)
    .where('date_deleted', 'is not', null)
    .where(isVisibleOrDeletedPost(viewerFilterOf(actor, board.id)))
    .execute();
  return new Map(rows.map(({ id, title }) => [id, title]));
}

/** Deleted comments on posts that the actor sees, the last deleted first. */
export async function listDeletedComments(
  context: ActorContext,
  { cursor, limit }: PageArgs,
): Promise<Page<CommentRow>> {
  const { db, board, actor } = context;
  requireRight(actor, 'comment.restore');
  const [at, id] = parseCursor('deleted comments', cursor) ?? START;
  const query = db.read.selectFrom('comments').selectAll().where('board_id', '=', board.id);
  const rows = await query
    .where('date_deleted', '>', lastPurged(context.clock.now()))
    .where((e) => e(e.refTuple('date_deleted', 'id'), '<', e.tuple(at, id)))
    .where(isOnVisiblePost(viewerFilterOf(actor, board.id)))
    .orderBy('date_deleted', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return makePage(rows, limit, (row) => encodeCursor('deleted comments', [row.date_deleted ?? 0, row.id]));
}
