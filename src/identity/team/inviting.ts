import type { Tx } from '../../platform/db/db.ts';
import { badRequest, conflict } from '../../platform/errors.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import { MINUTE_MS } from '../../platform/lib/clock.ts';
import { countAttemptIn } from '../../platform/limits/throttle.ts';
import { type Letter, writeLetter } from '../../platform/mail/letter.ts';
import { queueMail } from '../../platform/mail/mails.ts';
import { type LocalizedMessage, msg } from '../../platform/messages.ts';
import { mailboxOf } from '../../platform/texts/email.ts';
import { requireEmail } from '../accounts/input.ts';
import { lockBoard } from '../board/board.ts';
import { requireRank, requireRight } from '../users/authority.ts';
import { mailBrandOf } from '../users/mail-brand.ts';
import type { ActorContext, RequestContext } from '../users/request-context.ts';
import type { Role } from '../users/users.ts';
import { INVITATION_MS, type InvitationRow, insertInvitation, listInvitations, SETUP_LINK_MS } from './invitations.ts';

/** Maximum number of addresses in one call, and of pending invitations of a board. */
export const MAX_INVITED = 20;
export const MAX_INVITATIONS = 100;

/** Invites a person by mail: to the team, or as a member to a board that not everyone may see. */
export function inviteByMail(context: ActorContext, cipher: Cipher, email: string, role: Role): Promise<void> {
  requireInviter(context, role);
  return inviteAll(context, cipher, [requireEmail(email)], role);
}

/** Invites several people to the team by mail: all of them, or none if an address is invalid. */
export function inviteManyByMail(
  context: ActorContext,
  cipher: Cipher,
  emails: readonly string[],
  role: Role,
): Promise<void> {
  requireInviter(context, role);
  if (role === 'MEMBER') throw badRequest(msg('teamRoleInvalid'), 'type');
  if (emails.length < 1 || emails.length > MAX_INVITED) {
    throw badRequest(msg('teamInvitedCountWrong', MAX_INVITED, emails.length), 'emails');
  }
  return inviteAll(context, cipher, [...new Set(emails.map((email) => requireEmail(email, 'emails')))], role);
}

function requireInviter(context: ActorContext, role: Role): void {
  requireRight(context.actor, 'team.manage');
  requireRank(context.actor, role);
}

function inviteAll(context: ActorContext, cipher: Cipher, recipients: readonly string[], role: Role): Promise<void> {
  const { actor, board, clock, db } = context;
  const by = actor.name ?? msg('teamAnAdmin');
  const words =
    role === 'MEMBER'
      ? msg('teamOwnerInvitedBy', by, board.name, roleWord(role))
      : msg('teamInvitedBy', by, board.name, roleWord(role));
  return db.transaction(async (tx) => {
    // If two users invite at once, the second must count what the first has added.
    await lockBoard(tx, board.id);
    const open = await listInvitations(context, tx);
    for (const { email, role } of open) {
      // The new one would replace it.
      if (email !== null && recipients.includes(email)) requireRank(actor, role);
    }
    const isFresh = (email: string) => !open.some((one) => isRepeat(one, email, role, clock.now()));
    const invited = recipients.filter(isFresh);
    const all = new Set([...open.map((one) => one.email), ...invited]);
    if (all.size > MAX_INVITATIONS) {
      throw conflict(msg('teamTooManyInvitations', MAX_INVITATIONS));
    }
    for (const recipient of invited) {
      await countAttemptIn(tx, clock, 'invitations of', board.id);
      await countAttemptIn(tx, clock, 'team mail to', mailboxOf(recipient));
      await invite(tx, context, cipher, { recipient, role, invitedBy: actor.id, words });
    }
  });
}

/** A second click must not send a second mail, which would invalidate the link of the first. */
function isRepeat(open: InvitationRow, email: string, role: Role, now: number): boolean {
  return open.email === email && open.role === role && open.date_created > now - MINUTE_MS;
}

/** Invites an owner by mail, on behalf of the operator. @returns the link, to show it as well */
export function inviteOwner(context: RequestContext, cipher: Cipher, email: string): Promise<string> {
  const words = msg('teamOwnerInvited', context.board.name, roleWord('OWNER'));
  const invitation = { recipient: requireEmail(email), role: 'OWNER' as const, invitedBy: null, words };
  return context.db.transaction((tx) => invite(tx, context, cipher, invitation));
}

/** Creates the link by which the first owner sets up the board. It is shown where the server was started. */
export async function makeSetupLink(context: RequestContext): Promise<string> {
  const invitation = { email: null, role: 'OWNER' as const, invitedBy: null, lastsMs: SETUP_LINK_MS };
  return linkOf(context, await context.db.transaction((tx) => insertInvitation(tx, context, invitation)));
}

function roleWord(role: Role): LocalizedMessage {
  if (role === 'MEMBER') return msg('member');
  if (role === 'MODERATOR') return msg('moderator');
  return role === 'ADMIN' ? msg('admin') : msg('owner');
}

type Invitation = { recipient: string; role: Role; invitedBy: string | null; words: LocalizedMessage };

async function invite(tx: Tx, context: RequestContext, cipher: Cipher, invitation: Invitation): Promise<string> {
  const { recipient, role, invitedBy, words } = invitation;
  const { board, clock } = context;
  const token = await insertInvitation(tx, context, { email: recipient, role, invitedBy, lastsMs: INVITATION_MS });
  const link = linkOf(context, token);
  const letter: Letter = {
    recipient,
    subject: msg('teamInvitation', board.name),
    parts: [
      { kind: 'text', text: msg('mailHello') },
      { kind: 'text', text: words },
      { kind: 'button', label: msg('teamAcceptInvitation'), url: link },
      { kind: 'small', text: msg('teamLinkWorksOnce') },
    ],
  };
  const mail = writeLetter(letter, { brand: mailBrandOf(board, context.baseUrl), language: board.locale });
  // Anyone can own a sandbox, so it must not send mail to others.
  if (board.sandbox_visitor === null)
    await queueMail(tx, cipher, { ...mail, boardId: board.id, namedId: invitedBy }, clock.now());
  return link;
}

function linkOf({ baseUrl }: RequestContext, token: string): string {
  return `${baseUrl}/join/${token}`;
}
