import { joinMessages, msg } from '../../platform/messages.ts';
import { describeAttempt, type Outcome } from '../diagnosis/outcome.ts';
import { headerOf, hideSecretsInExchange } from '../diagnosis/receiver-text.ts';
import type { Dial, Exchange } from '../http/exchange.ts';
import { senderHeaders } from '../http/sender.ts';
import { signatureHeaders } from '../signing/signature.ts';
import { parseRetryAfter } from './schedule.ts';

/** The secrets of a webhook: the active one, and the pending one until the receiver has accepted it. */
type SecretName = 'active' | 'pending';

export type Delivery = {
  url: string;
  secret: string | null;
  pendingSecret: string | null;
  /** Whether it is a message for a chat, in which the endpoint is described as one. */
  isChat?: boolean;
  /** Further secrets that the receiver may know, to be redacted in its responses too. */
  otherSecrets?: readonly string[];
  /** `pending` only for the test that confirms a pending secret; it is not retried with the other one. */
  signWith: SecretName;
  eventId: string;
  event: string;
  /** The number of this attempt; the first is 1. */
  attempt: number;
  body: Uint8Array;
  /** The version of Earshot. */
  version: string;
  /** With which the receiver continues the trace of the attempt; only while tracing is on. */
  traceparent?: string | undefined;
  now: number;
};

/**
 * One request of an attempt and its result, as the log shows them: the receiver may have repeated a secret, so secrets
 * are redacted.
 */
type Send = {
  headers: Readonly<Record<string, string>>;
  signedWith: SecretName | null;
  exchange: Exchange;
};

/** The result of an attempt: one request, or two if the first secret was refused and there was another to try. */
export type Attempt = {
  outcome: Outcome;
  /** The secret of the request that was accepted; null if none was, or without a signature. */
  acceptedSecret: SecretName | null;
  sends: readonly Send[];
  /** How long the receiver asked to wait after a failure. */
  retryAfterMs: number | null;
};

/** Sends an event once. The signal ends the attempt early, with the outcome `released`. */
export async function deliver(dial: Dial, delivery: Delivery, signal?: AbortSignal): Promise<Attempt> {
  const first = await send(dial, delivery, delivery.signWith, signal);
  if (!mayTryPending(delivery, first)) return report(delivery, [first]);
  const second = await send(dial, delivery, 'pending', signal);
  return report(delivery, [first, second]);
}

/** An attempt that sent nothing because the webhook's secrets cannot be decrypted. It counts as any other failure. */
export function failUnreadable(url: string): Attempt {
  const timings = { dns: null, connect: null, tls: null, firstByte: null, total: 0 };
  const exchange: Exchange = { timings, fault: { kind: 'secrets cannot be decrypted' } };
  const outcome = describeAttempt(exchange, { url, isSigned: false, isChat: false, secrets: [] });
  return { outcome, acceptedSecret: null, sends: [{ headers: {}, signedWith: null, exchange }], retryAfterMs: null };
}

async function send(dial: Dial, delivery: Delivery, secretName: SecretName, signal?: AbortSignal): Promise<Send> {
  const { url, body, eventId, event, attempt, version, traceparent, now } = delivery;
  const secret = secretName === 'active' ? delivery.secret : delivery.pendingSecret;
  const headers = {
    'Content-Type': 'application/json',
    ...senderHeaders(version),
    ...signatureHeaders(body, secret, { id: eventId, timestampSeconds: Math.floor(now / 1000) }),
    'X-Earshot-Event': event,
    'X-Earshot-Attempt': String(attempt),
    ...(traceparent !== undefined && { traceparent }),
  };
  const exchange = await dial({ method: 'POST', url, headers, body }, signal);
  return {
    headers,
    signedWith: secret ? secretName : null,
    exchange: hideSecretsInExchange(exchange, secretsOf(delivery)),
  };
}

/** While a secret is being replaced, a receiver knows the old one or the new one: no event fails in between. */
function mayTryPending({ secret, pendingSecret, signWith }: Delivery, first: Send): boolean {
  return signWith === 'active' && !!pendingSecret && pendingSecret !== secret && isDenied(first);
}

function isDenied({ exchange }: Send): boolean {
  return exchange.answer?.status === 401 || exchange.answer?.status === 403;
}

function report(delivery: Delivery, sends: readonly [Send, ...Send[]]): Attempt {
  const last = sends.at(-1) ?? sends[0];
  const { url, now, isChat = false } = delivery;
  const sentAs = { url, isSigned: last.signedWith !== null, isChat, secrets: secretsOf(delivery) };
  const outcome = describeAttempt(last.exchange, sentAs);
  const { answer, timings } = last.exchange;
  const retryAfter = answer && outcome.kind === 'failed' ? headerOf(answer, 'retry-after') : null;
  return {
    outcome: sends.length === 2 ? describeRotation(outcome, last) : outcome,
    acceptedSecret: outcome.kind === 'delivered' ? last.signedWith : null,
    sends,
    retryAfterMs: parseRetryAfter(retryAfter, now + timings.total),
  };
}

function describeRotation(outcome: Outcome, last: Send): Outcome {
  if (outcome.kind === 'delivered') {
    const remark = msg('secretPendingAccepted');
    return { ...outcome, sentence: joinMessages(outcome.sentence, remark) };
  }
  if (!isDenied(last)) return outcome;
  const remark = msg('secretsRefused');
  return { ...outcome, sentence: joinMessages(remark, outcome.sentence) };
}

function secretsOf({ secret, pendingSecret, otherSecrets = [] }: Delivery): string[] {
  return [secret, pendingSecret, ...otherSecrets].filter((each) => each !== null);
}
