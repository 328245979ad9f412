import { sql } from 'kysely';
import type { Tx } from '../../platform/db/db.ts';
import type { AccountRow } from './tables.ts';

/**
 * Removes an account with everything that can sign in to it, because its user on a board is erased. An account belongs
 * to the server: one that also signs in to other boards stays, and no board can remove it.
 * @returns the account as it was; null when there is none
 */
export async function deleteAccount(tx: Tx, id: string, boardId: string): Promise<AccountRow | null> {
  const account = await tx.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
  const { rows } = await sql`
    select 1 from users where account_id = ${id} and board_id <> ${boardId} limit 1`.execute(tx);
  if (!account || rows.length > 0) return account ?? null;
  for (const table of ['sessions', 'credentials', 'second_factors'] as const) {
    await tx.deleteFrom(table).where('account_id', '=', id).execute();
  }
  // Links in transit name the account by its id or, within JSON, by its address.
  const named = [id, account.email].map((text) => `%${text.replace(/[\\%_]/g, '\\$&')}%`);
  await sql`delete from verifications
    where value like ${named[0]} escape '\\' or value like ${named[1]} escape '\\'`.execute(tx);
  await tx.deleteFrom('accounts').where('id', '=', id).execute();
  return account;
}
