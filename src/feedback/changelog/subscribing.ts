import { type BoardRow, boardUrl } from '../../identity/board/board.ts';
import { mailBrandOf } from '../../identity/users/mail-brand.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import { networkOf } from '../../platform/http/ip.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { countAttempt, countAttemptFrom, hasRoomIn } from '../../platform/limits/throttle.ts';
import { type Letter, writeLetter } from '../../platform/mail/letter.ts';
import { queueMail } from '../../platform/mail/mails.ts';
import { msg } from '../../platform/messages.ts';
import { mailboxOf, requireMailAddress } from '../../platform/texts/email.ts';
import type { Subscription } from './subscribers.ts';
import { CONFIRM_HOURS, confirmUrl } from './subscription-links.ts';

/** Who asks: the cipher of links, and where they are. */
type Asking = { cipher: Cipher; log: Logger; address: string };

/**
 * Mails a link by which the owner of an address subscribes to the changelog. What the caller learns is the same for
 * every address: whether it is subscribed, has bounced, or has been mailed too often.
 * @returns the address as it is stored
 * @throws BAD_REQUEST for an invalid address; RATE_LIMIT_EXCEEDED for the network of the caller
 */
export async function requestSubscription(
  { db, clock, board, baseUrl }: RequestContext,
  { cipher, log, address: caller }: Asking,
  wanted: Subscription,
): Promise<string> {
  const address = requireMailAddress(wanted.address);
  const [mailbox, network] = [mailboxOf(address), networkOf(caller)];
  await countAttempt(db, clock, 'from', network);
  await countAttemptFrom(db, clock, 'mail to', mailbox, network);
  const url = confirmUrl(cipher, baseUrl, { ...wanted, address, boardId: board.id }, clock.now());
  const look = { brand: mailBrandOf(board, baseUrl), language: wanted.locale };
  const mail = writeLetter(confirmationLetter(address, board, url, baseUrl), look);
  const isQueued = await db.transaction(async (tx) => {
    if (!(await hasRoomIn(tx, clock, 'changelog mails to', mailbox))) return false;
    await queueMail(tx, cipher, { ...mail, boardId: board.id }, clock.now());
    return true;
  });
  if (!isQueued) log.warn('A mail to confirm a subscription was not sent: too many were requested to its address');
  return address;
}

function confirmationLetter(recipient: string, board: BoardRow, url: string, baseUrl: string): Letter {
  return {
    recipient,
    subject: msg('changelogConfirm', board.name),
    parts: [
      { kind: 'text', text: msg('changelogConfirmHelp', `${boardUrl(board, baseUrl)}/changelog`) },
      { kind: 'button', label: msg('changelogConfirmSubscription'), url },
      { kind: 'small', text: msg('changelogLinkExpires', CONFIRM_HOURS) },
      { kind: 'small', text: msg('accountNotRequested') },
    ],
  };
}
