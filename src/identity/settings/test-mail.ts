import { conflict } from '../../platform/errors.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import { countAttemptIn } from '../../platform/limits/throttle.ts';
import { type Letter, writeLetter } from '../../platform/mail/letter.ts';
import { decryptBody, leaseNewMail, recordAttempt } from '../../platform/mail/mails.ts';
import type { MailTransport } from '../../platform/mail/transport.ts';
import { msg } from '../../platform/messages.ts';
import { mailboxOf } from '../../platform/texts/email.ts';
import { requireRight } from '../users/authority.ts';
import { mailBrandOf } from '../users/mail-brand.ts';
import type { ActorContext } from '../users/request-context.ts';

/**
 * Sends a mail immediately, and only once, to test whether mail works; it is listed like any other.
 * @param recipient null if the actor has no address
 * @returns why it could not be sent; null if it was
 * @throws FORBIDDEN, CONFLICT, RATE_LIMIT_EXCEEDED
 */
export async function sendTestMail(
  context: ActorContext,
  cipher: Cipher,
  transport: MailTransport,
  recipient: string | null,
): Promise<string | null> {
  const { db, clock, board, actor } = context;
  requireRight(actor, 'board.edit');
  if (recipient === null) throw conflict(msg('boardTestMailNoAddress'));
  const letter: Letter = {
    recipient,
    subject: msg('boardTestMail', board.name),
    parts: [{ kind: 'text', text: msg('boardTestMailBody', board.name) }],
  };
  const language = actor.locale ?? board.locale;
  const written = writeLetter(letter, { brand: mailBrandOf(board, context.baseUrl), language });
  const mail = await db.transaction(async (tx) => {
    await countAttemptIn(tx, clock, 'team mail to', mailboxOf(recipient));
    return leaseNewMail(tx, cipher, { boardId: board.id, ...written }, clock.now());
  });
  const error = await transport.send({ ...mail, body: decryptBody(cipher, mail) }).then(
    () => null,
    (failure: Error) => failure,
  );
  await recordAttempt(db, mail, error, clock.now(), false);
  return error?.message ?? null;
}
