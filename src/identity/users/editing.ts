import { updateRow } from '../../platform/db/rows.ts';
import { parseCompanies, setCompanies } from '../companies/company.ts';
import { requireRank, requireRight } from './authority.ts';
import { type Profile, parseProfile } from './profile.ts';
import type { ActorContext } from './request-context.ts';
import { requireUserBySsoId, type UserRow } from './users.ts';

/** Changes a profile: the actor's own, or that of a user for whom the actor may act and whose role is not higher. */
export async function updateUser(
  context: ActorContext,
  ssoId: string,
  ssoType: string | null | undefined,
  profile: Profile,
): Promise<UserRow> {
  const changes = parseProfile(profile);
  const companies = profile.companies && parseCompanies(profile.companies);
  return context.db.transaction(async (tx) => {
    const user = await requireUserBySsoId(tx, context, ssoId, ssoType);
    requireRight(context.actor, 'user.edit', user.id);
    requireRank(context.actor, user.role);
    if (companies) {
      requireRight(context.actor, 'company.edit');
      await setCompanies(tx, context, user.id, companies);
    }
    if (Object.keys(changes).length === 0 && !companies) return user;
    return updateRow(tx, 'users', user, { ...changes, date_updated: context.clock.now() });
  });
}
