import { joinMessages, msg } from '../../platform/messages.ts';
import type { Answer, Exchange } from '../http/exchange.ts';
import { type Diagnosis, describeFault, LIMIT, sayDuration, TIME_LIMIT_MS } from './faults.ts';
import { describeChatRefusal, describeRefusal } from './refusals.ts';

/**
 * The outcome of an attempt, as a word for lists and a sentence that names the mistake and the remedy. `gone` is a
 * failure that ends all attempts; `released` does not count as an attempt, since we stopped before there was a
 * response.
 */
export type Outcome = { kind: 'delivered' | 'failed' | 'gone' | 'released' } & Diagnosis;

const SLOW_MS = 0.8 * TIME_LIMIT_MS;

/** How an event was sent: where to, whether it was signed, or is a message, and what no sentence may repeat. */
type SentAs = { url: string; isSigned: boolean; isChat: boolean; secrets: readonly string[] };

/** The outcome of sending an event once. */
export function describeAttempt(exchange: Exchange, sent: SentAs): Outcome {
  const { answer, fault, timings } = exchange;
  if (fault) {
    return { kind: fault.kind === 'stopped' ? 'released' : 'failed', ...describeFault(fault, timings, sent.url) };
  }
  const elapsedMs = timings.firstByte ?? timings.total;
  if (elapsedMs > TIME_LIMIT_MS) return { kind: 'failed', ...describeLate(answer.status, elapsedMs) };
  if (isSuccess(answer)) return { kind: 'delivered', ...describeSuccess(answer.status, elapsedMs, sent.isChat) };
  if (sent.isChat)
    return { kind: answer.status === 410 ? 'gone' : 'failed', ...describeChatRefusal(answer, sent.secrets) };
  const asked = { url: sent.url, method: 'POST', secrets: sent.secrets } as const;
  const diagnosis = describeRefusal(answer, asked, sent.isSigned ? describeRefusedSignature : describeDenied);
  return { kind: answer.status === 410 ? 'gone' : 'failed', ...diagnosis };
}

/** Whether a response confirms a delivery. Receivers should return 200; any other 2xx counts as well. */
export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status <= 299;
}

/** The outcome for a response that came too late. */
export function describeLate(status: number, elapsedMs: number): Diagnosis {
  return {
    word: `timed out after ${LIMIT.text}`,
    sentence: msg('receiverAnsweredLate', status, sayDuration(elapsedMs), LIMIT),
  };
}

function describeSuccess(status: number, elapsedMs: number, isChat: boolean): Diagnosis {
  const elapsed = sayDuration(elapsedMs);
  const isUsual = status === 200 || isChat;
  const answered = isUsual ? msg('receiverAnswered', status, elapsed) : msg('receiverAnsweredNot200', status, elapsed);
  return {
    word: isUsual ? 'delivered' : `delivered, answered ${status}`,
    sentence: elapsedMs < SLOW_MS ? answered : joinMessages(answered, msg('receiverLimitNear', LIMIT)),
  };
}

function describeRefusedSignature(status: number): Diagnosis {
  return {
    word: 'signature refused',
    sentence: msg('receiverSignatureRefused', status),
  };
}

function describeDenied(status: number): Diagnosis {
  return {
    word: `answered ${status}`,
    sentence: msg('receiverRefuses', status),
  };
}
