import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import type { Health } from '../webhook/health.ts';

/** How long after the first, second, … failed attempt the next one is due; after the last a delivery is given up. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** As many failures count of a delivery to a receiver that takes others: it is tried again after a minute, without end. */
export const TRIES_HALF_THERE = 2;

const JITTER = 0.2;
/** A receiver can ask for a longer wait, but not for more than this. */
export const RETRY_AFTER_LIMIT_MS = HOUR_MS;
const PROBE_DELAY_LIMIT_MS = 5 * MINUTE_MS;

/**
 * When a delivery is tried again after its attempt number `attempt` (the first is 1) failed at `now`; null gives it up.
 * `retryAfterMs` is the delay that the receiver requested: it can make the wait longer, up to an hour, never shorter.
 * `random` returns numbers from 0 to below 1.
 */
export function nextAttempt(
  attempt: number,
  retryAfterMs: number | null,
  now: number,
  random: () => number,
): number | null {
  const scheduled = RETRY_DELAYS_MS[attempt - 1];
  if (scheduled === undefined) return null;
  const delay = Math.max(scheduled, Math.min(retryAfterMs ?? 0, RETRY_AFTER_LIMIT_MS));
  return now + Math.floor(delay * (1 + JITTER * random()));
}

/**
 * How long to wait after the latest failure of a failing webhook before the next probe, whichever delivery that is: an
 * eighth of the time that it has failed, at most 5 min. Without it a backlog of thousands would use up its attempts at full
 * speed on a port that refuses immediately; and a receiver that takes every other event is hardly slowed down.
 */
export function probeDelay({ failingSince }: Pick<Health, 'failingSince'>, now: number): number {
  return Math.min(PROBE_DELAY_LIMIT_MS, Math.ceil((now - (failingSince ?? now)) / 8));
}

/**
 * A `Retry-After` header in milliseconds from `now`: seconds, even with a fraction, or one of the three date forms of
 * RFC 9110. A past date becomes 0; anything else, including negative numbers, null.
 */
export function parseRetryAfter(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,15}(\.\d{1,9})?$/.test(text)) return Math.ceil(Number(text) * SECOND_MS);
  if (!HTTP_DATE.test(text)) return null;
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(time) ? null : Math.max(0, time - now);
}

/**
 * `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`: Date.parse alone
 * accepts nearly anything.
 */
const HTTP_DATE =
  /^([A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT|[A-Z][a-z]+day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})$/;
