import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Db } from '../../platform/db/db.ts';
import { forbidden } from '../../platform/errors.ts';
import { type Clock, DAY_MS, MINUTE_MS } from '../../platform/lib/clock.ts';
import { claimFor } from '../../platform/limits/throttle.ts';

type Deps = { db: Db; clock: Clock; secret: string };

/** How far the time of a signature may be from the clock; a mail that comes twice within it is done once. */
const SKEW_MS = 5 * MINUTE_MS;
/** Mailgun tries for eight hours. */
const MAILGUN_MS = DAY_MS;

/**
 * Checks `t=<seconds>,v1=<hex>`, the HMAC-SHA256 of the seconds, a dot and the body.
 * @throws FORBIDDEN
 */
export function requireSignature(header: string | string[] | undefined, body: Buffer, { clock, secret }: Deps): void {
  const [, seconds = '', signature = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(String(header ?? '')) ?? [];
  const made = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
  if (!isSame(signature, made)) throw forbidden('Earshot-Signature does not match the body');
  requireRecent(seconds, clock, SKEW_MS);
}

/**
 * Checks the signature of Mailgun, which is that of time and token alone: a token counts with the mail that it came with
 * first, so that one that was seen on its way sends no other mail.
 * @throws FORBIDDEN
 */
export async function requireMailgunSignature(
  form: ReadonlyMap<string, string>,
  { db, clock, secret }: Deps,
): Promise<void> {
  const [seconds, token, signature] = ['timestamp', 'token', 'signature'].map((name) => form.get(name) ?? '') as [
    string,
    string,
    string,
  ];
  const made = createHmac('sha256', secret).update(`${seconds}${token}`).digest('hex');
  // Nothing separates the two.
  const isWhole = /^\d{10}$/.test(seconds) && /^\w{20,100}$/.test(token);
  if (!isWhole || !isSame(signature, made))
    throw forbidden('The signature of Mailgun is wrong: its key must be INBOUND_MAIL_SECRET');
  requireRecent(seconds, clock, MAILGUN_MS);
  const mail = hash('sha256', JSON.stringify([form.get('body-mime'), form.get('recipient'), form.get('sender')]));
  if (await claimFor(db, clock, `mailgun ${token}`, mail, 2 * MAILGUN_MS)) return;
  throw forbidden('The token of Mailgun was used for another mail');
}

/** Whether a request has this password, with whatever user name. */
export function hasPassword(header: string | undefined, secret: string): boolean {
  const [, encoded = ''] = /^basic +([a-z0-9+/=]+)$/i.exec(header ?? '') ?? [];
  const given = Buffer.from(encoded, 'base64').toString();
  return isSame(given.slice(given.indexOf(':') + 1), secret);
}

function requireRecent(seconds: string, clock: Clock, most: number): void {
  const age = Math.abs(clock.now() - Number(seconds) * 1_000);
  if (!(age <= most)) throw forbidden('The signature is too old, or a clock is wrong');
}

/** In constant time, whatever the lengths. */
function isSame(given: string, made: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', made, 'buffer'));
}
