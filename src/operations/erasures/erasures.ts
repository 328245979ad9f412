import { sql } from 'kysely';
import { removeSubscribers, removeSubscriptionsOf } from '../../feedback/changelog/subscribers.ts';
import { removePictureOf } from '../../feedback/files/account-pictures.ts';
import { deleteAccount, isElsewhere } from '../../identity/accounts/deleting.ts';
import type { AccountRow } from '../../identity/accounts/tables.ts';
import { lockBoard, requireFirstBoard } from '../../identity/board/board.ts';
import { requireAnotherOwner } from '../../identity/team/members.ts';
import { requireRank, requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { requireUserByRef, requireUserBySsoId, type UserRow } from '../../identity/users/users.ts';
import type { Tx } from '../../platform/db/db.ts';

/** An erased user of whom traces may be left: the background work uses it until there are none. */
export type ErasureRow = {
  board_id: string;
  /** The id of the erased user; of the account for the first board if it had no user there. */
  id: string;
  /** Whether posts and comments are deleted as well. */
  takes_content: 0 | 1;
  /** Who erased them; null if they did so themselves. */
  erased_by: string | null;
  /** JSON of `Traces`. */
  traces: string;
  date_created: number;
};

/** Data of the user that may be repeated elsewhere; deleted with the erasure itself. */
export type Traces = {
  addresses: readonly string[];
  names: readonly string[];
  /** The addresses, the names, and whatever else was known as a text. */
  texts: readonly string[];
  attributes: string | null;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    erasures: ErasureRow;
  }
}

/**
 * Erases a user, see `eraseFromBoard`, and their account unless it has users on other boards: it belongs to the server, and
 * no board can remove it from others.
 * @returns the user as they were, and what is left: an id that refers to no user
 * @throws CONFLICT for the last owner
 */
export function eraseUser(
  context: ActorContext,
  whom: { id: string } | { ssoId: string; ssoType: string | null | undefined },
  keepContent: boolean,
): Promise<{ gone: UserRow; left: UserRow }> {
  return context.db.transaction(async (tx) => {
    // Two owners who erase each other at once must not leave the board without one.
    await lockBoard(tx, context.board.id);
    const user =
      'id' in whom
        ? await requireUserByRef(tx, context.board.id, { id: whom.id }, 'id')
        : await requireUserBySsoId(tx, context, whom.ssoId, whom.ssoType);
    requireRight(context.actor, 'user.erase', user.id);
    requireRank(context.actor, user.role);
    if (user.role === 'OWNER') await requireAnotherOwner(tx, user);
    const now = context.clock.now();
    const account = await findAccount(tx, user.account_id);
    const erasedBy = context.actor.id === user.id ? null : context.actor.id;
    await eraseFromBoard(tx, user, account, { keepContent, erasedBy, now });
    if (account && !(await isElsewhere(tx, account.id, user.board_id))) await eraseAccount(tx, account, [user], now);
    return { gone: user, left: remains(user, now) };
  });
}

async function findAccount(tx: Tx, id: string | null): Promise<AccountRow | null> {
  if (id === null) return null;
  return (await tx.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

type Erasing = { keepContent: boolean; erasedBy: string | null; now: number };

/**
 * Erases a user of a board: from this commit on they cannot be found. What they left elsewhere is removed in the background
 * (`tracing.ts`), in small steps.
 * @param account the account of the user, if there is one
 */
export async function eraseFromBoard(
  tx: Tx,
  user: UserRow,
  account: AccountRow | null,
  { keepContent, erasedBy, now }: Erasing,
): Promise<void> {
  const addresses = [user.email, account?.email].filter((email) => email != null);
  await removeRights(tx, user, addresses);
  await removeSubscribers(tx, user.board_id, addresses);
  const names = [user.name, account?.name].filter((name) => name != null);
  const texts = [user.id, ...names, user.bio, user.image, account?.image, user.sso_id];
  const traces: Traces = {
    addresses: [...new Set(addresses)],
    names: [...new Set(names)],
    texts: [...new Set([...addresses, ...texts.filter((text) => text != null && text !== '')])] as string[],
    attributes: user.attributes,
  };
  const { board_id, id } = user;
  const erasure = { board_id, id, erased_by: erasedBy, date_created: now };
  await insertErasure(tx, { ...erasure, takes_content: keepContent ? 0 : 1 }, traces);
}

/** Removes an account whose users are erased, and later the mails that it got before it had a user on a board. */
export async function eraseAccount(tx: Tx, account: AccountRow, users: readonly UserRow[], now: number): Promise<void> {
  await removePictureOf(tx, account.id);
  await deleteAccount(tx, account);
  await removeSubscriptionsOf(tx, account.email);
  const { id, email } = account;
  const first = await requireFirstBoard(tx);
  if (users.some(({ board_id }) => board_id === first.id)) return;
  const traces: Traces = { addresses: [email], names: [], texts: [email], attributes: null };
  await insertErasure(tx, { board_id: first.id, id, takes_content: 0, erased_by: null, date_created: now }, traces);
}

async function insertErasure(tx: Tx, erasure: Omit<ErasureRow, 'traces'>, traces: Traces): Promise<void> {
  await tx
    .insertInto('erasures')
    .values({ ...erasure, traces: JSON.stringify(traces) })
    .execute();
  tx.notify('erasures');
}

/** Where keys name users. */
const KEY_COLUMNS = [
  ['api_keys', 'default_user_id'],
  ['api_keys', 'made_by'],
  ['publishable_keys', 'made_by'],
] as const;

/** Removes the user with all their rights on the board, and those that they gave to others. */
async function removeRights(tx: Tx, user: UserRow, addresses: readonly string[]): Promise<void> {
  const boardId = user.board_id;
  const invitations = tx.deleteFrom('invitations').where('board_id', '=', boardId);
  if (addresses.length > 0) await invitations.where('email', 'in', addresses).execute();
  await invitations.where('invited_by', '=', user.id).where('date_used', 'is', null).execute();
  await sql`update invitations set invited_by = null where board_id = ${boardId} and invited_by = ${user.id}`.execute(
    tx,
  );
  for (const [table, column] of KEY_COLUMNS) {
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = null
      where board_id = ${boardId} and ${sql.ref(column)} = ${user.id}`.execute(tx);
  }
  await tx.deleteFrom('assignments').where('board_id', '=', boardId).where('user_id', '=', user.id).execute();
  await tx.deleteFrom('users').where('board_id', '=', boardId).where('id', '=', user.id).execute();
}

function remains({ board_id, id, date_created }: UserRow, now: number): UserRow {
  return {
    board_id,
    id,
    sso_type: null,
    sso_id: null,
    name: null,
    name_folded: null,
    email: null,
    email_on_mention: 0,
    bio: null,
    image: null,
    role: 'MEMBER',
    is_api_user: 0,
    standing: 'NORMAL',
    is_invited: 0,
    account_id: null,
    attributes: null,
    locale: null,
    time_zone: null,
    mail_frequency: 'OFF',
    date_inbox_seen: null,
    email_on_status: 0,
    email_on_comment: 0,
    email_on_changelog: 0,
    follows_changelog: 0,
    email_on_new_post: 0,
    email_on_moderation: 0,
    date_created,
    date_updated: now,
  };
}
