import { type Cipher, DecryptionError } from '../../platform/lib/cipher.ts';
import { MINUTE_MS } from '../../platform/lib/clock.ts';
import { makeId } from '../../platform/lib/ids.ts';

/** The path and the header of what only those get an answer to who have the key of the store. */
export const REACH_PATH = '/api/v1/reach';
export const STREAM_PATH = `${REACH_PATH}/stream`;
export const TOKEN_HEADER = 'earshot-reach';

/** What a server with the same key answers, so that it is known to be this one. */
type Token = { nonce: string; isFresh: boolean };

/** How long a token can be used: all that a run of `doctor` takes. */
const TOKEN_MS = 5 * MINUTE_MS;
const PLACE = 'reach token';
/** Longer than any token. */
const MAX_TOKEN = 300;

/** Makes a token that proves that its sender has the key of the store. */
export function makeToken(cipher: Cipher, now: number): { token: string; nonce: string } {
  const nonce = makeId();
  return { token: cipher.encrypt(`${nonce} ${now}`, PLACE), nonce };
}

/** Reads a token, which is authenticated as a whole; null if it was not made with the key of this store. */
export function readToken(cipher: Cipher, token: unknown, now: number): Token | null {
  if (typeof token !== 'string' || token.length > MAX_TOKEN) return null;
  try {
    const [nonce = '', date] = cipher.decrypt(token, PLACE).split(' ');
    return { nonce, isFresh: Math.abs(now - Number(date)) < TOKEN_MS };
  } catch (error) {
    if (error instanceof DecryptionError) return null;
    throw error;
  }
}
