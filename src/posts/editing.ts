import type { Call } from '../call.ts';
import { findDescription, insertComment, setDescription } from '../comments/comments.ts';
import type { Tx } from '../db/db.ts';
import { locked, prepare } from '../db/prepare.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { emit } from '../events/events.ts';
import { isId, makeId } from '../lib/ids.ts';
import { makeExcerpt, requireText, requireTextOr } from '../lib/text.ts';
import { indexPost } from '../search/indexing.ts';
import { addToPostCount, listStatuses, requireStatus, type StatusRow, type StatusType } from '../statuses/statuses.ts';
import { addTags, countInTags, parseTagIds, replaceTags, requireTags } from '../tags/tagging.ts';
import { lockTags } from '../tags/tags.ts';
import { requireRight } from '../users/authority.ts';
import { requireUserByRef, type UserRef } from '../users/users.ts';
import { postCreated, postDeleted, postStatusUpdated } from './posts.events.ts';
import { hotScore, type PostRow, requirePostForChange, setPost } from './posts.ts';

const TITLE = { field: 'title', min: 1, max: 200 };
const DESCRIPTION = { field: 'comment', min: 1, max: 20_000 };
const EXCERPT_CHARACTERS = 200;

export type NewPost = {
  title: string;
  /** The description, which becomes the post's first comment. */
  comment?: string | null | undefined;
  tagIds?: readonly string[] | null | undefined;
  statusId?: string | null | undefined;
  author?: UserRef | null | undefined;
  dateCreated?: number | null | undefined;
  externalId?: string | null | undefined;
  /** Marks a post as an example that people may remove. */
  isSample?: boolean;
};

/** Adds a post, or returns the one that has this `externalId` already. */
export async function createPost(call: Call, input: NewPost): Promise<PostRow> {
  const title = requireText(input.title, TITLE);
  const text = requireTextOr(input.comment ?? null, DESCRIPTION);
  const externalId = requireTextOr(input.externalId ?? null, { field: 'externalId', min: 1, max: 255 });
  const tagIds = parseTagIds(input.tagIds ?? null) ?? [];
  const now = call.clock.now();
  const dateCreated = input.dateCreated ?? now;
  if (input.author || input.dateCreated != null) requireRight(call.actor, 'act.for');
  if (input.statusId != null) requireRight(call.actor, 'post.status');
  if (dateCreated > now) throw badRequest('dateCreated must not be in the future', 'dateCreated');

  return call.db.transaction(async (tx) => {
    const status = await requireInitialStatus(tx, call.board.id, input.statusId ?? null);
    const existing = externalId === null ? null : await findByExternalId(tx, status, tagIds, externalId);
    if (existing) return existing;
    const author = input.author ? await requireUserByRef(tx, call.board.id, input.author, 'author') : call.actor;
    await addToPostCount(tx, call.board.id, status.id, 1);
    const tags = await requireTags(tx, call, tagIds);
    const post = await insertPost(tx, {
      boardId: call.board.id,
      id: makeId(),
      number: await takeNumber(tx, call.board.id),
      title,
      excerpt: text === null ? null : makeExcerpt(text, EXCERPT_CHARACTERS),
      authorId: author.id,
      statusId: status.id,
      externalId,
      isSample: input.isSample ? 1 : 0,
      hot: hotScore(0, 0, dateCreated),
      dateCreated,
      now,
      dateCompleted: status.type === 'COMPLETED' ? dateCreated : 0,
    });
    await addTags(tx, post, tags);
    if (text !== null) await insertComment(tx, { post, userId: author.id, text, isFirst: true, dateCreated });
    await indexPost(tx, post, text);
    const subject = { call, post, text, status, tags, user: author };
    await emit(tx, call, postCreated, subject, { postId: post.id, actorId: call.actor.id });
    return post;
  });
}

/** What to change of a post; what is left out stays as it is. */
export type PostChanges = {
  title?: string | null | undefined;
  comment?: string | null | undefined;
  isLocked?: boolean | null | undefined;
  isPinned?: boolean | null | undefined;
  /** All the tags that the post shall have. */
  tagIds?: readonly string[] | null | undefined;
};

