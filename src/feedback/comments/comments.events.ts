import { defineEvent } from '../../events/events.ts';
import type { UserRow } from '../../identity/users/users.ts';
import type { CommentRow } from './comments.ts';

/** A comment as it is announced, with who acted (null: Earshot). */
export type CommentSubject = { comment: CommentRow; user: UserRow | null };

export const commentCreated = defineEvent('comment.created', describeComment);

export const commentDeleted = defineEvent('comment.deleted', describeComment);

function describeComment({ comment, user }: CommentSubject) {
  const { id, text, type, post_id } = comment;
  return { comment: { id, text, type, post: { id: post_id }, user: user && { id: user.id, name: user.name } } };
}
