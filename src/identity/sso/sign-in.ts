import { badRequest, forbidden } from '../../platform/errors.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import { claimOnce } from '../../platform/limits/throttle.ts';
import { msg } from '../../platform/messages.ts';
import type { RequestContext } from '../users/request-context.ts';
import { createUser, findUser, setRole, type UserRow } from '../users/users.ts';
import type { TokenPerson } from './token.ts';

/** The integration that users with tokens belong to, as in the API. */
export const SSO_TYPE = 'SSO';

/** How long tokens without an expiry time are remembered. */
const FOR_EVER_MS = 10 * 365 * DAY_MS;

/**
 * Registers or updates the person of a token.
 * @param isRoleAllowed whether tokens of the board may give roles
 * @throws FORBIDDEN for people who must sign in with their account; BAD_REQUEST for a token that was used
 */
export async function signInByToken(
  context: RequestContext,
  person: TokenPerson,
  isRoleAllowed: boolean,
): Promise<UserRow> {
  const identity = { ssoType: SSO_TYPE, ssoId: person.id };
  const known = await findUser(context.db.read, context.board.id, identity);
  if (known && !mayUseSso(known, isRoleAllowed)) throw forbidden(known.is_api_user ? API_USER : TEAM);
  await requireUnused(context, person);
  const attributes = { ...(known?.attributes ? JSON.parse(known.attributes) : {}), ...person.attributes };
  const hasAttributes = Object.keys(person.attributes).length > 0;
  const { profile, companies } = person;
  const given = { ...profile, companies, ...(hasAttributes && { attributes }) };
  const user = await createUser(context, identity, given);
  if (!isRoleAllowed || person.role === null || person.role === user.role) return user;
  return (await setRole(context, identity, person.role)) ?? user;
}

const TEAM = msg('ssoTeamMember');

const API_USER = msg('ssoApiUser');

/** Whether a user may sign in by a token: owners and API users never, others on the team where the board allows it. */
export function mayUseSso(user: Pick<UserRow, 'role' | 'is_api_user'>, isRoleAllowed: boolean): boolean {
  if (user.is_api_user === 1) return false;
  return user.role === 'MEMBER' || (isRoleAllowed && user.role !== 'OWNER');
}

/** A token with a `jti` works once, even if it is sent twice at the same time. */
async function requireUnused({ db, clock, board }: RequestContext, { jti, expires }: TokenPerson): Promise<void> {
  if (jti === null) return;
  const leftMs = expires === null ? FOR_EVER_MS : expires * SECOND_MS - clock.now() + 2 * MINUTE_MS;
  const isFirst = await claimOnce(db, clock, `sso ${board.id} ${jti}`, Math.min(leftMs, FOR_EVER_MS));
  if (!isFirst) throw badRequest(msg('ssoTokenUsed'), 'token');
}
