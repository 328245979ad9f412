import type { Generated, Selectable } from 'kysely';
import type { Call } from '../call.ts';
import type { Reader, Rows, Tx } from '../db/db.ts';
import { isOneOf, prepare } from '../db/prepare.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { emit } from '../events/events.ts';
import { isId, makeId } from '../lib/ids.ts';
import { requireText } from '../lib/text.ts';
import { type PostRow, requireOpenPost, requirePostForChange, setPost } from '../posts/posts.ts';
import { requireRight } from '../users/authority.ts';
import { requireUserByRef, type UserRef } from '../users/users.ts';
import { commentCreated, commentDeleted } from './comments.events.ts';

/** BASIC is written by a person, INTERNAL for the team only; the others are written by the service. */
export const commentTypes = [
  'BASIC',
  'INTERNAL',
  'OFFICIAL',
  'STATUS_CHANGE',
  'TITLE_CHANGE',
  'MERGE_SOURCE',
  'MERGE_TARGET',
] as const;
export type CommentType = (typeof commentTypes)[number];

type CommentTable = {
  board_id: string;
  id: string;
  post_id: string;
  /** Null once the author is erased. */
  user_id: string | null;
  parent_id: string | null;
  type: CommentType;
  text: string;
  /** 1 for the description of the post. */
  is_first: Generated<0 | 1>;
  date_created: number;
  date_updated: number | null;
  date_deleted: number | null;
};

declare module '../db/db.ts' {
  interface Tables {
    comments: CommentTable;
  }
}

export type CommentRow = Selectable<CommentTable>;

const TEXT = { field: 'text', min: 1, max: 20_000 };

export type NewComment = {
  text: string;
  author?: UserRef | null | undefined;
  dateCreated?: number | null | undefined;
};

/** Adds a comment to a post. */
export async function createComment(call: Call, postId: string, input: NewComment): Promise<CommentRow> {
  const text = requireText(input.text, TEXT);
  const now = call.clock.now();
  const dateCreated = input.dateCreated ?? now;
  if (input.author || input.dateCreated != null) requireRight(call.actor, 'act.for');
  if (dateCreated > now) throw badRequest('dateCreated must not be in the future', 'dateCreated');
  return call.db.transaction(async (tx) => {
    const post = await requireOpenPost(tx, call.board.id, postId);
    const user = input.author ? await requireUserByRef(tx, call.board.id, input.author, 'author') : call.actor;
    const comment = await insertComment(tx, { post, userId: user.id, text, dateCreated });
    await setPost(tx, post, { comment_count: post.comment_count + 1, date_updated: now });
    await emit(tx, call, commentCreated, { comment, user }, { postId: post.id, actorId: call.actor.id });
    return comment;
  });
}

/** Takes a comment off its post. The description of a post is no comment to delete. */
export async function deleteComment(call: Call, id: string): Promise<CommentRow> {
  return call.db.transaction(async (tx) => {
    const found = await findComment(tx, call.board.id, id);
    if (!found) throw notFound('Comment');
    const post = await requirePostForChange(tx, call.board.id, found.post_id);
    requireRight(call.actor, 'comment.delete', found.user_id);
    if (found.is_first) throw conflict('The first comment of a post is its description and cannot be deleted');
    const comment = await markDeleted(tx, found, call.clock.now());
    await setPost(tx, post, { comment_count: post.comment_count - 1 });
    const subject = { comment, user: call.actor };
    await emit(tx, call, commentDeleted, subject, { postId: post.id, actorId: call.actor.id });
    return comment;
  });
}

/** A comment of the board that is not deleted. */
export async function findComment(reader: Reader, boardId: string, id: string): Promise<CommentRow | null> {
  if (!isId(id)) return null;
  const query = reader.selectFrom('comments').selectAll().where('board_id', '=', boardId).where('id', '=', id);
  return (await query.where('date_deleted', 'is', null).executeTakeFirst()) ?? null;
}

/** The first comment of a post, which is its description. */
export async function findDescription(reader: Reader, post: PostRow): Promise<CommentRow | null> {
  const [comment] = await descriptionsOf(reader, { boardId: post.board_id, postIds: [post.id] });
  return comment ?? null;
}

/** The descriptions of posts; posts without one are missing. */
export function findDescriptions(reader: Reader, boardId: string, postIds: readonly string[]): Rows<CommentRow> {
  return descriptionsOf(reader, { boardId, postIds });
}

const descriptionsOf = prepare<{ boardId: string; postIds: readonly string[] }, CommentRow>((reader, param) =>
  reader
    .selectFrom('comments')
    .selectAll()
    .where('board_id', '=', param('boardId'))
    .where(isOneOf(reader, 'post_id', param('postIds')))
    .where('is_first', '=', 1),
);

/** Writes a new description, or the first one. */
export async function setDescription(tx: Tx, post: PostRow, text: string, now: number): Promise<void> {
  const description = await findDescription(tx, post);
  if (!description) {
    await insertComment(tx, { post, userId: post.author_id, text, isFirst: true, dateCreated: post.date_created });
    return;
  }
  await tx
    .updateTable('comments')
    .set({ text, date_updated: now })
    .where('board_id', '=', post.board_id)
    .where('id', '=', description.id)
    .execute();
}

/** The row of a new comment; counting and announcing it is the caller's. */
export type CommentValues = {
  post: PostRow;
  userId: string | null;
  text: string;
  type?: CommentType;
  isFirst?: boolean;
  dateCreated: number;
};

/** Writes the row of a comment. */
export async function insertComment(tx: Tx, values: CommentValues): Promise<CommentRow> {
  const [comment] = await insertOne(tx, {
    boardId: values.post.board_id,
    id: makeId(),
    postId: values.post.id,
    userId: values.userId,
    type: values.type ?? 'BASIC',
    text: values.text,
    isFirst: values.isFirst ? 1 : 0,
    dateCreated: values.dateCreated,
  });
  return comment as CommentRow;
}

type InsertValues = {
  boardId: string;
  id: string;
  postId: string;
  userId: string | null;
  type: CommentType;
  text: string;
  isFirst: 0 | 1;
  dateCreated: number;
};

const insertOne = prepare<InsertValues, CommentRow>((tx, param) =>
  tx
    .insertInto('comments')
    .values({
      board_id: param('boardId'),
      id: param('id'),
      post_id: param('postId'),
      user_id: param('userId'),
      type: param('type'),
      text: param('text'),
      is_first: param('isFirst'),
      date_created: param('dateCreated'),
    })
    .returningAll(),
);

/** Deletes a comment, unless another call has just done so. */
async function markDeleted(tx: Tx, comment: CommentRow, now: number): Promise<CommentRow> {
  const query = tx.updateTable('comments').set({ date_deleted: now }).where('board_id', '=', comment.board_id);
  const deleted = await query.where('id', '=', comment.id).where('date_deleted', 'is', null).returningAll().execute();
  if (!deleted[0]) throw notFound('Comment');
  return deleted[0];
}