/** Changes title and description (its author and moderators), or its tags, or locks and pins it (moderators). */
export async function updatePost(call: Call, id: string, changes: PostChanges): Promise<PostRow> {
  const title = requireTextOr(changes.title ?? null, TITLE);
  const text = requireTextOr(changes.comment ?? null, DESCRIPTION);
  const tagIds = parseTagIds(changes.tagIds);
  const { isLocked, isPinned } = changes;
  return call.db.transaction(async (tx) => {
    const post = await requirePostForChange(tx, call.board.id, id);
    if (title !== null || text !== null) requireRight(call.actor, 'post.edit', post.author_id);
    if (isLocked != null || isPinned != null) requireRight(call.actor, 'post.moderate');
    if (tagIds) requireRight(call.actor, 'post.tags');
    const now = call.clock.now();
    if (text !== null) await setDescription(tx, post, text, now);
    const changed = await setPost(tx, post, {
      ...(title !== null && { title }),
      ...(text !== null && { excerpt: makeExcerpt(text, EXCERPT_CHARACTERS) }),
      ...(isLocked != null && { is_locked: isLocked ? 1 : 0 }),
      ...(isPinned != null && { is_pinned: isPinned ? 1 : 0 }),
      date_updated: now,
    });
    if (title !== null || text !== null) {
      await indexPost(tx, changed, text ?? (await findDescription(tx, changed))?.text ?? null);
    }
    if (tagIds) await replaceTags(tx, call, changed, tagIds);
    return changed;
  });
}

/** Takes a post off the board; `restorePost` brings it back. */
export async function deletePost(call: Call, id: string): Promise<PostRow> {
  return call.db.transaction(async (tx) => {
    const post = await requirePostForChange(tx, call.board.id, id);
    requireRight(call.actor, 'post.delete', post.author_id);
    const deleted = await setPost(tx, post, { date_deleted: call.clock.now() });
    const text = (await findDescription(tx, post))?.text ?? null;
    const status = await requireStatusOf(tx, post);
    await addToPostCount(tx, post.board_id, status.id, -1);
    const tags = await countInTags(tx, post, -1);
    await addToBoardPostCount(tx, { boardId: post.board_id, change: -1 });
    const subject = { call, post, text, status, tags, user: call.actor };
    await emit(tx, call, postDeleted, subject, { postId: post.id, actorId: call.actor.id });
    return deleted;
  });
}

/** Brings a deleted post back as it was; a post that is not deleted is returned unchanged. */
export async function restorePost(call: Call, id: string): Promise<PostRow> {
  return call.db.transaction(async (tx) => {
    const query = tx.selectFrom('posts').selectAll().where('board_id', '=', call.board.id).where('id', '=', id);
    const post = isId(id) ? await locked(tx, query).executeTakeFirst() : undefined;
    if (!post) throw notFound('Post');
    requireRight(call.actor, 'post.delete', post.author_id);
    if (post.date_deleted === null) return post;
    await addToPostCount(tx, post.board_id, post.status_id, 1);
    await countInTags(tx, post, 1);
    await addToBoardPostCount(tx, { boardId: post.board_id, change: 1 });
    return setPost(tx, post, { date_deleted: null, date_updated: call.clock.now() });
  });
}

export type NewStatus = {
  statusType: StatusType;
  statusId?: string | null | undefined;
  /** A message to go with the change. */
  comment?: string | null | undefined;
};

