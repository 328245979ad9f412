import { decryptSecondFactor } from '../../identity/accounts/auth.ts';
import { decryptSsoSecrets } from '../../identity/sso/settings.ts';
import type { Reader } from '../../platform/db/db.ts';
import { decryptCheck } from '../../platform/db/key-check.ts';
import { describeTables, keyOf, type TableShape, walkTable } from '../../platform/db/tables.ts';
import { type Cipher, makeCipher } from '../../platform/lib/cipher.ts';
import { decryptBody } from '../../platform/mail/mails.ts';
import { decryptSecrets } from '../../webhooks/webhook/webhooks.ts';
import { type ChatSettingsRow, decryptChatSecret } from '../chat-in/settings.ts';
import { decryptTracker, type TrackerRow } from '../trackers/trackers.ts';

type Decrypt = (row: never, cipher: Cipher, secretKey: string) => unknown;

/** The tables with encrypted values, and what throws if those of a row cannot be decrypted. */
const encryptedTables: Readonly<Record<string, Decrypt>> = {
  key_check: (row: Parameters<typeof decryptCheck>[1], _, secretKey) => decryptCheck(secretKey, row),
  webhooks: (row: Parameters<typeof decryptSecrets>[1], cipher) => decryptSecrets(cipher, row),
  sso_settings: (row: Parameters<typeof decryptSsoSecrets>[1], cipher) => decryptSsoSecrets(cipher, row),
  chat_settings: (row: ChatSettingsRow, cipher) => decryptChatSecret(cipher, row),
  trackers: (row: TrackerRow, cipher) => decryptTracker(row, cipher),
  mails: (row: Parameters<typeof decryptBody>[1], cipher) => decryptBody(cipher, row),
  second_factors: (row: { secret: string; backup_codes: string }, _, secretKey) =>
    Promise.all([row.secret, row.backup_codes].map((text) => decryptSecondFactor(secretKey, text))),
};

/** The rows with encrypted values that this key does not decrypt; without a key, all of them. */
export async function* findUnreadableSecrets(reader: Reader, secretKey: string | null): AsyncGenerator<string> {
  for (const table of await describeTables(reader)) {
    const decrypt = encryptedTables[table.name];
    if (decrypt) yield* findUnreadable(reader, table, decrypt, secretKey ?? '');
  }
}

async function* findUnreadable(
  reader: Reader,
  table: TableShape,
  decrypt: Decrypt,
  secretKey: string,
): AsyncGenerator<string> {
  const cipher = makeCipher(secretKey);
  for await (const rows of walkTable(reader, table)) {
    for (const row of rows) {
      try {
        await decrypt(row as never, cipher, secretKey);
      } catch {
        yield `${table.name} ${keyOf(table, row).at(-1)}`;
      }
    }
  }
}
