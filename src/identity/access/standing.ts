import { updateRow } from '../../platform/db/rows.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { msg } from '../../platform/messages.ts';
import { requireOneOf } from '../../platform/texts/text.ts';
import { recordChange } from '../activity/activity.ts';
import { requireRank, requireRight } from '../users/authority.ts';
import type { ActorContext } from '../users/request-context.ts';
import { findUserById, standings, type UserRow } from '../users/users.ts';

/** Users that one list shows, at most. */
export const MAX_LISTED = 100;

/**
 * Trusts or blocks a user, or neither.
 * @throws FORBIDDEN; NOT_FOUND; CONFLICT for users on the team, who are removed from it instead
 */
export function changeStanding(context: ActorContext, userId: string, name: string): Promise<UserRow> {
  requireRight(context.actor, 'user.standing');
  const standing = requireOneOf(standings, name, 'standing');
  return context.db.transaction(async (tx) => {
    const user = await findUserById(tx, context.board.id, userId);
    if (!user) throw notFound('User');
    requireRank(context.actor, user.role);
    if (standing === 'BLOCKED' && user.role !== 'MEMBER') {
      throw conflict(msg('accessTeamNotBlocked'));
    }
    const before = { standing: user.standing };
    await recordChange(tx, context, { thing: 'USER', id: userId, before, after: { standing } });
    return updateRow(tx, 'users', user, { standing, date_updated: context.clock.now() });
  });
}

/** The users who are trusted or blocked; of many, those who registered last. */
export function listStandings({ db, board, actor }: ActorContext): Promise<UserRow[]> {
  requireRight(actor, 'user.standing');
  const query = db.read.selectFrom('users').selectAll().where('board_id', '=', board.id);
  return query.where('standing', '<>', 'NORMAL').orderBy('id', 'desc').limit(MAX_LISTED).execute();
}
