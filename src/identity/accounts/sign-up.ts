import { badRequest } from '../../platform/errors.ts';
import { makeCipher } from '../../platform/lib/cipher.ts';
import { MINUTE_MS } from '../../platform/lib/clock.ts';
import { msg } from '../../platform/messages.ts';
import { LINK_MINUTES } from './rules.ts';

/** What a token is encrypted for. */
const PLACE = 'link to sign up';

/**
 * The token of a link by which the owner of an address makes an account. It is kept nowhere: what it says is encrypted in
 * it, and once there is an account with the address it is of no use.
 */
export function makeSignUpToken(secretKey: string, email: string, now: number): string {
  return makeCipher(secretKey).encrypt(JSON.stringify({ email, dateExpires: now + LINK_MINUTES * MINUTE_MS }), PLACE);
}

/** The address that a token was made for. @throws BAD_REQUEST when it is too old or none of ours */
export function readSignUpToken(secretKey: string, token: string, now: number): string {
  const { email, dateExpires } = open(secretKey, token);
  if (now < dateExpires) return email;
  throw useless();
}

function open(secretKey: string, token: string): { email: string; dateExpires: number } {
  try {
    return JSON.parse(makeCipher(secretKey).decrypt(token, PLACE));
  } catch {
    throw useless();
  }
}

function useless() {
  return badRequest(msg`This link has expired or was copied incompletely: request a new one`, 'token');
}
