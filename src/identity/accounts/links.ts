import { type SqlBool, sql } from 'kysely';
import type { Tx } from '../../platform/db/db.ts';

/**
 * Makes useless what is on its way for an account: links to choose a password or another address with, and sign-ins that
 * wait for their second factor. They may have been requested by someone who knew the former password or had the former mailbox.
 */
export function endLinks(tx: Tx, accountId: string): Promise<unknown> {
  return deleteVerificationsWith(tx, accountId);
}

/** Makes useless what is on its way for an account that is deleted, the links to sign in as well, which name its address in JSON. */
export async function endAllLinks(tx: Tx, { id, email }: { id: string; email: string }): Promise<void> {
  await deleteVerificationsWith(tx, id);
  await deleteVerificationsWith(tx, JSON.stringify(email));
}

function deleteVerificationsWith(tx: Tx, text: string): Promise<unknown> {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return tx.deleteFrom('verifications').where(sql<SqlBool>`value like ${pattern} escape '\\'`).execute();
}
