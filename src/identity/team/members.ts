import { sql } from 'kysely';
import type { Reader, Tx } from '../../platform/db/db.ts';
import { updateRow } from '../../platform/db/rows.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { msg } from '../../platform/messages.ts';
import { isOwnPicture } from '../accounts/rules.ts';
import type { AccountRow } from '../accounts/tables.ts';
import { recordChange } from '../activity/activity.ts';
import { lockBoard } from '../board/board.ts';
import { requireRank, requireRight } from '../users/authority.ts';
import { requireEntry } from '../users/entry.ts';
import type { ActorContext, RequestContext } from '../users/request-context.ts';
import { findUserById, type Role, roles, type UserRow } from '../users/users.ts';

/** The user of an account on a board; null if there is none. */
export async function findMember(reader: Reader, boardId: string, accountId: string): Promise<UserRow | null> {
  const query = reader.selectFrom('users').selectAll().where('board_id', '=', boardId);
  return (await query.where('account_id', '=', accountId).executeTakeFirst()) ?? null;
}

/** The users of an account, the one on the oldest board first. */
export function listMemberships(reader: Reader, accountId: string): Promise<UserRow[]> {
  const query = reader.selectFrom('users').selectAll().where('account_id', '=', accountId);
  return query.orderBy('board_id').execute();
}

/** The boards on whose team an account is, with its role there, the oldest first. */
export async function listTeamBoards(reader: Reader, accountId: string) {
  const query = reader
    .selectFrom('users')
    .innerJoin('boards', 'boards.id', 'users.board_id')
    .select(['boards.pid', 'boards.name', 'boards.post_count', 'users.role']);
  return query.where('account_id', '=', accountId).where('role', '<>', 'MEMBER').orderBy('boards.id').execute();
}

/** The users, out of `people`, who are the only owners of their boards. */
export async function findLastOwners(reader: Reader, people: readonly UserRow[]): Promise<UserRow[]> {
  const last: UserRow[] = [];
  for (const user of people) {
    if (user.role === 'OWNER' && !(await hasAnotherOwner(reader, user))) last.push(user);
  }
  return last;
}

/** The team of a board: everyone above the role MEMBER, owners first. */
export async function listTeam({ db, board }: RequestContext): Promise<UserRow[]> {
  const query = db.read.selectFrom('users').selectAll().where('board_id', '=', board.id);
  // In the order of the index, which leaves members out: hence the literal.
  const rows = await query.where('role', '<>', sql.lit('MEMBER')).orderBy('role').orderBy('id').execute();
  return rows.toSorted((a, b) => roles.indexOf(b.role) - roles.indexOf(a.role));
}

/**
 * Makes an account a user of the board with this role, by invitation; an existing user never loses a role.
 * @param read as for `joinBoard`
 */
export async function joinTeam(
  tx: Tx,
  context: RequestContext,
  account: NewMember,
  role: Role,
  read: string | null = null,
): Promise<UserRow> {
  const existing = await findMember(tx, context.board.id, account.id);
  const mails = role === 'MODERATOR' || role === 'ADMIN' ? MAILS_OF_TEAM : {};
  if (!existing) return insertMember(tx, context, account, { role, is_invited: 1, ...mails }, read);
  const isHigher = roles.indexOf(role) > roles.indexOf(existing.role);
  const changes = { role: isHigher ? role : existing.role, is_invited: 1 as const };
  return updateRow(tx, 'users', existing, { ...changes, date_updated: context.clock.now() });
}

/**
 * What a new member of the team gets by mail until they choose: a daily digest, also of new posts and of what waits for
 * approval. The set-up of a board proposes the same to its owner.
 */
export const MAILS_OF_TEAM = { mail_frequency: 'DAILY', email_on_new_post: 1, email_on_moderation: 1 } as const;

/** The part of an account that its user on a board is created from. */
export type NewMember = Pick<AccountRow, 'id' | 'name' | 'email' | 'image'>;

