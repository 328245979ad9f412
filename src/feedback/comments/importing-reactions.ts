import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { type CommentReaction, type CommentReactionRow, requireCommentForReaction } from './reactions.ts';

/** A reaction that a user had elsewhere. */
export type PastReaction = Pick<CommentReactionRow, 'user_id' | 'date_created'> & { reaction: CommentReaction };

/**
 * Adds reactions to a comment that users had elsewhere, with their dates. Those that the comment has already stay as they are.
 * @returns how many were added
 * @throws FORBIDDEN, NOT_FOUND, CONFLICT as `setCommentReaction`
 */
export async function addPastReactions(
  context: ActorContext,
  commentId: string,
  reactions: readonly PastReaction[],
): Promise<number> {
  requireRight(context.actor, 'act.for');
  if (reactions.length === 0) return 0;
  return context.db.transaction(async (tx) => {
    const { board_id, id: comment_id } = await requireCommentForReaction(tx, context, commentId);
    const rows = reactions.map((reaction) => ({ board_id, comment_id, ...reaction }));
    const insert = tx
      .insertInto('comment_reactions')
      .values(rows)
      .onConflict((c) => c.doNothing());
    return (await insert.returning('reaction').execute()).length;
  });
}
