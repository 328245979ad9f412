import { type SqlBool, sql } from 'kysely';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { findUserById } from '../../identity/users/users.ts';
import { conflict } from '../../platform/errors.ts';
import { notifyOfModeration, releaseNotice } from '../notices/notices.ts';
import { setPost } from '../posts/posts.ts';
import { isOnVisiblePost } from '../visibility/comments.ts';
import { isHeld, type ModerationStatus, viewerFilterOf } from '../visibility/posts.ts';
import { announceComment } from './announcing.ts';
import { type CommentRow, countComment, recordCommentChange, setComment } from './comments.ts';
import { requireCommentForChange } from './writing.ts';

/** Comments that one list shows, at most. */
const MAX_LISTED = 50;

/** Comments that wait for the team, are flagged or rejected, the newest first, where the actor sees the post. */
export function listUnapproved({ db, board, actor }: ActorContext): Promise<CommentRow[]> {
  requireRight(actor, 'post.moderate');
  const query = db.read.selectFrom('comments').selectAll().where('board_id', '=', board.id);
  return query
    .where('date_deleted', 'is', null)
    .where(sql<SqlBool>`moderation_status <> 'APPROVED'`)
    .where(isOnVisiblePost(viewerFilterOf(actor, board.id)))
    .orderBy('id', 'desc')
    .limit(MAX_LISTED)
    .execute();
}

/** Holds a comment back, approves it or flags it; for all other viewers it then disappears or appears. */
export async function moderateComment(
  context: ActorContext,
  id: string,
  status: ModerationStatus,
): Promise<CommentRow> {
  requireRight(context.actor, 'post.moderate');
  return context.db.transaction(async (tx) => {
    const { post, comment } = await requireCommentForChange(tx, context, id);
    if (comment.is_first)
      throw conflict('The first comment of a post is moderated with it: use changePostModerationStatus');
    if (comment.moderation_status === status) return comment;
    const change = { moderation_status: status, moderated_by: context.actor.id, date_changed: context.clock.now() };
    const moderated = await setComment(tx, comment, change);
    await setPost(tx, post, countComment(post, comment, moderated));
    const before = { moderationStatus: comment.moderation_status };
    await recordCommentChange(tx, context, comment, before, { moderationStatus: status });
    const isBack = comment.is_announced === 0;
    const author = comment.user_id && isBack ? await findUserById(tx, context.board.id, comment.user_id) : null;
    await announceComment(tx, context, post, moderated, isBack ? author : context.actor);
    await notifyOfModeration(tx, context, { postId: post.id, commentId: id, status });
    if (isHeld(comment.moderation_status) && !isHeld(status)) {
      const writtenOn = [post.id, ...(comment.origin_id ? [comment.origin_id] : [])];
      await releaseNotice(tx, context, { writtenOn, postId: post.id, commentId: id });
    }
    return moderated;
  });
}
