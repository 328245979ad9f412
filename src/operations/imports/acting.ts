import type { ActorContext, RequestContext } from '../../identity/users/request-context.ts';
import type { SsoIdentity } from '../../identity/users/users.ts';
import { actAs } from '../acting.ts';

/** The user in whose name imports change boards. */
export const IMPORT_USER: SsoIdentity = { ssoType: 'IMPORT', ssoId: 'import' };

/** An import acts for the people who wrote and voted, with the rights of the team, and notifies no one. */
export async function actAsImport(request: RequestContext): Promise<ActorContext> {
  const { operation, ...context } = await actAs(request, IMPORT_USER, 'Import');
  return { ...context, ...(operation && { operation: { ...operation, isQuiet: true } }) };
}
