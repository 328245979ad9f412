import { hasApproved } from '../../feedback/approval/approval.ts';
import { findAccountByEmail, nameFor } from '../../identity/accounts/input.ts';
import { isBlocked } from '../../identity/users/authority.ts';
import { mayBegin, mayEnter } from '../../identity/users/entry.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import { createUser, findUserByEmail, type UserRow } from '../../identity/users/users.ts';
import { requireMailAddress } from '../../platform/texts/email.ts';
import type { Message } from './message.ts';
import { refused } from './outcome.ts';
import type { Recipient } from './recipients.ts';

/** Who a mail counts as written by, and whether the team must look at it first. */
export type Author = { user: UserRow; isUncertain: boolean };

/** The single sign-on type of users who are known by their mails alone; the rest of their identity is the address. */
const BY_MAIL = 'earshot-mail';

/**
 * The user who wrote a mail. One who is not known yet becomes a user without an account: nothing is confirmed by that, and
 * signing in later needs the mailbox.
 * @throws MailRefusal if the board does not take mail of this sender
 */
export async function findAuthor(
  context: RequestContext,
  { address, name }: Message['from'],
  recipient: Recipient,
  isProven: boolean,
): Promise<Author> {
  const { db, board } = context;
  if (recipient.kind === 'reply' && recipient.mail.recipient.toLowerCase() !== address) {
    throw refused('answers must come from the address that the mail went to');
  }
  const user = (await findUserByEmail(db.read, board.id, address)) ?? null;
  if (isBlocked(user)) throw refused('its sender may not write on this board');
  const isByMail = user?.sso_type === BY_MAIL;
  if (!mayBegin(board)) {
    const account = user?.account_id ? await findAccountByEmail(db, address) : null;
    const isMember = user !== null && !isByMail && mayEnter(board, { user, account });
    if (!isMember || !isProven) throw refused('its sender may not write on this board');
  }
  if (user) {
    const isKnown = !isByMail || (await hasApproved(db.read, board.id, user.id));
    return { user, isUncertain: !isProven || !isKnown };
  }
  if (recipient.kind === 'reply') throw refused('its sender is no longer a user of this board');
  const email = requireMailAddress(address);
  const profile = { name: nameFor(email, name), email };
  return { user: await createUser(context, { ssoType: BY_MAIL, ssoId: email }, profile), isUncertain: true };
}
