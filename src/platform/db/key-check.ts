import { makeCipher } from '../lib/cipher.ts';
import { type KeySource, readSecretKey, requireSecretKey } from '../lib/secret-key.ts';
import type { Db, Reader } from './db.ts';

declare module './db.ts' {
  interface Tables {
    /** One row: a known text, encrypted with the key of the store. */
    key_check: { name: string; sealed: string };
  }
}

/** An encrypted text of the store, and its associated data. */
export type Encrypted = { encrypted: string; place: string };

const NAME = 'store';
const PLACE = 'key_check.store';

/**
 * The key that encrypts the secrets of this store. A new store gets one; for an existing store, the key is verified to
 * be the same. A store from before this check is verified by another secret that it has encrypted.
 * @param listOthers returns some other encrypted values of the store
 * @throws if the key is a different one or missing, naming what to restore
 */
export async function requireStoreKey(
  db: Db,
  source: KeySource,
  listOthers: (reader: Reader) => Promise<readonly Encrypted[]>,
): Promise<string> {
  const kept = await readCheck(db.read);
  const known = kept ? [kept] : await listOthers(db.read);
  const isMissing = known.length > 0 && source.secretKey === null && readSecretKey(source) === null;
  if (isMissing) throw new Error(describeMissing(source));
  const key = requireSecretKey(source);
  if (known.length > 0 && !known.some((each) => canDecrypt(key, each))) throw new Error(describeWrong(source));
  if (kept) return key;
  const encrypted = makeCipher(key).encrypt(NAME, PLACE);
  await db.transaction(async (tx) => {
    const row = tx.insertInto('key_check').values({ name: NAME, sealed: encrypted });
    await row.onConflict((on) => on.column('name').doNothing()).execute();
  });
  // If two processes have different keys, one was first.
  return requireStoreKey(db, source, listOthers);
}

/** Makes the current key the store's, if the previous one is permanently lost: what that encrypted stays unreadable. */
export async function replaceStoreKey(db: Db, source: KeySource): Promise<void> {
  const encrypted = makeCipher(requireSecretKey(source)).encrypt(NAME, PLACE);
  await db.transaction(async (tx) => {
    await tx.deleteFrom('key_check').execute();
    await tx.insertInto('key_check').values({ name: NAME, sealed: encrypted }).execute();
  });
}

/** The text by which the key of the store is known. @throws DecryptionError if the key is a different one */
export function decryptCheck(key: string, { sealed }: { sealed: string }): string {
  return makeCipher(key).decrypt(sealed, PLACE);
}

async function readCheck(reader: Reader): Promise<Encrypted | null> {
  const row = await reader.selectFrom('key_check').select('sealed').where('name', '=', NAME).executeTakeFirst();
  return row ? { encrypted: row.sealed, place: PLACE } : null;
}

function canDecrypt(key: string, { encrypted, place }: Encrypted): boolean {
  try {
    makeCipher(key).decrypt(encrypted, place);
    return true;
  } catch {
    return false;
  }
}

const LOST = 'If it is permanently lost, see "A lost key" in docs/self-hosting.md.';

function describeMissing({ dataDir }: KeySource): string {
  return `${dataDir}/secret.key is missing. It encrypted the secrets of this store: restore it from your backup, or set SECRET_KEY to its content. ${LOST}`;
}

function describeWrong({ secretKey, dataDir }: KeySource): string {
  const wrong = secretKey === null ? `The key in ${dataDir}/secret.key` : 'SECRET_KEY';
  const remedy = secretKey === null ? 'put back the previous file' : 'set it to the previous value';
  return `${wrong} is not the key that encrypted the secrets of this store: ${remedy}. ${LOST}`;
}
