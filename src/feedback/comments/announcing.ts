import { type SqlBool, sql } from 'kysely';
import { emit } from '../../events/events.ts';
import type { ServiceContext } from '../../identity/users/request-context.ts';
import { findUsers, type UserRow } from '../../identity/users/users.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { PostRow } from '../posts/posts.ts';
import { isPublicComment } from '../visibility/comments.ts';
import { HELD } from '../visibility/posts.ts';
import { commentCreated, commentDeleted } from './comments.events.ts';
import { type CommentRow, setComment } from './comments.ts';

/** Whether events report a comment like this: one that users write and that is public. */
export function isAnnouncement(comment: CommentRow): boolean {
  const isWritten = comment.type === 'BASIC' || comment.type === 'OFFICIAL';
  return isWritten && comment.is_first === 0 && comment.date_deleted === null && isPublicComment(comment);
}

/** In a query on `comments`: those whose last event does not agree with `isAnnouncement`. */
const isUnannounced = sql<SqlBool>`is_announced <> case
  when type in ('BASIC', 'OFFICIAL') and is_first = 0 and date_deleted is null
    and moderation_status not in ${HELD} then 1 else 0 end`;

/**
 * Emits that a comment has appeared or disappeared, if it has. No events are emitted for comments of a post that is not
 * announced.
 * @param user who did it
 */
export async function announceComment(
  tx: Tx,
  context: ServiceContext,
  post: PostRow,
  comment: CommentRow,
  user: UserRow | null,
): Promise<void> {
  const isThere = isAnnouncement(comment);
  if (post.is_announced === 0 || isThere === (comment.is_announced === 1)) return;
  await setComment(tx, comment, { is_announced: isThere ? 1 : 0 });
  const origin = { postId: post.id, commentId: comment.id, actorId: context.actor?.id ?? null };
  await emit(tx, context, isThere ? commentCreated : commentDeleted, { comment, user }, origin);
}

/** Emits the missed events about comments of a post that was not announced for a while. */
export async function announceComments(tx: Tx, context: ServiceContext, post: PostRow): Promise<void> {
  const query = tx.selectFrom('comments').selectAll().where('board_id', '=', post.board_id);
  const unannounced = await query
    .where('post_id', '=', post.id)
    .where(isUnannounced)
    .orderBy('date_created')
    .orderBy('id')
    .execute();
  if (unannounced.length === 0) return;
  const ids = unannounced.flatMap(({ user_id }) => user_id ?? []);
  const users = new Map((await findUsers(tx, post.board_id, ids, null)).map((user) => [user.id, user]));
  for (const comment of unannounced) {
    const author = users.get(comment.user_id ?? '') ?? null;
    await announceComment(tx, context, post, comment, isAnnouncement(comment) ? author : context.actor);
  }
}
