import { randomBytes } from 'node:crypto';

/** How signing secrets of Standard Webhooks begin; the base64 of their bytes follows. */
const PREFIX = 'whsec_';
/** Standard Webhooks wants 24 to 64. */
const SECRET_BYTES = 32;

/** A signing secret that the libraries of Standard Webhooks take as it is. */
export function makeSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** The base64 in a signing secret of Standard Webhooks; null if it is another text. */
export function base64Of(secret: string): string | null {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  const isBase64 = /^[a-z0-9+/]{2,}={0,2}$/i.test(text) && text.replace(/=+$/, '').length % 4 !== 1;
  return isBase64 ? text : null;
}
