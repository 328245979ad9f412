import { isOwnPicture } from '#src/identity/accounts/rules.ts';
import { findUsers, type UserRow } from '#src/identity/users/users.ts';
import { parseLocale } from '../../i18n/format.ts';
import * as m from '../../i18n/messages.ts';
import type { View } from './joining.ts';

/** Who wrote something, as pages show them. */
export type AuthorView = { name: string; isTeam: boolean; picture: string | null };

/** The users with these ids, in one statement: returns a function that gives each; null once erased. */
export async function peopleOf(
  { visit, context: { board } }: Pick<View, 'visit' | 'context'>,
  ids: readonly (string | null)[],
): Promise<(id: string | null) => AuthorView | null> {
  const known = [...new Set(ids.filter((id) => id !== null))];
  const users = known.length > 0 ? await findUsers(visit.db.read, board.id, known, ['name', 'role', 'image']) : [];
  const nameless = m.nameless(parseLocale(visit.language()));
  const viewOf = (user: Named) => {
    const author = viewAuthor(user, user.name ?? nameless);
    // Pictures of people do not stay in copies of the board.
    return visit.isStatic ? { ...author, picture: null } : author;
  };
  const people = new Map(users.map((user) => [user.id, viewOf(user)] as const));
  return (id) => people.get(id ?? '') ?? null;
}

type Named = Pick<UserRow, 'name' | 'role' | 'image'>;

/** A user who has a name. */
export function viewAuthor({ role, image }: Pick<UserRow, 'role' | 'image'>, name: string): AuthorView {
  return { name, isTeam: role !== 'MEMBER', picture: isOwnPicture(image) ? image : null };
}
