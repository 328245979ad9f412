import { sql } from 'kysely';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { Reader, Tx } from '../../platform/db/db.ts';
import { prepare } from '../../platform/db/prepare.ts';
import { type Doubt, HELD, isTeam, type ModerationStatus } from '../visibility/posts.ts';

/** Whether a post or comment by the actor is published immediately, or waits for a moderator. */
export async function moderationOfNew(
  tx: Tx,
  { board, actor }: ActorContext,
  doubt: Doubt | null = null,
): Promise<ModerationStatus> {
  if (doubt) return 'PENDING';
  const isFree = isTeam(actor) || actor.is_api_user === 1 || actor.standing === 'TRUSTED';
  if (board.approval === 'NONE' || isFree) return 'APPROVED';
  if (board.approval === 'ALL') return 'PENDING';
  const [approved] = await findApproved(tx, { boardId: board.id, userId: actor.id });
  return approved ? 'APPROVED' : 'PENDING';
}

/** Whether moderators have approved something that a user wrote. */
export async function hasApproved(reader: Reader, boardId: string, userId: string): Promise<boolean> {
  return (await findApproved(reader, { boardId, userId })).length > 0;
}

/** A post or comment of a user that moderators have approved, or that was written before approval was turned on. */
const findApproved = prepare<{ boardId: string; userId: string }, { id: string }>((tx, param) => {
  const post = tx.selectFrom('posts').select('id').where('author_id', '=', param('userId'));
  // Comments that Earshot writes for the user, such as that of a new title, were approved by no one.
  const comment = tx
    .selectFrom('comments')
    .select('id')
    .where('user_id', '=', param('userId'))
    .where('type', '=', sql.lit('BASIC'));
  const isThere = sql<boolean>`date_deleted is null and moderation_status not in ${HELD}`;
  return post
    .where('board_id', '=', param('boardId'))
    .where(isThere)
    .unionAll(comment.where('board_id', '=', param('boardId')).where('is_first', '=', 0).where(isThere))
    .limit(1);
});
