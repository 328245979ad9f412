import { createHmac } from 'node:crypto';
import { base64Of } from './secret.ts';

/** Identifies one attempt to send an event: the event's id, the same on every attempt, and the time. */
type MessageStamp = { id: string; timestampSeconds: number };

/**
 * The headers by which a receiver knows a message and checks who sent it. The key is the UTF-8 bytes of the secret. In
 * `webhook-signature`, a secret of Standard Webhooks (`whsec_` and base64) signs with its decoded bytes as well; receivers
 * that were written before it did verify the second signature. Without a secret, or with an empty one, the message is
 * identified but not signed.
 */
export function signatureHeaders(
  body: Uint8Array,
  secret: string | null,
  { id, timestampSeconds }: MessageStamp,
): Record<string, string> {
  const stamp = { 'webhook-id': id, 'webhook-timestamp': String(timestampSeconds) };
  if (!secret) return stamp;
  const hex = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const base64 = base64Of(secret);
  const keys = base64 === null ? [secret] : [Buffer.from(base64, 'base64'), secret];
  const standard = keys.map((key) => {
    const hmac = createHmac('sha256', key).update(`${id}.${timestampSeconds}.`).update(body);
    return `v1,${hmac.digest('base64')}`;
  });
  return { 'X-Hub-Signature': hex, 'X-Hub-Signature-256': hex, ...stamp, 'webhook-signature': standard.join(' ') };
}
