import { beginOperation } from '../../identity/activity/activity.ts';
import type { ActorContext, RequestContext } from '../../identity/users/request-context.ts';
import { createUser, findUser, type SsoIdentity } from '../../identity/users/users.ts';

/** The user in whose name imports change boards. */
export const IMPORT_USER: SsoIdentity = { ssoType: 'IMPORT', ssoId: 'import' };

/** An import acts for the people who wrote and voted, with the rights of the team, and notifies no one. */
export async function actAsImport(request: RequestContext): Promise<ActorContext> {
  const known = await findUser(request.db.read, request.board.id, IMPORT_USER);
  const actor = known ?? (await createUser(request, IMPORT_USER, { name: 'Import', isApiUser: true }));
  return { ...request, operation: { ...beginOperation(), isQuiet: true }, actor: { ...actor, role: 'ADMIN' } };
}
