import { beginOperation } from '../identity/activity/activity.ts';
import type { ActorContext, RequestContext } from '../identity/users/request-context.ts';
import { createUser, findUser, type SsoIdentity } from '../identity/users/users.ts';

/**
 * Lets the program itself change a board, in one operation, under a name that *Activity* shows.
 * @param identity of the user that stands for it, who is created with the first change and has the rights of an admin here
 */
export async function actAs(request: RequestContext, identity: SsoIdentity, name: string): Promise<ActorContext> {
  const known = await findUser(request.db.read, request.board.id, identity);
  const actor = known ?? (await createUser(request, identity, { name, isApiUser: true }));
  return { ...request, operation: beginOperation(), actor: { ...actor, role: 'ADMIN' } };
}
