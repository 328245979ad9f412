import { isId } from '../../platform/lib/ids.ts';
import { type Actor, may, requireRight } from '../users/authority.ts';
import type { ActorContext, RequestContext } from '../users/request-context.ts';
import { type Role, requireUserBySsoId, type UserRow } from '../users/users.ts';
import { listInvitations, withdrawInvitation } from './invitations.ts';
import { changeRole, listTeam } from './members.ts';

/** A place in the team: a user who has it, or an invitation to it (`user` null). */
export type TeamPlace = { id: string; role: Role; user: UserRow | null; email: string | null };

/** The team as a viewer sees it: anonymous ones see nothing, and those who may manage it see pending invitations, too. */
export async function listTeamFor(context: RequestContext, viewer: Actor | null): Promise<TeamPlace[]> {
  if (viewer === null) return [];
  const members = (await listTeam(context)).map((user) => ({ id: user.id, role: user.role, user, email: null }));
  if (!may(viewer, 'team.manage')) return members;
  const invited = (await listInvitations(context)).map(({ id, role, email }) => ({ id, role, user: null, email }));
  return [...members, ...invited];
}

/** The user that an operation on the team refers to, see `requireUserBySsoId`. */
export type TeamRef = { ssoId: string; ssoType?: string | null | undefined };

/** Changes the role of the referenced user, see `changeRole`. */
export async function changeTeamRole(context: ActorContext, { ssoId, ssoType }: TeamRef, role: Role): Promise<UserRow> {
  requireRight(context.actor, 'team.manage');
  const user = await requireUserBySsoId(context.db.read, context, ssoId, ssoType);
  return changeRole(context, user.id, role);
}

/**
 * Removes the referenced user from the team, or withdraws the invitation with this id.
 * @returns the user; true for an invitation, false for a user outside the team
 */
export async function removeFromTeam(context: ActorContext, { ssoId, ssoType }: TeamRef): Promise<UserRow | boolean> {
  requireRight(context.actor, 'team.manage');
  if (isId(ssoId) && (await withdrawInvitation(context, ssoId))) return true;
  const user = await requireUserBySsoId(context.db.read, context, ssoId, ssoType);
  return user.role !== 'MEMBER' && changeRole(context, user.id, 'MEMBER');
}
