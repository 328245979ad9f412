import type { Role } from '#src/identity/users/users.ts';
import type { Locale } from '../../i18n/languages.ts';
import * as m from '../../i18n/messages.ts';

/** The name of a role. */
export function roleName(l: Locale, role: Role): string {
  return { MEMBER: m.roleMember(l), MODERATOR: m.roleModerator(l), ADMIN: m.roleAdmin(l), OWNER: m.roleOwner(l) }[role];
}
