import type { Answer, Exchange } from './exchange.ts';
import { type Diagnosis, describeFault, durationText, TIME_LIMIT_MS } from './faults.ts';
import { describeRefusal } from './refusals.ts';

/**
 * What came of an attempt, in a word for lists and a sentence that names the mistake and the remedy. `gone` is a failure
 * that ends all attempts; `released` is no attempt at all, since we stopped before there was an answer.
 */
export type Outcome = { kind: 'delivered' | 'failed' | 'gone' | 'released' } & Diagnosis;

const SLOW_MS = 0.8 * TIME_LIMIT_MS;

/** How an event was sent: where to, whether it was signed, and what no sentence may repeat. */
export type SentAs = { url: string; isSigned: boolean; secrets: readonly string[] };

/** The outcome of sending an event once. */
export function describeAttempt(exchange: Exchange, sent: SentAs): Outcome {
  const { answer, fault, timings } = exchange;
  if (fault) {
    return { kind: fault.kind === 'stopped' ? 'released' : 'failed', ...describeFault(fault, timings, sent.url) };
  }
  const elapsedMs = timings.firstByte ?? timings.total;
  if (elapsedMs > TIME_LIMIT_MS) return { kind: 'failed', ...describeLate(answer.status, elapsedMs) };
  if (isSuccess(answer)) return { kind: 'delivered', ...describeSuccess(answer.status, elapsedMs) };
  const asked = { url: sent.url, method: 'POST', secrets: sent.secrets } as const;
  const diagnosis = describeRefusal(answer, asked, sent.isSigned ? describeRefusedSignature : describeDenied);
  return { kind: answer.status === 410 ? 'gone' : 'failed', ...diagnosis };
}

/** Whether an answer takes the event: any 2xx does, though the specification asks for 200. */
export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status <= 299;
}

/** An answer that came too late, in words. */
export function describeLate(status: number, elapsedMs: number): Diagnosis {
  const limit = durationText(TIME_LIMIT_MS);
  return {
    word: `timed out after ${limit}`,
    sentence: `It answered ${status} after ${durationText(elapsedMs)}; the limit is ${limit}: answer first and do the work afterwards.`,
  };
}

function describeSuccess(status: number, elapsedMs: number): Diagnosis {
  const answered = `It answered ${status} after ${durationText(elapsedMs)}`;
  const remark = status === 200 ? '.' : '; that is accepted, though 200 is what the specification asks for.';
  const warning =
    elapsedMs < SLOW_MS
      ? ''
      : ` The limit of ${durationText(TIME_LIMIT_MS)} is near: answer first and do the work afterwards.`;
  return {
    word: status === 200 ? 'delivered' : `delivered, answered ${status}`,
    sentence: answered + remark + warning,
  };
}

function describeRefusedSignature(status: number): Diagnosis {
  return {
    word: 'signature refused',
    sentence: `It answered ${status} to a signed request: probably its signing secret is not the one saved here, or it hashes something other than the bytes of the body as they arrived.`,
  };
}

function describeDenied(status: number): Diagnosis {
  return {
    word: `answered ${status}`,
    sentence: `It answered ${status} and refuses the request: if it expects a signature, enter its signing secret here; otherwise let requests to this path through.`,
  };
}
