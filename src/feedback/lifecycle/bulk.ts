import type { ActorContext } from '../../identity/users/request-context.ts';
import { withinTransaction } from '../../platform/db/db.ts';
import { badRequest, notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/lib/ids.ts';
import { msg } from '../../platform/messages.ts';
import { setAssignees } from '../assignments/assignments.ts';
import { MAX_HOLD_MS } from '../notices/notices.ts';
import { findPosts, type PostRow } from '../posts/posts.ts';
import { listStatuses } from '../statuses/statuses.ts';
import { findTagsOfPosts } from '../tags/tagging.ts';
import { deletePost } from './deleting.ts';
import { updatePost } from './editing.ts';
import { lockPosts, mergePosts } from './merging.ts';
import { changePostStatus } from './moving.ts';
import { setTriage } from './triage.ts';

/** Posts that are changed at once, at most. */
export const MAX_BULK = 50;

/** What is done with each of several posts. */
export type BulkChange =
  | { kind: 'status'; id: string }
  | { kind: 'tag'; id: string }
  | { kind: 'assign'; id: string }
  | { kind: 'triage'; from: number | null }
  | { kind: 'delete' };

/**
 * Changes several posts: each by the function that changes it alone, with its rights, events and history, and all of them
 * or none.
 * @returns how many there are
 */
export async function changePosts(context: ActorContext, rawIds: readonly string[], change: BulkChange) {
  const ids = requireIds(rawIds, 1);
  const { db, board } = context;
  await db.transaction(async (tx) => {
    const inside = { ...context, db: withinTransaction(db, tx) };
    await lockPosts(tx, board.id, ids);
    for (const id of ids) await changeOne(inside, id, change);
  });
  return ids.length;
}

async function changeOne(context: ActorContext, postId: string, change: BulkChange): Promise<unknown> {
  switch (change.kind) {
    case 'status':
      return moveTo(context, postId, change.id);
    case 'tag':
      return addTag(context, postId, change.id);
    case 'assign':
      return setAssignees(context, postId, change.id ? [change.id] : []);
    case 'triage':
      return setTriage(context, postId, change.from);
    case 'delete':
      return deletePost(context, postId);
    default:
      return change satisfies never;
  }
}

async function moveTo(context: ActorContext, postId: string, statusId: string) {
  const status = (await listStatuses(context.db.read, context.board.id)).find(({ id }) => id === statusId);
  if (!status) throw notFound('Status');
  const { type, id } = status;
  const notifying = { holdMs: MAX_HOLD_MS };
  return changePostStatus(context, postId, { statusType: type, statusId: type === 'CUSTOM' ? id : null, notifying });
}

async function addTag(context: ActorContext, postId: string, tagId: string) {
  const { db, board, actor } = context;
  const tags = (await findTagsOfPosts(db.read, board.id, [postId], actor)).get(postId) ?? [];
  return updatePost(context, postId, { tagIds: [...new Set([...tags.map(({ id }) => id), tagId])] });
}

/** Posts that are to be merged, into the one of them with the most votes, or the oldest of these. */
export type Merging = { target: PostRow; sources: PostRow[] };

/** How posts would be merged together. @throws BAD_REQUEST, NOT_FOUND */
export async function planMerge(context: ActorContext, rawIds: readonly string[]): Promise<Merging> {
  const ids = requireIds(rawIds, 2);
  const { db, board, actor } = context;
  const posts = await findPosts(db.read, board.id, ids, actor);
  const [target, ...sources] = posts.toSorted((a, b) => b.upvotes - a.upvotes || a.number - b.number);
  if (!target || posts.length < ids.length) throw notFound('Post');
  return { target, sources };
}

/** Merges posts as `planMerge` says. @returns how many there are */
export async function mergeTogether(context: ActorContext, rawIds: readonly string[]): Promise<number> {
  const { target, sources } = await planMerge(context, rawIds);
  const sourceIds = sources.map(({ id }) => id).toSorted();
  await mergePosts(context, sourceIds, target.id, { holdMs: MAX_HOLD_MS });
  return 1 + sources.length;
}

/** The ids, each once, in the order in which posts are locked. */
function requireIds(raw: readonly string[], least: number): string[] {
  const ids = [...new Set(raw)].toSorted();
  if (ids.length < least || ids.length > MAX_BULK) {
    throw badRequest(msg('postCountWrong', least, MAX_BULK, ids.length), 'post');
  }
  if (!ids.every((id) => isId(id))) throw notFound('Post');
  return ids;
}
