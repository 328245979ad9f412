import type { Call } from '../call.ts';
import { conflict } from '../errors.ts';
import { setPost } from '../posts/posts.ts';
import type { ModerationStatus } from '../posts/visibility.ts';
import { requireRight } from '../users/authority.ts';
import { findUserById } from '../users/users.ts';
import { announceComment } from './announcing.ts';
import { type CommentRow, countComment, setComment } from './comments.ts';
import { requireCommentForChange } from './writing.ts';

/** Holds a comment back, lets it through or flags it; for everybody else it then goes or comes. */
export async function moderateComment(call: Call, id: string, status: ModerationStatus): Promise<CommentRow> {
  requireRight(call.actor, 'post.judge');
  return call.db.transaction(async (tx) => {
    const { post, comment } = await requireCommentForChange(tx, call, id);
    if (comment.is_first)
      throw conflict('The first comment of a post is moderated with it: changePostModerationStatus');
    if (comment.moderation_status === status) return comment;
    const change = { moderation_status: status, moderated_by: call.actor.id, date_changed: call.clock.now() };
    const moderated = await setComment(tx, comment, change);
    await setPost(tx, post, countComment(post, comment, moderated));
    const isBack = comment.is_announced === 0;
    const author = comment.user_id && isBack ? await findUserById(tx, call.board.id, comment.user_id) : null;
    await announceComment(tx, call, post, moderated, isBack ? author : call.actor);
    return moderated;
  });
}