/** Moves a post to another status; nothing happens when it is there already. */
export async function changePostStatus(call: Call, id: string, input: NewStatus): Promise<PostRow> {
  requireRight(call.actor, 'post.status');
  if (input.statusType === 'MERGED') throw badRequest('A post gets the status MERGED by mergePosts only', 'statusType');
  const message = requireTextOr(input.comment ?? null, DESCRIPTION);
  return call.db.transaction(async (tx) => {
    const post = await requirePostForChange(tx, call.board.id, id);
    const status = await requireStatus(tx, call.board.id, input.statusType, input.statusId);
    if (status.id === post.status_id) return post;
    const previousStatus = await requireStatusOf(tx, post);
    const now = call.clock.now();
    const changed = await setPost(tx, post, {
      status_id: status.id,
      date_completed: status.type === 'COMPLETED' ? now : 0,
      date_updated: now,
      comment_count: post.comment_count + (message === null ? 0 : 1),
    });
    if (message !== null) {
      const type = 'STATUS_CHANGE';
      await insertComment(tx, { post, userId: call.actor.id, text: message, type, dateCreated: now });
    }
    for (const [id, change] of [
      [status.id, 1],
      [previousStatus.id, -1],
    ].sort() as [string, 1 | -1][]) {
      await addToPostCount(tx, post.board_id, id, change);
    }
    const subject = { call, post: changed, status, previousStatus, user: call.actor };
    await emit(tx, call, postStatusUpdated, subject, { postId: post.id, actorId: call.actor.id });
    return changed;
  });
}

/**
 * The post with this external id. The board is locked, so that two calls at once cannot both find nothing; and before
 * it what a new post would lock.
 */
async function findByExternalId(
  tx: Tx,
  status: StatusRow,
  tagIds: readonly string[],
  externalId: string,
): Promise<PostRow | null> {
  const boardId = status.board_id;
  const statusRow = tx.selectFrom('statuses').select('id').where('board_id', '=', boardId).where('id', '=', status.id);
  await locked(tx, statusRow).execute();
  await lockTags(tx, boardId, tagIds);
  await locked(tx, tx.selectFrom('boards').select('id').where('id', '=', boardId)).execute();
  const query = tx.selectFrom('posts').selectAll().where('board_id', '=', boardId);
  const post = await query.where('external_id', '=', externalId).executeTakeFirst();
  if (post?.date_deleted) throw conflict('The post with this externalId is deleted; restorePost brings it back');
  return post ?? null;
}

async function requireInitialStatus(tx: Tx, boardId: string, statusId: string | null): Promise<StatusRow> {
  const statuses = await listStatuses(tx, boardId);
  const status = statuses.find((s) => (statusId === null ? s.type === 'UNASSIGNED' : s.id === statusId));
  if (!status) throw notFound('Status');
  return status;
}

async function requireStatusOf(tx: Tx, post: PostRow): Promise<StatusRow> {
  const status = (await listStatuses(tx, post.board_id)).find((s) => s.id === post.status_id);
  if (!status) throw new Error(`Post ${post.id} has a status that does not exist`);
  return status;
}

async function takeNumber(tx: Tx, boardId: string): Promise<number> {
  const [board] = await nextNumber(tx, { boardId });
  if (!board) throw new Error('The board is gone');
  return board.post_number;
}

const nextNumber = prepare<{ boardId: string }, { post_number: number }>((tx, param) =>
  tx
    .updateTable('boards')
    .set((e) => ({ post_number: e('post_number', '+', 1), post_count: e('post_count', '+', 1) }))
    .where('id', '=', param('boardId'))
    .returning('post_number'),
);

const addToBoardPostCount = prepare<{ boardId: string; change: number }, never>((tx, param) =>
  tx
    .updateTable('boards')
    .set((e) => ({ post_count: e('post_count', '+', param('change')) }))
    .where('id', '=', param('boardId')),
);

type InsertValues = {
  boardId: string;
  id: string;
  number: number;
  title: string;
  excerpt: string | null;
  authorId: string;
  statusId: string;
  externalId: string | null;
  isSample: 0 | 1;
  hot: number;
  dateCreated: number;
  now: number;
  dateCompleted: number;
};

const insertOne = prepare<InsertValues, PostRow>((tx, param) =>
  tx
    .insertInto('posts')
    .values({
      board_id: param('boardId'),
      id: param('id'),
      number: param('number'),
      title: param('title'),
      excerpt: param('excerpt'),
      author_id: param('authorId'),
      status_id: param('statusId'),
      external_id: param('externalId'),
      is_sample: param('isSample'),
      hot: param('hot'),
      date_created: param('dateCreated'),
      date_updated: param('now'),
      date_completed: param('dateCompleted'),
    })
    .returningAll(),
);

async function insertPost(tx: Tx, values: InsertValues): Promise<PostRow> {
  return (await insertOne(tx, values))[0] as PostRow;
}
