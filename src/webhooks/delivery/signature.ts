import { createHmac } from 'node:crypto';

/** Identifies one attempt to send an event: the event's id, the same on every attempt, and the time. */
type MessageStamp = { id: string; timestampSeconds: number };

/**
 * The headers by which a receiver knows a message and checks who sent it. Both signatures use the UTF-8 bytes of the
 * secret as the key, including that of Standard Webhooks, whose libraries need the option `format: 'raw'`. Without a
 * secret, or with an empty one, the message is identified but not signed.
 */
export function signatureHeaders(
  body: Uint8Array,
  secret: string | null,
  { id, timestampSeconds }: MessageStamp,
): Record<string, string> {
  const stamp = { 'webhook-id': id, 'webhook-timestamp': String(timestampSeconds) };
  if (!secret) return stamp;
  const hex = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const standard = createHmac('sha256', secret).update(`${id}.${timestampSeconds}.`).update(body).digest('base64');
  return { 'X-Hub-Signature': hex, 'X-Hub-Signature-256': hex, ...stamp, 'webhook-signature': `v1,${standard}` };
}
