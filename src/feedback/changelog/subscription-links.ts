import { badRequest, notFound } from '../../platform/errors.ts';
import { type Cipher, DecryptionError } from '../../platform/lib/cipher.ts';
import { HOUR_MS } from '../../platform/lib/clock.ts';
import { msg } from '../../platform/messages.ts';
import type { Subscription } from './subscribers.ts';

/** How long a subscription can be confirmed. Until then it is nowhere but in the link. */
export const CONFIRM_HOURS = 24;

/** What tokens are encrypted for. */
const PLACES = { confirm: 'link to confirm the changelog by mail', end: 'link to end the changelog by mail' } as const;

/** A subscription to confirm. */
export type Unconfirmed = Subscription & { boardId: string };

/** Where a subscription is confirmed: a page that changes nothing until its button is pressed. */
export function confirmUrl(cipher: Cipher, baseUrl: string, subscription: Unconfirmed, now: number): string {
  const { boardId, address, labels, locale } = subscription;
  const text = JSON.stringify([boardId, address, labels, locale, now + CONFIRM_HOURS * HOUR_MS]);
  return `${baseUrl}/email/confirm/${cipher.encrypt(text, PLACES.confirm)}`;
}

/** @throws NOT_FOUND if it is not one of our own, BAD_REQUEST if it has expired */
export function readConfirmToken(cipher: Cipher, token: string, now: number): Unconfirmed {
  const [boardId, address, labels, locale, dateExpires] = read(cipher, token, 'confirm');
  if (now > dateExpires) throw badRequest(msg('changelogLinkExpired'));
  return { boardId, address, labels, locale };
}

/** Where one subscription is ended, without signing in: such a page, too, which also takes the POST of RFC 8058. */
export function endUrl(cipher: Cipher, baseUrl: string, boardId: string, address: string): string {
  return `${baseUrl}/email/end/${cipher.encrypt(JSON.stringify([boardId, address]), PLACES.end)}`;
}

/** @throws NOT_FOUND if it is not one of our own */
export function readEndToken(cipher: Cipher, token: string): { boardId: string; address: string } {
  const [boardId, address] = read(cipher, token, 'end');
  return { boardId, address };
}

function read(cipher: Cipher, token: string, place: keyof typeof PLACES) {
  try {
    return JSON.parse(cipher.decrypt(token, PLACES[place]));
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
    throw notFound('Link');
  }
}
