import type { ServiceContext } from '../../identity/users/request-context.ts';
import type { Reader, Tx } from '../../platform/db/db.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import { recordNotice } from '../notices/notices.ts';
import type { EntryRow } from './entries.ts';

/**
 * Records that the followers of the posts that a published entry completes must be notified, each of them once. Those of
 * a post that was merged after it was linked follow the target.
 */
export async function notifyOfEntry(
  tx: Tx,
  context: ServiceContext,
  { id: entryId }: Pick<EntryRow, 'id'>,
  { linkedIds, holdMs }: { linkedIds: readonly string[]; holdMs: number },
): Promise<void> {
  const { board, actor } = context;
  const query = tx.selectFrom('posts').select(['id', 'merged_root_id']).where('board_id', '=', board.id);
  const posts = await query
    .where(isOneOf(tx, 'id', linkedIds))
    .orderBy('upvotes', 'desc')
    .orderBy('id')
    .execute();
  const postIds = new Set(posts.map(({ id, merged_root_id }) => merged_root_id ?? id));
  for (const postId of postIds) {
    await recordNotice(tx, context, { kind: 'SHIPPED', postId, entryId, actorId: actor?.id ?? null, holdMs });
  }
}

/** Whether notices of an entry are held, so that they can still be stopped. */
export async function areNoticesHeld(reader: Reader, boardId: string, entryId: string, now: number): Promise<boolean> {
  const query = reader.selectFrom('notices').select('id').where('board_id', '=', boardId);
  const held = query.where('entry_id', '=', entryId).where('date_ready', '>', now);
  return (await held.limit(1).executeTakeFirst()) !== undefined;
}

/** Removes the notices of an entry that are held. @returns how many they were */
export async function removeHeld(tx: Tx, boardId: string, entryId: string, now: number): Promise<number> {
  const held = tx.deleteFrom('notices').where('board_id', '=', boardId).where('date_ready', '>', now);
  return (await held.where('entry_id', '=', entryId).returning('id').execute()).length;
}

/** Removes the notifications of an entry that are not mailed yet. Their users are notified when it is published again. */
export async function removeUnsent(
  tx: Tx,
  { board_id: boardId, id }: Pick<EntryRow, 'board_id' | 'id'>,
): Promise<void> {
  const notices = tx.selectFrom('notices').select('id').where('board_id', '=', boardId).where('entry_id', '=', id);
  await tx
    .deleteFrom('notifications')
    .where('board_id', '=', boardId)
    .where('notice_id', 'in', notices)
    .where('date_due', 'is not', null)
    .execute();
}
