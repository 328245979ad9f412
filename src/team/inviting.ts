import { requireEmail } from '../accounts/input.ts';
import type { BoardCall, Call } from '../call.ts';
import { MINUTE_MS } from '../lib/clock.ts';
import { queueMail } from '../mail/mails.ts';
import { requireRight } from '../users/authority.ts';
import type { Role } from '../users/users.ts';
import { INVITATION_MS, insertInvitation, listInvitations, SETUP_LINK_MS } from './invitations.ts';
import { requireRank } from './members.ts';

/** Invites somebody to the team by mail. */
export async function inviteByMail(call: Call, email: string, role: Role): Promise<void> {
  requireRight(call.actor, 'team.manage');
  requireRank(call.actor, role);
  const recipient = requireEmail(email);
  if (await wasJustInvited(call, recipient, role)) return;
  const inviter = call.actor.name ?? 'Somebody';
  await invite(call, { recipient, role, invitedBy: call.actor.id, words: `${inviter} invites you to the team` });
}

/** A second click must not send a second mail, with which the link of the first would be over. */
async function wasJustInvited(call: Call, email: string, role: Role): Promise<boolean> {
  const since = call.clock.now() - MINUTE_MS;
  const open = await listInvitations(call);
  return open.some((one) => one.email === email && one.role === role && one.date_created > since);
}

/** Invites an owner by mail, on behalf of whoever runs the server. @returns the link, to show it as well */
export function inviteOwner(call: BoardCall, email: string): Promise<string> {
  const words = 'You are to be an owner';
  return invite(call, { recipient: requireEmail(email), role: 'OWNER', invitedBy: null, words });
}

/** Makes the link by which the first owner sets the board up. It is shown where the server was started. */
export async function makeSetupLink(call: BoardCall): Promise<string> {
  const invitation = { email: null, role: 'OWNER' as const, invitedBy: null, lastsMs: SETUP_LINK_MS };
  return linkOf(call, await call.db.transaction((tx) => insertInvitation(tx, call, invitation)));
}

type Invitation = { recipient: string; role: Role; invitedBy: string | null; words: string };

function invite(call: BoardCall, { recipient, role, invitedBy, words }: Invitation): Promise<string> {
  const { board, clock, db } = call;
  return db.transaction(async (tx) => {
    const token = await insertInvitation(tx, call, { email: recipient, role, invitedBy, lastsMs: INVITATION_MS });
    const link = linkOf(call, token);
    const lines = [
      'Hello,',
      '',
      `${words} of the feedback board ${board.name}, as ${role.toLowerCase()}. Accept with this link:`,
      '',
      link,
      '',
      'It works once, within 7 days. If you do not know what this is about, leave it.',
    ];
    const mail = { boardId: board.id, recipient, subject: `Your invitation to ${board.name}`, body: lines.join('\n') };
    await queueMail(tx, mail, clock.now());
    return link;
  });
}

function linkOf({ baseUrl }: BoardCall, token: string): string {
  return `${baseUrl}/join/${token}`;
}
