import { hash } from 'node:crypto';
import { conflict } from '../../platform/errors.ts';
import type { Context } from '../../platform/graphql/context.ts';
import { DecryptionError } from '../../platform/lib/cipher.ts';
import { MINUTE_MS } from '../../platform/lib/clock.ts';
import type { Effects } from '../graphql/dry-run.ts';

/** How long a code works: long enough to look at what would happen, and to decide. */
const CONFIRM_MINUTES = 10;

/** A call of a tool: all that a code is made for, besides who calls. */
export type Confirmed = { tool: string; args: object; effects: Effects };

type Confirming = Pick<Context, 'board' | 'key' | 'actor' | 'cipher' | 'clock'>;

/**
 * A code with which the same key and user may carry out what a dry run has shown, in the next minutes. Nothing is stored:
 * the code is the encrypted time at which it expires, and decrypts only for what it was made for.
 */
export function makeConfirmation(context: Confirming, confirmed: Confirmed): string {
  const expires = context.clock.now() + CONFIRM_MINUTES * MINUTE_MS;
  return context.cipher.encrypt(expires.toString(36), placeOf(context, confirmed));
}

/** @throws CONFLICT when the code was made for something else, or has expired */
export function requireConfirmation(context: Confirming, confirmed: Confirmed, code: string): void {
  if (context.clock.now() < expiryOf(context, confirmed, code)) return;
  throw conflict(`confirm has expired after ${CONFIRM_MINUTES} minutes: make a new dry run`);
}

function expiryOf(context: Confirming, confirmed: Confirmed, code: string): number {
  try {
    return Number.parseInt(context.cipher.decrypt(code, placeOf(context, confirmed)), 36);
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
    throw conflict('confirm does not match what a dry run returns now: make a new dry run');
  }
}

/** Another one as soon as someone else calls, or something else is called or would happen. */
function placeOf({ board, key, actor }: Confirming, { tool, args, effects }: Confirmed): string {
  const { changes, events, deliveries, notified, mailed } = effects;
  const things = changes.map(({ thing, thingId }) => [thing, thingId]);
  const caller = [board.id, key.id, actor?.id ?? null];
  const all = JSON.stringify([caller, tool, args, things, events, deliveries, notified, mailed]);
  return `confirmation of a tool ${hash('sha256', all, 'base64url')}`;
}
