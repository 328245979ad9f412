import { MAX_UNDONE } from '../../identity/activity/activity.ts';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import { conflict } from '../../platform/errors.ts';
import {
  createStatus,
  lockStatuses,
  putInOrder,
  recordStatusChange,
  requireKnown,
  stateOfStatus,
  updateStatus,
} from '../statuses/managing.ts';
import { listStatuses, type StatusRow, statusOfType } from '../statuses/statuses.ts';
import { lockPosts } from './merging.ts';
import { movePosts } from './moving.ts';

/** Posts that are moved in one transaction when their status is deleted, so others wait only for these. */
const POSTS_AT_ONCE = 50;

/**
 * Deletes a custom status. Its posts become UNASSIGNED first, in batches, each with the usual event of a status change;
 * an interrupted call leaves the status with the remaining posts, and a repeated call continues.
 * @throws CONFLICT for a built-in status
 */
export async function deleteStatus(context: ActorContext, id: string): Promise<StatusRow> {
  requireRight(context.actor, 'status.edit');
  for (let all = 0; ; ) {
    const { found, moved } = await context.db.transaction((tx) => moveSomePosts(tx, context, id));
    all += moved;
    if (context.operation && all > MAX_UNDONE) context.operation.isFull = true;
    const deleted =
      found < POSTS_AT_ONCE ? await context.db.transaction((tx) => deleteWhenEmpty(tx, context, id)) : null;
    if (deleted) return deleted;
  }
}

async function moveSomePosts(tx: Tx, context: ActorContext, id: string): Promise<{ found: number; moved: number }> {
  const statuses = await listStatuses(tx, context.board.id);
  requireCustom(statuses, id);
  const ids = (await livePostsIn(tx, context.board.id, id).limit(POSTS_AT_ONCE).execute()).map((post) => post.id);
  const posts = [...(await lockPosts(tx, context.board.id, ids)).values()].filter((post) => post.status_id === id);
  if (posts.length > 0) await movePosts(tx, context, posts, statusOfType(statuses, 'UNASSIGNED'), null);
  return { found: ids.length, moved: posts.length };
}

async function deleteWhenEmpty(tx: Tx, context: ActorContext, id: string): Promise<StatusRow | null> {
  const boardId = context.board.id;
  const statuses = await lockStatuses(tx, boardId);
  const status = requireCustom(statuses, id);
  const [post] = await livePostsIn(tx, boardId, id).limit(1).execute();
  if (post) return null;
  const { id: unassignedId } = statusOfType(statuses, 'UNASSIGNED');
  const postsOfBoard = tx.updateTable('posts').where('board_id', '=', boardId);
  // Deleted and merged posts will be restored to where the others went.
  const deleted = await postsOfBoard
    .set({ status_id: unassignedId })
    .where('date_deleted', 'is not', null)
    .where('status_id', '=', id)
    .returning('id')
    .execute();
  const merged = await postsOfBoard
    .set({ unmerged_status_id: unassignedId })
    .where('merged_root_id', 'is not', null)
    .where('unmerged_status_id', '=', id)
    .returning('id')
    .execute();
  await tx.deleteFrom('statuses').where('board_id', '=', boardId).where('id', '=', id).execute();
  await putInOrder(
    tx,
    statuses.filter((other) => other.id !== id),
  );
  const [deletedIds, mergedIds] = [deleted, merged].map((posts) => posts.map((post) => post.id));
  const before = { exists: true, ...stateOfStatus(status), position: status.position, deletedIds, mergedIds };
  await recordStatusChange(tx, context, id, before, { exists: false });
  return status;
}

/** A deleted status as it was, and the deleted and merged posts that would have come back to it. */
export type DeletedStatus = ReturnType<typeof stateOfStatus> & {
  position: number;
  deletedIds: readonly string[];
  mergedIds: readonly string[];
};

/** Brings a deleted status back in its place; its posts are the caller's. @throws CONFLICT as `createStatus` */
export async function restoreStatus(context: ActorContext, id: string, deleted: DeletedStatus): Promise<void> {
  const { name, color, postVisibility, isOnRoadmap, position, deletedIds, mergedIds } = deleted;
  await createStatus(context, { id, name, color, isOnRoadmap });
  await updateStatus(context, id, { postVisibility });
  await context.db.transaction(async (tx) => {
    const statuses = await lockStatuses(tx, context.board.id);
    const status = requireKnown(statuses, id);
    const others = statuses.filter((other) => other !== status);
    await putInOrder(tx, others.toSpliced(position, 0, status));
    const posts = tx.updateTable('posts').where('board_id', '=', context.board.id);
    const [isDeleted, isMerged] = [isOneOf(tx, 'id', deletedIds), isOneOf(tx, 'id', mergedIds)];
    await posts.set({ status_id: id }).where(isDeleted).where('date_deleted', 'is not', null).execute();
    await posts.set({ unmerged_status_id: id }).where(isMerged).where('merged_root_id', 'is not', null).execute();
  });
}

function livePostsIn(tx: Tx, boardId: string, statusId: string) {
  const query = tx.selectFrom('posts').select('id').where('board_id', '=', boardId).where('status_id', '=', statusId);
  return query.where('date_deleted', 'is', null).orderBy('date_created').orderBy('id');
}

function requireCustom(statuses: readonly StatusRow[], id: string): StatusRow {
  const status = requireKnown(statuses, id);
  if (status.type !== 'CUSTOM') throw conflict(`Every board needs its status of type ${status.type}`);
  return status;
}
