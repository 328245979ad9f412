import { hash } from 'node:crypto';
import type { Db, Tx } from '../../platform/db/db.ts';
import { badRequest } from '../../platform/errors.ts';
import { type Clock, MINUTE_MS } from '../../platform/lib/clock.ts';
import { makeId, makeToken } from '../../platform/lib/ids.ts';
import type { Letter, LetterPart } from '../../platform/mail/letter.ts';
import { type LocalizedMessage, msg } from '../../platform/messages.ts';
import { findAccountByEmail } from './input.ts';
import { endLinks } from './links.ts';
import { IGNORE, linkTo, ONCE, type SendMail } from './mails.ts';
import { LINK_MINUTES } from './rules.ts';
import type { AccountRow } from './tables.ts';

type ChangeDeps = { db: Db; clock: Clock; baseUrl: string; sendMail: SendMail };
/** What a link stands for: which account's address changes to which other. */
type Change = { accountId: string; from: string; to: string };

const TOKEN_BYTES = 32;

/**
 * Mails a link to a new address, which becomes that of the account when the link is used, and a notice to the old one.
 * An address of another account gets no mail, which the caller cannot detect.
 * @param next the path that the link continues at
 */
export async function requestEmailChange(
  deps: ChangeDeps,
  account: AccountRow,
  to: string,
  next: string | null,
): Promise<void> {
  const { db, clock, baseUrl, sendMail } = deps;
  if ((await findAccountByEmail(db, to)) === null) {
    const token = await keepChange(db, clock, { accountId: account.id, from: account.email, to });
    const words = msg('accountConfirmNewAddress');
    await sendMail(
      linkMail(account, to, words, linkTo(`${baseUrl}/change-email/${token}`, next)),
      account.id,
      'address',
    );
  }
  await sendMail(noticeMail(account, to), account.id, 'address');
}

/** Mails a link to the address of an account by which its owner confirms that it is theirs. */
export async function requestConfirmation(deps: ChangeDeps, account: AccountRow, next: string | null): Promise<void> {
  const { db, clock, baseUrl, sendMail } = deps;
  const { id, email } = account;
  const token = await keepChange(db, clock, { accountId: id, from: email, to: email });
  const words = msg('accountConfirmEntered');
  await sendMail(linkMail(account, email, words, linkTo(`${baseUrl}/change-email/${token}`, next)), id, 'address');
}

/** Records what a link stands for. @returns its token */
async function keepChange(db: Db, clock: Clock, change: Change): Promise<string> {
  const token = makeToken(TOKEN_BYTES);
  const now = clock.now();
  const dates = { date_created: now, date_updated: now, date_expires: now + LINK_MINUTES * MINUTE_MS };
  const values = { id: makeId(), identifier: identifierOf(token), value: JSON.stringify(change), ...dates };
  await db.transaction(async (tx) => {
    await tx.deleteFrom('verifications').where('date_expires', '<=', now).execute();
    await tx.insertInto('verifications').values(values).execute();
  });
  return token;
}

/**
 * Sets the new address of an account by the link, or confirms the current one, also for its users on boards. A link
 * works once.
 * @returns the users on boards whose address changed, and the account
 * @throws BAD_REQUEST
 */
export function confirmEmailChange({ db, clock }: Pick<ChangeDeps, 'db' | 'clock'>, token: string) {
  const now = clock.now();
  return db.transaction(async (tx) => {
    const { accountId, from, to } = await takeChange(tx, token, now);
    const taken = await tx.selectFrom('accounts').select('id').where('email', '=', to).executeTakeFirst();
    if (taken && taken.id !== accountId) throw badRequest(USELESS, 'token');
    const account = await tx
      .updateTable('accounts')
      .set({ email: to, is_email_verified: 1, date_updated: now })
      .where('id', '=', accountId)
      .where('email', '=', from)
      .returningAll()
      .executeTakeFirst();
    if (!account) throw badRequest(USELESS, 'token');
    if (to !== from) await endLinks(tx, accountId);
    const people = await tx
      .updateTable('users')
      .set({ email: to, date_updated: now })
      .where('account_id', '=', accountId)
      .where('email', '=', from)
      .returningAll()
      .execute();
    return { account, people };
  });
}

const USELESS = msg('accountLinkUsed');

async function takeChange(tx: Tx, token: string, now: number): Promise<Change> {
  const row = await tx
    .deleteFrom('verifications')
    .where('identifier', '=', identifierOf(token))
    .returningAll()
    .executeTakeFirst();
  if (!row || row.date_expires <= now) throw badRequest(USELESS, 'token');
  return JSON.parse(row.value);
}

/** Someone who reads the store must not be able to use links in transit. */
function identifierOf(token: string): string {
  return `email-change-${hash('sha256', token, 'base64url')}`;
}

function linkMail({ name }: AccountRow, to: string, words: LocalizedMessage, link: string): Letter {
  const parts: LetterPart[] = [
    { kind: 'text', text: msg('mailHelloName', name) },
    { kind: 'text', text: words },
    { kind: 'button', label: msg('accountConfirm'), url: link },
    ONCE,
    IGNORE,
  ];
  return { recipient: to, subject: msg('accountConfirmAddress'), parts };
}

function noticeMail({ name, email }: AccountRow, to: string): Letter {
  const parts: LetterPart[] = [
    { kind: 'text', text: msg('mailHelloName', name) },
    {
      kind: 'text',
      text: msg('accountAddressRequested', to),
    },
    { kind: 'text', text: msg('accountNotYou') },
  ];
  return { recipient: email, subject: msg('accountAddressChanges'), parts };
}
