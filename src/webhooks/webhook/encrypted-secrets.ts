import type { Reader } from '../../platform/db/db.ts';
import type { Encrypted } from '../../platform/db/key-check.ts';
import { placeOf, secretColumns } from './webhooks.ts';

/** Some of the encrypted secrets in the store, the newest webhooks' first: the right key decrypts them. */
export async function listEncryptedSecrets(reader: Reader): Promise<Encrypted[]> {
  const rows = await reader
    .selectFrom('webhooks')
    .select(['id', ...secretColumns])
    .where((e) => e.or(secretColumns.map((column) => e(column, 'is not', null))))
    .orderBy('id', 'desc')
    .limit(20)
    .execute();
  return rows.flatMap((row) =>
    secretColumns.flatMap((column) => {
      const encrypted = row[column];
      return encrypted === null ? [] : [{ encrypted, place: placeOf(row.id, column) }];
    }),
  );
}
