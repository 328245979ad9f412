import type { ActorContext, RequestContext } from '../../identity/users/request-context.ts';
import { forbidden } from '../../platform/errors.ts';
import { isId } from '../../platform/lib/ids.ts';
import { msg } from '../../platform/messages.ts';
import { isTeam } from '../visibility/posts.ts';

/** The post of a change whose notifications are held, so that they can still be stopped; null if there is none. */
export async function findHeld({ db, clock, board }: RequestContext, id: string): Promise<string | null> {
  if (!isId(id)) return null;
  const query = db.read.selectFrom('notices').select('post_id').where('board_id', '=', board.id).where('id', '=', id);
  return (await query.where('date_ready', '>', clock.now()).executeTakeFirst())?.post_id ?? null;
}

/**
 * Stops notifications of a change that are held, for the team.
 * @returns whether it was in time
 * @throws FORBIDDEN
 */
export async function stopNotifications({ db, clock, board, actor }: ActorContext, id: string): Promise<boolean> {
  if (!isTeam(actor)) throw forbidden(msg('noticesTeamOnly'));
  return db.transaction(async (tx) => {
    const held = tx.deleteFrom('notices').where('board_id', '=', board.id).where('date_ready', '>', clock.now());
    const stopped = await held
      .where('id', '=', isId(id) ? id : '')
      .returning(['post_id', 'comment_id'])
      .executeTakeFirst();
    if (!stopped) return false;
    // The same comment may mention users, who are notified of it separately.
    await held
      .where('post_id', '=', stopped.post_id)
      .where('comment_id', '=', stopped.comment_id)
      .where('kind', '=', 'MENTION')
      .execute();
    return true;
  });
}
