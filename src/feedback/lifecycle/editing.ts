import { isOfTeam } from '../../identity/activity/activity.ts';
import { may, requireRight } from '../../identity/users/authority.ts';
import type { ActorContext, ViewerContext } from '../../identity/users/request-context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { locked, prepare } from '../../platform/db/prepare.ts';
import { badRequest, notFound } from '../../platform/errors.ts';
import { isId, makeId } from '../../platform/lib/ids.ts';
import { requireLineOr, requireTextOr } from '../../platform/texts/text.ts';
import { findDescription, recordNewComment } from '../comments/comments.ts';
import { writeDescription } from '../comments/writing.ts';
import {
  type FieldValues,
  nameOfField,
  type PropertyInputs,
  parseProperties,
  replaceProperties,
} from '../fields/properties.ts';
import { type Notifying, recordNotice } from '../notices/notices.ts';
import { excerptOf } from '../posts/excerpt.ts';
import { parseExpected } from '../posts/expected.ts';
import {
  lastPurged,
  POST_TEXT,
  POST_TITLE,
  type PostRow,
  recordPostChange,
  requirePostForChange,
  requireUnmerged,
  setPost,
} from '../posts/posts.ts';
import { indexPost } from '../search/indexing.ts';
import { addToPostCount, listStatuses, requireStatus, requireStatusOf, type StatusType } from '../statuses/statuses.ts';
import { countInTags, parseTagIds, replaceTags } from '../tags/tagging.ts';
import { isHeld, seesPost } from '../visibility/posts.ts';
import { nameStatus } from '../visibility/statuses.ts';
import { announcePost, announceTags } from './announcing.ts';
import { lockPosts } from './merging.ts';
import { insertChange, movePosts } from './moving.ts';
import { readPostState } from './state.ts';

/** Changes to a post; omitted properties stay unchanged. */
export type PostChanges = {
  title?: string | null | undefined;
  comment?: string | null | undefined;
  isLocked?: boolean | null | undefined;
  isPinned?: boolean | null | undefined;
  /** When it is expected, see `parseExpected`; an empty text removes it. */
  expected?: string | null | undefined;
  /** New values of these fields; others stay unchanged. */
  properties?: PropertyInputs | null | undefined;
  /** The complete list of tags. */
  tagIds?: readonly string[] | null | undefined;
};

/** Changes title, description and properties (its author and moderators), or its tags, or locks and pins it, or says when it is expected (moderators). */
export async function updatePost(context: ActorContext, id: string, changes: PostChanges): Promise<PostRow> {
  const title = requireLineOr(changes.title ?? null, POST_TITLE);
  const written = requireTextOr(changes.comment ?? null, POST_TEXT);
  const expected = changes.expected == null ? undefined : parseExpected(changes.expected);
  const tagIds = parseTagIds(changes.tagIds);
  const properties = changes.properties?.length ? changes.properties : null;
  const { isLocked, isPinned } = changes;
  const changesNothing = Object.values({ ...changes, properties }).every((change) => change == null);
  return context.db.transaction(async (tx) => {
    const post = await requirePostForChange(tx, context, id);
    if (changesNothing) return post;
    if (title !== null || written !== null || properties) requireRight(context.actor, 'post.edit', post.author_id);
    if (isLocked != null || isPinned != null) requireRight(context.actor, 'post.lock');
    if (tagIds) requireRight(context.actor, 'post.tags');
    if (expected !== undefined) requireRight(context.actor, 'post.status');
    const values = await parseProperties(tx, context, properties ?? [], { asks: 'NONE' });
    const names = isOfTeam(context) ? namesOf(changes, values) : [];
    const before = await readPostState(tx, post, names);
    const now = context.clock.now();
    const text = written === null ? null : await writeDescription(tx, context, post, { text: written, now });
    if (title !== null && title !== post.title) {
      await insertChange(tx, context, post, { type: 'TITLE_CHANGE', from: post.title, to: title });
    }
    const changed = await setPost(tx, post, {
      ...(title !== null && { title }),
      ...(text !== null && { excerpt: excerptOf(text) }),
      ...(isLocked != null && { is_locked: isLocked ? 1 : 0 }),
      ...(isPinned != null && { is_pinned: isPinned ? 1 : 0 }),
      ...(expected !== undefined && { expected }),
      date_updated: now,
    });
    if (title !== null || text !== null) {
      await indexPost(tx, changed, text ?? (await findDescription(tx, changed))?.text ?? null);
    }
    if (tagIds) await announceTags(tx, context, changed, await replaceTags(tx, context, changed, tagIds));
    await replaceProperties(tx, changed, values);
    await recordPostChange(tx, context, post, before, await readPostState(tx, changed, names));
    return changed;
  });
}

/** What `updatePost` changes, by the names of `readPostState`. */
function namesOf({ properties, ...changes }: PostChanges, values: readonly FieldValues[]): string[] {
  const given = Object.entries(changes).filter(([, value]) => value != null);
  return [...given.map(([name]) => name), ...values.map(({ field }) => nameOfField(field.id))];
}

/** Gives a post former values in fields again, even while it is deleted: it may come back. */
export async function restoreValues(context: ActorContext, id: string, inputs: PropertyInputs): Promise<void> {
  await context.db.transaction(async (tx) => {
    const post = (await lockPosts(tx, context.board.id, [id])).get(id);
    if (!post) throw notFound('Post');
    requireRight(context.actor, 'post.edit', post.author_id);
    const values = await parseProperties(tx, context, inputs, { asks: 'NONE' });
    const names = namesOf({}, values);
    const before = await readPostState(tx, post, names);
    await replaceProperties(tx, post, values);
    await recordPostChange(tx, context, post, before, await readPostState(tx, post, names));
  });
}

