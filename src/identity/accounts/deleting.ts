import type { Tx } from '../../platform/db/db.ts';
import { endAllLinks } from './links.ts';
import type { AccountRow } from './tables.ts';

/** Whether an account has users on other boards than this one. */
export async function isElsewhere(tx: Tx, accountId: string, boardId: string): Promise<boolean> {
  const query = tx.selectFrom('users').select('id').where('account_id', '=', accountId);
  return (await query.where('board_id', '<>', boardId).limit(1).executeTakeFirst()) !== undefined;
}

/** Removes an account with everything that can sign in to it. Its users on boards must be gone before. */
export async function deleteAccount(tx: Tx, { id, email }: Pick<AccountRow, 'id' | 'email'>): Promise<void> {
  for (const table of ['sessions', 'credentials', 'second_factors', 'passkeys'] as const) {
    await tx.deleteFrom(table).where('account_id', '=', id).execute();
  }
  await endAllLinks(tx, { id, email });
  await tx.deleteFrom('accounts').where('id', '=', id).execute();
}
