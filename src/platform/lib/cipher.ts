import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomFillSync } from 'node:crypto';

/** Encrypts secrets in the store, so that someone who has only the store cannot read them. */
export type Cipher = {
  /** @param place where the text is stored, for example table, column and row: it decrypts nowhere else */
  encrypt(text: string, place: string): string;
  /** @throws DecryptionError if the text was encrypted with a different key or for a different place, or was changed */
  decrypt(encrypted: string, place: string): string;
  /**
   * Names a text in 64 hexadecimal digits: always the same ones, which no one can guess without the key.
   * @param purpose what the name is for: the same text has another name there
   */
  name(text: string, purpose: string): string;
};

export class DecryptionError extends Error {}

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Prefix of every encrypted text: the version of its format. */
const FORM = 'v1.';

/** A cipher from a key of any length; both are long random texts, so nothing slower than HKDF is needed. */
export function makeCipher(secretKey: string): Cipher {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'earshot stored secrets', 32));
  const takeIv = makeIvs();
  const keyOfNames = Buffer.from(hkdfSync('sha256', secretKey, '', 'earshot names', 32));
  return {
    name: (text, purpose) =>
      createHmac('sha256', keyOfNames)
        .update(JSON.stringify([purpose, text]))
        .digest('hex'),
    encrypt(text, place) {
      const iv = takeIv();
      const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(place));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return FORM + Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
    },
    decrypt(encrypted, place) {
      const bytes = Buffer.from(encrypted.slice(FORM.length), 'base64url');
      const iv = bytes.subarray(0, IV_BYTES);
      const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
      try {
        if (!encrypted.startsWith(FORM)) throw new Error(`The form is not ${FORM}`);
        const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
        return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
      } catch (cause) {
        throw new DecryptionError('A stored secret cannot be decrypted: SECRET_KEY is not the one that encrypted it', {
          cause,
        });
      }
    },
  };
}

/** Gives random IVs out of a stock: one at a time, they would take a third of the time of an encryption. */
function makeIvs(): () => Buffer {
  const stock = Buffer.alloc(256 * IV_BYTES);
  let next = stock.length;
  return () => {
    if (next === stock.length) {
      randomFillSync(stock);
      next = 0;
    }
    next += IV_BYTES;
    return stock.subarray(next - IV_BYTES, next);
  };
}
