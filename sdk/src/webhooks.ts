import { requireText } from './errors.ts';
import type { WebhookEvent } from './event-types.ts';
import { hmacKey, isSame, sign } from './hmac.ts';

/** The server sends two for a secret of Standard Webhooks. */
const MAX_SIGNATURES = 10;
/** Bytes of HMAC-SHA256. */
const SIGNATURE_BYTES = 32;

/** Headers of a request: those of `fetch`, or an object as in Node.js. */
export type RequestHeaders = Headers | { readonly [name: string]: string | readonly string[] | undefined };

export type WebhookRequest = {
  headers: RequestHeaders;
  /** The body as it came, before it is parsed. */
  body: string | Uint8Array | ArrayBuffer;
  /** The signing secret; while it is changed, the new and the old one. */
  secret: string | readonly string[];
  /** How far the clocks may differ, in seconds; default: 300. An older request may be a copy that someone sends again. */
  toleranceSeconds?: number | undefined;
};

/** A request that is not a genuine event: respond with 403. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/** A genuine event. */
export type VerifiedEvent = WebhookEvent & {
  /** Its id, on every attempt and replay: drop what you have processed. */
  id: string;
};

/**
 * Checks the signature and time of a request, and reads its event.
 * @throws WebhookError; TypeError if a secret is empty
 */
export async function verifyWebhook(request: WebhookRequest): Promise<VerifiedEvent> {
  const { headers, toleranceSeconds = 300 } = request;
  const secrets = [request.secret].flat();
  if (secrets.length === 0) throw new TypeError('secret is an empty list');
  for (const secret of secrets) requireText('secret', secret);
  const [id, time, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !time || !signatures) throw new WebhookError('The request is not signed');
  const age = Math.abs(Date.now() / 1_000 - Number(time));
  if (!(age <= toleranceSeconds)) throw new WebhookError(`The request was signed ${Math.round(age)} seconds ago`);
  const given = signatures.split(' ').map(readSignature);
  const possible = given.filter(({ length }) => length === SIGNATURE_BYTES);
  if (possible.length > MAX_SIGNATURES) throw new WebhookError(`There are more than ${MAX_SIGNATURES} signatures`);
  const body = bytesOf(request.body);
  const signed = join(new TextEncoder().encode(`${id}.${time}.`), body);
  const checks = secrets.flatMap(keysOf).map(async (secret) => {
    const expected = await sign(await hmacKey(secret), signed);
    const fits = possible.map((signature) => isSame(signature, expected));
    return (await Promise.all(fits)).some(Boolean);
  });
  if (!(await Promise.all(checks)).some(Boolean)) throw new WebhookError('The signature is wrong');
  return { ...JSON.parse(new TextDecoder().decode(body)), id };
}

/**
 * The challenge to respond with, as plain text, to the request that verifies a receiver.
 * @param url of the request
 * @param verifyToken of the webhook; left out if it has none
 * @throws WebhookError; TypeError if the token is empty
 */
export async function confirmWebhook(url: string | URL, verifyToken?: string): Promise<string> {
  if (verifyToken !== undefined) requireText('verifyToken', verifyToken);
  const query = new URL(url, 'http://localhost').searchParams;
  const isToken = await isSame(query.get('hub.verify_token') ?? '', verifyToken ?? '');
  const challenge = query.get('hub.challenge');
  if (query.get('hub.mode') === 'subscribe' && isToken && challenge !== null) return challenge;
  throw new WebhookError('The request does not verify this receiver');
}

/** A secret of Standard Webhooks is `whsec_` and base64; some senders use its text as the key, as for any other. */
function keysOf(secret: string): (string | Uint8Array<ArrayBuffer>)[] {
  const key = secret.startsWith('whsec_') ? decode(secret.slice(6)) : new Uint8Array();
  return key.length > 0 ? [key, secret] : [secret];
}

function headerOf(headers: RequestHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([given]) => given.toLowerCase() === name) ?? [];
  return typeof value === 'object' ? value.join(' ') : value;
}

/** The bytes of `v1,<base64>`; none for anything else. */
function readSignature(text: string): Uint8Array<ArrayBuffer> {
  return decode(text.startsWith('v1,') ? text.slice(3) : '');
}

/** The bytes of a text in base64; none if it is not. */
function decode(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function bytesOf(body: WebhookRequest['body']): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  return body instanceof Uint8Array ? body : new Uint8Array(body);
}

function join(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
