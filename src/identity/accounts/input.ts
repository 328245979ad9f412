import type { Db } from '../../platform/db/db.ts';
import { badRequest } from '../../platform/errors.ts';
import { msg } from '../../platform/messages.ts';
import { findableAddress, isAddressLike, requireMailAddress } from '../../platform/texts/email.ts';
import { fitLine } from '../../platform/texts/text.ts';
import { PASSWORD } from './rules.ts';
import type { AccountRow } from './tables.ts';

/** The account with this address. */
export async function findAccountByEmail({ read }: Pick<Db, 'read'>, email: string): Promise<AccountRow | null> {
  const address = findableAddress(email);
  if (!address) return null;
  const query = read.selectFrom('accounts').selectAll().where('email', '=', address);
  return (await query.executeTakeFirst()) ?? null;
}

/** Records that the account with this address has access to its mailbox. */
export async function markProven(db: Db, email: string): Promise<void> {
  await db.transaction((tx) =>
    tx.updateTable('accounts').set({ is_email_verified: 1 }).where('email', '=', email).execute(),
  );
}

/** better-auth accepts no other addresses, and would not report that: a requested link would not be mailed. */
const SIGNS_IN = /^[a-z0-9_'+.-]*[a-z0-9_+-]@(?:[a-z0-9-]+\.)+[a-z]+$/;

/** Whether an account can have this address, as it is. */
export function isAccountAddress(address: string): boolean {
  return SIGNS_IN.test(address) && findableAddress(address) === address;
}

/**
 * The name of a new account: the given one as far as it can be stored, or `Lina` for lina.haddad@example.com. Names are
 * public, so an address is none.
 */
export function nameFor(email: string, given: string): string {
  const [word = ''] = email.match(/^[a-z]+/) ?? email.split('@');
  const name = isAddressLike(given) ? '' : given;
  return fitLine(name, 100) || word.charAt(0).toUpperCase() + word.slice(1);
}

/** A valid address for an account. @throws BAD_REQUEST naming the field */
export function requireEmail(raw: string, field = 'email'): string {
  const address = requireMailAddress(raw, field);
  if (SIGNS_IN.test(address)) return address;
  throw badRequest(msg('textNotEmail', field), field);
}

/** @throws BAD_REQUEST when a text that confirms something is not the address of the account */
export function requireTyped({ email }: Pick<AccountRow, 'email'>, confirm: string): void {
  if (findableAddress(confirm) !== email) throw badRequest(msg('accountTypeEmail'), 'confirm');
}

/** @throws BAD_REQUEST */
export function requirePassword(password: string): string {
  const { min, max } = PASSWORD;
  if (password.length >= min && password.length <= max) return password;
  throw badRequest(msg('accountPasswordLength', min, max, password.length), 'password');
}
