import type { Db } from '../db/db.ts';
import { badRequest } from '../errors.ts';
import { say } from '../lib/say.ts';
import { findableText, requireText } from '../lib/text.ts';
import { PASSWORD } from './rules.ts';
import type { AccountRow } from './tables.ts';

/** The account with this address. */
export async function findAccountByEmail({ read }: Pick<Db, 'read'>, email: string): Promise<AccountRow | null> {
  const address = findableText(email)?.toLowerCase();
  if (!address) return null;
  const query = read.selectFrom('accounts').selectAll().where('email', '=', address);
  return (await query.executeTakeFirst()) ?? null;
}

/** An address that mail can go to, in lower case. @throws BAD_REQUEST naming the field that it came in */
export function requireEmail(raw: string, field = 'email'): string {
  const email = requireText(raw, { field, min: 3, max: 254 }).toLowerCase();
  if (!/^[^\s@<>"',;:\\()[\]]+@[^\s@<>"',;:\\()[\]]+\.[^\s@.]+$/.test(email)) {
    throw badRequest(say`${field} must look like name@example.com`, field);
  }
  return email;
}

/** @throws BAD_REQUEST */
export function requirePassword(password: string): string {
  const { min, max } = PASSWORD;
  if (password.length >= min && password.length <= max) return password;
  throw badRequest(say`password must have ${min} to ${max} characters; it has ${password.length}`, 'password');
}