/** Language, time zone and picture are those chosen before, on another board; else the language is `read`. */
async function insertMember(
  tx: Tx,
  { board, clock }: RequestContext,
  account: NewMember,
  place: Pick<UserRow, 'role' | 'is_invited'> & Partial<UserRow>,
  read: string | null = null,
): Promise<UserRow> {
  const now = clock.now();
  const elsewhere = (await listMemberships(tx, account.id))[0];
  await tx
    .insertInto('users')
    .values({
      board_id: board.id,
      id: makeId(),
      account_id: account.id,
      name: account.name,
      name_folded: account.name.toLowerCase(),
      email: account.email,
      image: isOwnPicture(account.image) ? account.image : null,
      locale: elsewhere?.locale ?? read,
      time_zone: elsewhere?.time_zone ?? null,
      email_on_mention: 1,
      ...place,
      is_api_user: 0,
      date_created: now,
      date_updated: now,
    })
    // Two concurrent actions may each make the same account a member.
    .onConflict((c) => c.columns(['board_id', 'account_id']).where('account_id', 'is not', null).doNothing())
    .execute();
  const joined = await findMember(tx, board.id, account.id);
  if (!joined) throw new Error('The person was not added to the board');
  return joined;
}

/**
 * The user of an account on a board, who is registered with their first action there.
 * @param read the language in which they have read the board until now, if it is not the board's
 * @throws NOT_FOUND for an account that may not see the board
 */
export async function joinBoard(
  context: RequestContext,
  account: AccountRow,
  read: string | null = null,
): Promise<UserRow> {
  const user = await findMember(context.db.read, context.board.id, account.id);
  requireEntry(context.board, { user, account });
  if (user) return user;
  return context.db.transaction((tx) => insertMember(tx, context, account, { role: 'MEMBER', is_invited: 0 }, read));
}

/**
 * Changes a user's role; MEMBER removes them from the team. A role above the actor's own can be neither granted nor
 * removed, and a board keeps at least one owner.
 */
export function changeRole(context: ActorContext, userId: string, role: Role): Promise<UserRow> {
  requireRight(context.actor, 'team.manage');
  return context.db.transaction(async (tx) => {
    // Two owners who remove each other at the same time must not leave the board without one.
    await lockBoard(tx, context.board.id);
    const actor = await requireManager(tx, context);
    const user = await findUserById(tx, context.board.id, userId);
    if (!user) throw notFound('User');
    requireRank(actor, role);
    requireRank(actor, user.role);
    if (user.role === role) return user;
    if (user.role === 'OWNER') await requireAnotherOwner(tx, user);
    // A user removed from the team of a board for members only no longer counts as invited.
    const isOff = role === 'MEMBER' && { is_invited: 0 as const };
    await recordChange(tx, context, { thing: 'USER', id: userId, before: { role: user.role }, after: { role } });
    return updateRow(tx, 'users', user, { role, ...isOff, date_updated: context.clock.now() });
  });
}

/**
 * The actor as they are now: a process relies on what it has read for some seconds, in which someone who was removed from
 * the team could return to it.
 * @throws FORBIDDEN, NOT_FOUND
 */
async function requireManager(tx: Tx, { board, actor }: ActorContext): Promise<UserRow> {
  const now = await findUserById(tx, board.id, actor.id);
  if (!now) throw notFound('User');
  requireRight(now, 'team.manage');
  return now;
}

/** @throws CONFLICT when the person is the only owner of their board, whose row the caller has locked */
export async function requireAnotherOwner(tx: Tx, user: UserRow): Promise<void> {
  if (await hasAnotherOwner(tx, user)) return;
  throw conflict(msg('teamNeedsOwner'));
}

async function hasAnotherOwner(reader: Reader, { board_id, id }: UserRow): Promise<boolean> {
  const query = reader.selectFrom('users').select('id').where('board_id', '=', board_id).where('role', '=', 'OWNER');
  return (await query.where('id', '<>', id).limit(1).executeTakeFirst()) !== undefined;
}
