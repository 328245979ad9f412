import { hash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Reader, Tx } from '../../platform/db/db.ts';
import { AppError } from '../../platform/errors.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { isId, makeId, makeToken } from '../../platform/lib/ids.ts';
import { msg } from '../../platform/messages.ts';
import { lockBoard } from '../board/board.ts';
import { isWithinRank, may, requireRank, requireRight } from '../users/authority.ts';
import type { ActorContext, RequestContext } from '../users/request-context.ts';
import { findUserById, type Role, type UserRow } from '../users/users.ts';
import { joinTeam, type NewMember } from './members.ts';

type InvitationTable = {
  board_id: string;
  id: string;
  /** SHA-256 of the token; the token itself is only in the link. */
  hash: string;
  /** The invited address; null if only the link matters, as for the first owner. */
  email: string | null;
  role: Role;
  invited_by: string | null;
  date_created: number;
  date_expires: number;
  date_used: number | null;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    invitations: InvitationTable;
  }
}

export type InvitationRow = Selectable<InvitationTable>;

/** How long the link of the first owner can be used. */
export const SETUP_LINK_MS = DAY_MS;
/** How long a mailed link can be used. */
export const INVITATION_MS = 7 * DAY_MS;

export type NewInvitation = { email: string | null; role: Role; invitedBy: string | null; lastsMs: number };

/**
 * Records an invitation, which replaces an older one to the same person.
 * @returns the token for the link, which is not stored
 */
export async function insertInvitation(tx: Tx, context: RequestContext, input: NewInvitation): Promise<string> {
  const token = makeToken(32);
  const now = context.clock.now();
  const older = tx.deleteFrom('invitations').where('board_id', '=', context.board.id).where('date_used', 'is', null);
  await (input.email === null ? older.where('email', 'is', null) : older.where('email', '=', input.email)).execute();
  await tx
    .insertInto('invitations')
    .values({
      board_id: context.board.id,
      id: makeId(),
      hash: hashToken(token),
      email: input.email,
      role: input.role,
      invited_by: input.invitedBy,
      date_created: now,
      date_expires: now + input.lastsMs,
      date_used: null,
    })
    .execute();
  return token;
}

/**
 * The invitation of a link.
 * @throws NOT_FOUND; CONFLICT if it was used, has expired, was withdrawn, or its sender may no longer grant the role
 */
export async function requireInvitation(reader: Reader, token: string, now: number): Promise<InvitationRow> {
  const query = reader.selectFrom('invitations').selectAll().where('hash', '=', hashToken(token));
  const invitation = await query.executeTakeFirst();
  if (!invitation) throw new AppError('NOT_FOUND', msg('teamLinkInvalid'));
  if (invitation.date_used !== null) throw new AppError('CONFLICT', msg('teamLinkUsed'));
  if (invitation.date_expires <= now) throw new AppError('CONFLICT', msg('teamLinkExpired'));
  await requireInviter(reader, invitation);
  return invitation;
}

/**
 * An invitation is valid only while its sender may grant the role: otherwise, someone removed from the team could
 * return by their own invitation.
 */
async function requireInviter(reader: Reader, { board_id, invited_by, role }: InvitationRow): Promise<void> {
  if (invited_by === null) return; // sent by the operator
  const inviter = await findUserById(reader, board_id, invited_by);
  if (inviter && may(inviter, 'team.manage') && isWithinRank(inviter, role)) return;
  throw new AppError('CONFLICT', msg('teamInviterTooLow'));
}

/** Invitations of a board that can still be used, the latest first. */
export function listInvitations(
  { db, board, clock }: RequestContext,
  reader: Reader = db.read,
): Promise<InvitationRow[]> {
  const query = reader.selectFrom('invitations').selectAll().where('board_id', '=', board.id);
  const open = query.where('date_used', 'is', null).where('date_expires', '>', clock.now());
  return open.where('email', 'is not', null).orderBy('id', 'desc').execute();
}

/**
 * Withdraws an invitation. It is not an error if it no longer exists.
 * @returns whether there was one
 * @throws FORBIDDEN, also if it is to a role above the actor's own
 */
export async function withdrawInvitation({ db, board, actor }: ActorContext, id: string): Promise<boolean> {
  requireRight(actor, 'team.manage');
  if (!isId(id)) return false;
  return db.transaction(async (tx) => {
    const row = tx.deleteFrom('invitations').where('board_id', '=', board.id).where('id', '=', id);
    const withdrawn = await row.where('date_used', 'is', null).returning('role').executeTakeFirst();
    if (withdrawn) requireRank(actor, withdrawn.role);
    return withdrawn !== undefined;
  });
}

/** Adds an account to the team by its invitation, which is consumed. @param read as for `joinBoard` */
export function acceptInvitation(
  context: RequestContext,
  token: string,
  account: NewMember,
  read: string | null = null,
): Promise<UserRow> {
  const now = context.clock.now();
  return context.db.transaction(async (tx) => {
    // Changing the sender's role locks the board as well, so the invitation is used before that or not at all.
    await lockBoard(tx, context.board.id);
    const { id, role } = await requireInvitation(tx, token, now);
    const used = tx.updateTable('invitations').set({ date_used: now }).where('board_id', '=', context.board.id);
    const { numUpdatedRows } = await used.where('id', '=', id).where('date_used', 'is', null).executeTakeFirstOrThrow();
    if (numUpdatedRows !== 1n) throw new AppError('CONFLICT', msg('teamLinkUsed'));
    return joinTeam(tx, context, account, role, read);
  });
}

function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}
