import { SECOND_MS } from '../../platform/lib/clock.ts';
import { printable } from '../../platform/texts/text.ts';
import type { Answer, Fault } from './exchange.ts';

/** Bytes of a refusal that may say that it is one of a limit. */
const MAX_WORDS = 2_000;

/** Whether a response with status 403 is about a limit: GitHub refuses so whom it has answered too often. */
export function isLimit(answer: Answer): boolean {
  if (answer.status !== 403) return false;
  const words = Buffer.from(answer.body.subarray(0, MAX_WORDS)).toString('utf8');
  return askedPause(answer) !== null || /rate limit/i.test(words);
}

/** Why there was no response, for people who can do something about it. */
export function describeFault(fault: Fault): string {
  if (fault.kind === 'address not allowed') return 'WEBHOOK_ALLOW_CIDRS must allow its address';
  return 'reason' in fault ? `${fault.kind}, ${printable(fault.reason, 300)}` : fault.kind;
}

/** The pause that a server asks for, in milliseconds: in seconds, until a date, or until its limit is renewed; null if it asks for none. */
export function askedPause(answer: Answer): number | null {
  const after = headerOf(answer, 'retry-after');
  if (/^\d{1,9}$/.test(after)) return Number(after) * SECOND_MS;
  const now = sentAt(answer) ?? Date.now();
  const until = Date.parse(after);
  if (until > now) return until - now;
  const pauses = LIMITS.filter((limit) => headerOf(answer, `${limit}-remaining`) === '0').flatMap((limit) => {
    const reset = headerOf(answer, `${limit}-reset`);
    const at = /^\d{1,14}$/.test(reset) ? toMs(Number(reset)) : Date.parse(reset);
    return Number.isNaN(at) ? [] : Math.max(at - now, 0) + SECOND_MS;
  });
  return pauses.length > 0 ? Math.max(...pauses) : null;
}

/** Limits that headers tell of: the first one is of GitHub and Jira, which writes a date, the others are Linear's. */
const LIMITS = ['', '-requests', '-complexity', '-endpoint-requests'].map((of) => `x-ratelimit${of}`);

/** A moment that is in seconds, or in milliseconds. */
const toMs = (moment: number): number => (moment < 1e11 ? moment * SECOND_MS : moment);

/** A header of a response by its name in lower case; empty if there is none. */
export function headerOf({ headers }: Answer, wanted: string): string {
  return headers.find(([name]) => name === wanted)?.[1] ?? '';
}

/** When a response was sent by the clock of its server, in milliseconds; null if it does not say so. */
export function sentAt(answer: Answer): number | null {
  return Date.parse(headerOf(answer, 'date')) || null;
}
