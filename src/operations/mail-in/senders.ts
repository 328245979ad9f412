import { hasApproved } from '../../feedback/approval/approval.ts';
import type { Doubt } from '../../feedback/visibility/posts.ts';
import { findAccountByEmail, nameFor } from '../../identity/accounts/input.ts';
import { isBlocked } from '../../identity/users/authority.ts';
import { BY_MAIL, mayBegin, mayEnter } from '../../identity/users/entry.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import { createUser, findUserByEmail, type UserRow } from '../../identity/users/users.ts';
import { updateRow } from '../../platform/db/rows.ts';
import { requireMailAddress } from '../../platform/texts/email.ts';
import type { Message } from './message.ts';
import { refused } from './outcome.ts';
import type { Recipient } from './recipients.ts';

/** Who a mail counts as written by, and why the team must look at it first; null if it must not. */
export type Author = { user: UserRow; doubt: Doubt | null };

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
  const known = (await findUserByEmail(db.read, board.id, address)) ?? null;
  if (isBlocked(known)) throw refused('its sender may not write on this board');
  const isByMail = known?.sso_type === BY_MAIL;
  if (!mayBegin(board)) {
    const account = known?.account_id ? await findAccountByEmail(db, address) : null;
    const isMember = known !== null && !isByMail && mayEnter(board, { user: known, account });
    if (!isMember || !isProven) throw refused('its sender may not write on this board');
  }
  if (known) {
    const isKnown = !isByMail || (await hasApproved(db.read, board.id, known.id));
    return { user: known, doubt: !isProven ? 'UNPROVEN' : isKnown ? null : 'UNKNOWN' };
  }
  if (recipient.kind === 'reply') throw refused('its sender is no longer a user of this board');
  const email = requireMailAddress(address);
  // A name with an address in it would be read as from there.
  const profile = { name: nameFor(email, name.includes('@') ? '' : name), email };
  const user = await createUser(context, { ssoType: BY_MAIL, ssoId: email }, profile);
  if (isProven) return { user, doubt: 'UNKNOWN' };
  return { user: await withoutMails(context, user), doubt: 'UNPROVEN' };
}

/** A user whom someone may have named in a mail, and who is sent none until they sign in and choose it. */
function withoutMails({ db }: RequestContext, user: UserRow): Promise<UserRow> {
  return db.transaction((tx) => updateRow(tx, 'users', user, { mail_frequency: 'OFF' }));
}
