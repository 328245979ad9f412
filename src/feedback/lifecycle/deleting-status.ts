import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { conflict } from '../../platform/errors.ts';
import { lockStatuses, putInOrder, requireKnown } from '../statuses/managing.ts';
import { listStatuses, type StatusRow } from '../statuses/statuses.ts';
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
  for (;;) {
    const moved = await context.db.transaction((tx) => moveSomePosts(tx, context, id));
    const deleted =
      moved < POSTS_AT_ONCE ? await context.db.transaction((tx) => deleteWhenEmpty(tx, context, id)) : null;
    if (deleted) return deleted;
  }
}

async function moveSomePosts(tx: Tx, context: ActorContext, id: string): Promise<number> {
  const statuses = await listStatuses(tx, context.board.id);
  requireCustom(statuses, id);
  const ids = (await livePostsIn(tx, context.board.id, id).limit(POSTS_AT_ONCE).execute()).map((post) => post.id);
  const posts = [...(await lockPosts(tx, context.board.id, ids)).values()].filter((post) => post.status_id === id);
  if (posts.length > 0) await movePosts(tx, context, posts, unassigned(statuses), null);
  return ids.length;
}

async function deleteWhenEmpty(tx: Tx, context: ActorContext, id: string): Promise<StatusRow | null> {
  const boardId = context.board.id;
  const statuses = await lockStatuses(tx, boardId);
  const status = requireCustom(statuses, id);
  const [post] = await livePostsIn(tx, boardId, id).limit(1).execute();
  if (post) return null;
  const { id: unassignedId } = unassigned(statuses);
  const postsOfBoard = tx.updateTable('posts').where('board_id', '=', boardId);
  // Deleted and merged posts will be restored to where the others went.
  await postsOfBoard
    .set({ status_id: unassignedId })
    .where('date_deleted', 'is not', null)
    .where('status_id', '=', id)
    .execute();
  await postsOfBoard
    .set({ unmerged_status_id: unassignedId })
    .where('merged_root_id', 'is not', null)
    .where('unmerged_status_id', '=', id)
    .execute();
  await tx.deleteFrom('statuses').where('board_id', '=', boardId).where('id', '=', id).execute();
  await putInOrder(
    tx,
    statuses.filter((other) => other.id !== id),
  );
  return status;
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

function unassigned(statuses: readonly StatusRow[]): StatusRow {
  const status = statuses.find(({ type }) => type === 'UNASSIGNED');
  if (!status) throw new Error('The board has no status of type UNASSIGNED');
  return status;
}