/** Removes the description of a post that had none before. */
export async function removeDescription(context: ActorContext, id: string): Promise<void> {
  await context.db.transaction(async (tx) => {
    const post = await requirePostForChange(tx, context, id);
    requireRight(context.actor, 'post.edit', post.author_id);
    const description = await findDescription(tx, post);
    if (!description) return;
    await tx.deleteFrom('comments').where('board_id', '=', post.board_id).where('id', '=', description.id).execute();
    const changed = await setPost(tx, post, { excerpt: null, date_updated: context.clock.now() });
    await indexPost(tx, changed, null);
    await recordPostChange(tx, context, post, { comment: description.text }, { comment: null });
  });
}

/** Takes a post off the board; `restorePost` brings it back within 30 days. */
export async function deletePost(context: ActorContext, id: string): Promise<PostRow> {
  return context.db.transaction(async (tx) => {
    const post = await requirePostForChange(tx, context, id);
    requireRight(context.actor, 'post.delete', post.author_id);
    requireUnmerged(post);
    const deleted = await setPost(tx, post, { date_deleted: context.clock.now(), deleted_by: context.actor.id });
    await countPost(tx, post, -1);
    await recordPostChange(tx, context, post, { isDeleted: false }, { isDeleted: true });
    return announcePost(tx, context, deleted);
  });
}

/** Whether there is a deleted post that `restorePost` would bring back for this viewer. */
export async function isRestorable({ db, clock, board, actor }: ViewerContext, id: string): Promise<boolean> {
  const query = db.read.selectFrom('posts').selectAll().where('board_id', '=', board.id).where('id', '=', id);
  const post = isId(id) ? await query.executeTakeFirst() : undefined;
  if (!post || post.date_deleted === null || isPurged(post, clock.now())) return false;
  const status = (await listStatuses(db.read, board.id)).find((each) => each.id === post.status_id);
  if (!status || !seesPost(actor, { ...post, date_deleted: null }, status)) return false;
  return may(actor, 'post.restore', restorerOf(post));
}

/** Whether a deleted post is as good as gone. */
function isPurged({ date_deleted }: PostRow, now: number): boolean {
  return date_deleted !== null && date_deleted <= lastPurged(now);
}

/** The author, when it was they who deleted the post; null when only the team may bring it back. */
function restorerOf({ deleted_by, author_id }: PostRow): string | null {
  return deleted_by === author_id ? author_id : null;
}

/**
 * Brings a deleted post back as it was; a post that is not deleted is returned unchanged. Authors undo only what they
 * did themselves.
 */
export async function restorePost(context: ActorContext, id: string): Promise<PostRow> {
  return context.db.transaction(async (tx) => {
    const query = tx.selectFrom('posts').selectAll().where('board_id', '=', context.board.id).where('id', '=', id);
    const post = isId(id) ? await locked(tx, query).executeTakeFirst() : undefined;
    const now = context.clock.now();
    if (!post || isPurged(post, now)) throw notFound('Post');
    const before = { ...post, date_deleted: null };
    if (!seesPost(context.actor, before, await requireStatusOf(tx, post))) throw notFound('Post');
    if (post.date_deleted === null) {
      requireRight(context.actor, 'post.delete', post.author_id);
      return post;
    }
    requireRight(context.actor, 'post.restore', restorerOf(post));
    const restored = await setPost(tx, post, { date_deleted: null, deleted_by: null, date_updated: now });
    await countPost(tx, post, 1);
    await recordPostChange(tx, context, post, { isDeleted: true }, { isDeleted: false });
    return announcePost(tx, context, restored);
  });
}

/** Adds a post to or removes it from the counts of its status, its tags and its board. */
export async function countPost(tx: Tx, post: PostRow, change: 1 | -1): Promise<void> {
  const held = isHeld(post.moderation_status) ? change : 0;
  await addToPostCount(tx, post.board_id, post.status_id, { posts: change, held });
  await countInTags(tx, post, change);
  await addToBoardPostCount(tx, { boardId: post.board_id, change });
}

const addToBoardPostCount = prepare<{ boardId: string; change: number }, never>((tx, param) =>
  tx
    .updateTable('boards')
    .set((e) => ({ post_count: e('post_count', '+', param('change')) }))
    .where('id', '=', param('boardId')),
);

export type NewStatus = {
  statusType: StatusType;
  statusId?: string | null | undefined;
  /** A message to go with the change. */
  comment?: string | null | undefined;
  notifying?: Notifying | undefined;
};

/** Moves a post to another status; does nothing if it already has it. */
export async function changePostStatus(context: ActorContext, id: string, input: NewStatus): Promise<PostRow> {
  requireRight(context.actor, 'post.status');
  if (input.statusType === 'MERGED') throw badRequest('Only mergePosts can set the status MERGED', 'statusType');
  const text = requireTextOr(input.comment ?? null, POST_TEXT);
  const message = text === null ? null : { id: makeId(), text };
  return context.db.transaction(async (tx) => {
    const post = await requirePostForChange(tx, context, id);
    const status = await requireStatus(tx, context.board.id, input.statusType, input.statusId);
    if (status.id === post.status_id) return post;
    requireUnmerged(post);
    const previousStatus = await requireStatusOf(tx, post);
    const [changed] = await movePosts(tx, context, [post], status, message);
    await recordNotice(tx, context, {
      ...input.notifying,
      kind: 'STATUS',
      postId: post.id,
      commentId: message?.id ?? null,
      actorId: context.actor.id,
      details: {
        from: { ...nameStatus(previousStatus), color: previousStatus.color },
        to: { ...nameStatus(status), color: status.color },
      },
    });
    if (message) await recordNewComment(tx, context, { id: message.id, post_id: post.id });
    return changed as PostRow;
  });
}
