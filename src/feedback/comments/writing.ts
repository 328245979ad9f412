import { type Action, requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { requireUserByRef, type UserRef } from '../../identity/users/users.ts';
import type { Tx } from '../../platform/db/db.ts';
import { badRequest, conflict, notFound } from '../../platform/errors.ts';
import { makeExcerpt, requireText } from '../../platform/lib/text.ts';
import { moderationOfNew } from '../approval/approval.ts';
import { attachFiles, parseFileIds } from '../files/attaching.ts';
import { isOfComment, removeFiles } from '../files/removing.ts';
import { type Notifying, notifyOfModeration, recordNotice } from '../notices/notices.ts';
import { EXCERPT_CHARACTERS, type PostRow, requireOpenPost, requirePostForChange, setPost } from '../posts/posts.ts';
import { indexPost } from '../search/indexing.ts';
import { subscribe, WAYS } from '../subscriptions/subscriptions.ts';
import { isHeld } from '../visibility/posts.ts';
import { announceComment } from './announcing.ts';
import {
  COMMENT_TEXT,
  type CommentRow,
  type CommentType,
  countComment,
  findComment,
  insertComment,
  setComment,
} from './comments.ts';

export type NewComment = {
  /** An id that the caller has made, for what may be sent twice: it is added once. */
  id?: string | undefined;
  text: string;
  /** Ids of the actor's own uploads. */
  files?: readonly (string | null | undefined)[] | null | undefined;
  type?: CommentType | null | undefined;
  /** The comment that this one replies to. */
  parentId?: string | null | undefined;
  author?: UserRef | null | undefined;
  dateCreated?: number | null | undefined;
  /** Whom to notify. A comment with a date of its own is imported, and notifies only those whom this names. */
  notifying?: Notifying | undefined;
};

/** Adds a comment to a post, for the author named or the actor. The author of a comment follows the post from then on. */
export async function createComment(context: ActorContext, postId: string, input: NewComment): Promise<CommentRow> {
  requireRight(context.actor, 'take.part');
  const text = requireText(input.text, COMMENT_TEXT);
  const fileIds = parseFileIds(input.files);
  const now = context.clock.now();
  const dateCreated = input.dateCreated ?? now;
  if (input.author || input.dateCreated != null) requireRight(context.actor, 'act.for');
  if (dateCreated > now) throw badRequest('dateCreated must not be in the future', 'dateCreated');
  requireType(context, input.type ?? 'BASIC');
  return context.db.transaction(async (tx) => {
    const post = await requireOpenPost(tx, context, postId);
    const sent = input.id === undefined ? null : await findSent(tx, context, input.id);
    if (sent) return sent;
    const { parent, repliedTo } = await findParent(tx, context, post, input.parentId ?? null);
    const type = input.type ?? (parent?.type === 'INTERNAL' ? 'INTERNAL' : 'BASIC');
    if (parent?.type === 'INTERNAL' && type !== 'INTERNAL') {
      throw badRequest('A reply to a comment of type INTERNAL is INTERNAL itself', 'type');
    }
    const user = input.author ? await requireUserByRef(tx, context.board.id, input.author, 'author') : context.actor;
    if (input.dateCreated == null) requireRight(user, 'take.part');
    const moderation = await moderationOfNew(tx, context);
    const values = { id: input.id, post, userId: user.id, text, type, parent, moderation, dateCreated, now };
    const comment = await insertComment(tx, values);
    await attachFiles(tx, context, fileIds, { comment_id: comment.id });
    await setPost(tx, post, { ...countComment(post, null, comment), date_updated: now });
    await subscribe(tx, post, user.id, WAYS.COMMENTED, now);
    await announceComment(tx, context, post, comment, user);
    await notifyOfComment(tx, context, comment, repliedTo, input);
    return comment;
  });
}

function notifyOfComment(
  tx: Tx,
  context: ActorContext,
  comment: CommentRow,
  repliedTo: string | null,
  { notifying, dateCreated }: NewComment,
): Promise<void> {
  const { id: commentId, post_id: postId, user_id: actorId, moderation_status: status } = comment;
  if (isHeld(status)) return notifyOfModeration(tx, context, { postId, commentId, status });
  const kind = comment.type === 'OFFICIAL' ? 'OFFICIAL' : 'COMMENT';
  const isImported = dateCreated != null;
  return recordNotice(tx, context, {
    ...notifying,
    isImported,
    kind,
    postId,
    commentId,
    actorId,
    details: { repliedTo },
  });
}

/** The comment that the same form has made already; its post is locked. */
async function findSent(tx: Tx, { board, actor }: ActorContext, id: string): Promise<CommentRow | null> {
  const query = tx.selectFrom('comments').selectAll().where('board_id', '=', board.id).where('id', '=', id);
  const sent = await query.executeTakeFirst();
  if (sent && sent.user_id !== actor.id) throw conflict('There is already a comment with this id');
  return sent ?? null;
}

const rightFor: Partial<Record<CommentType, Action | null>> = {
  BASIC: null,
  INTERNAL: 'comment.internal',
  OFFICIAL: 'comment.official',
};

function requireType(context: ActorContext, type: CommentType): void {
  const right = rightFor[type];
  if (right === undefined) throw badRequest(`Comments of type ${type} are written by Earshot itself`, 'type');
  if (right !== null) requireRight(context.actor, right);
}

/**
 * The comment that a reply belongs to, and who is replied to. A reply to a reply belongs to the comment at the top, and
 * one to the description is an ordinary comment (null).
 */
async function findParent(
  tx: Tx,
  context: ActorContext,
  post: PostRow,
  parentId: string | null,
): Promise<{ parent: CommentRow | null; repliedTo: string | null }> {
  if (parentId === null) return { parent: null, repliedTo: null };
  const parent = await findComment(tx, context.board.id, parentId, context.actor);
  if (!parent) throw notFound('Comment');
  if (parent.post_id !== post.id) throw badRequest('parentId must be a comment on the same post', 'parentId');
  if (parent.is_first) return { parent: null, repliedTo: null };
  return { parent: await findTop(tx, parent), repliedTo: parent.user_id };
}

async function findTop(tx: Tx, parent: CommentRow): Promise<CommentRow> {
  if (parent.parent_id === null) return parent;
  const top = await tx
    .selectFrom('comments')
    .selectAll()
    .where('board_id', '=', parent.board_id)
    .where('id', '=', parent.parent_id)
    .executeTakeFirst();
  // The one at the top may be gone; then the replies stay together all the same.
  return top ?? parent;
}

/** Changes the text of a comment that a person wrote; that of the first one is the description of its post. */
export async function updateComment(context: ActorContext, id: string, rawText: string): Promise<CommentRow> {
  const text = requireText(rawText, COMMENT_TEXT);
  return context.db.transaction(async (tx) => {
    const { post, comment } = await requireCommentForChange(tx, context, id);
    requireRight(context.actor, 'comment.edit', comment.user_id);
    if (rightFor[comment.type] === undefined) throw conflict('Comments that Earshot wrote cannot be changed');
    const now = context.clock.now();
    const excerpt = comment.is_first ? { excerpt: makeExcerpt(text, EXCERPT_CHARACTERS) } : {};
    await setPost(tx, post, { ...excerpt, date_updated: now });
    if (comment.is_first) await indexPost(tx, post, text);
    return setComment(tx, comment, { text, date_updated: now, date_changed: now });
  });
}

/** Takes a comment off its post; replies to it stay. The description of a post is no comment to delete. */
export async function deleteComment(context: ActorContext, id: string): Promise<CommentRow> {
  return context.db.transaction(async (tx) => {
    const { post, comment } = await requireCommentForChange(tx, context, id);
    requireRight(context.actor, 'comment.delete', comment.user_id);
    if (comment.is_first) throw conflict('The first comment of a post is its description and cannot be deleted');
    const deleted = await setComment(tx, comment, { date_deleted: context.clock.now() });
    await removeFiles(tx, context.board.id, isOfComment(id));
    await setPost(tx, post, countComment(post, comment, deleted));
    await announceComment(tx, context, post, deleted, context.actor);
    return deleted;
  });
}

/**
 * A comment to be changed, with its post, which is locked and so keeps the comment as it is.
 * @throws NOT_FOUND when there is none that the actor may see
 */
export async function requireCommentForChange(
  tx: Tx,
  context: ActorContext,
  id: string,
): Promise<{ post: PostRow; comment: CommentRow }> {
  let comment = await findComment(tx, context.board.id, id, context.actor);
  while (comment) {
    const post = await requirePostForChange(tx, context, comment.post_id);
    // Until the post was locked, the comment could be changed, deleted or moved to another post.
    comment = await findComment(tx, context.board.id, id, context.actor);
    if (comment?.post_id === post.id) return { post, comment };
  }
  throw notFound('Comment');
}
