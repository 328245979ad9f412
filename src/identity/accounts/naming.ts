import type { Db } from '../../platform/db/db.ts';

/** Renames an account and its users on boards. */
export async function renameAccount(db: Db, accountId: string, name: string, now: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.updateTable('accounts').set({ name, date_updated: now }).where('id', '=', accountId).execute();
    await tx
      .updateTable('users')
      .set({ name, name_folded: name.toLowerCase(), date_updated: now })
      .where('account_id', '=', accountId)
      .execute();
  });
}
