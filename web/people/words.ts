import type { Role, Standing } from '#src/identity/users/users.ts';
import type { Locale } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';
import { roleName } from '../parts/show/role.ts';

/** What a user is on the board, in a few words. */
export function standingOf(l: Locale, person: { role: Role; standing: Standing; isAgent: boolean }): string {
  const role = person.isAgent && person.role === 'MEMBER' ? m.agent(l) : roleName(l, person.role);
  const standing = { NORMAL: null, TRUSTED: m.trusted(l), BLOCKED: m.blocked(l) }[person.standing];
  return [role, standing].filter(Boolean).join(' · ');
}

/** What is known of a user, on one line. */
export function attributesText(attributes: readonly [name: string, value: string][]): string {
  return attributes.map(([name, value]) => `${name}: ${value}`).join(', ') || '–';
}
