import { HOUR_MS } from '../../platform/lib/clock.ts';
import type { Outcome } from '../diagnosis/outcome.ts';

/** The health of a webhook, separate from its configuration: one row, changed by every attempt that counts. */
export type Health = {
  state: 'active' | 'failing' | 'disabled';
  /** Null while it is enabled, and before it was enabled for the first time. */
  disabledBy: 'service' | 'owner' | null;
  /** Failed attempts since the last success, of any delivery. */
  failuresInRow: number;
  /** The time of the first of them. */
  failingSince: number | null;
  /** How many attempts may be in flight while it is active: grows to 8 with each success. */
  rampLimit: number;
  /** The last notification to the owners about the current problem. */
  lastNotified: Notified;
};

/** The last notification to the owners; `none` if there was none, or that the webhook works again. */
type Notified = 'none' | 'failing' | 'warning' | 'disabled';

/** The mails about the health of a webhook. */
export type HealthMail = 'failing' | 'warning' | 'disabled' | 'recovered';

const FAILING_AFTER_FAILURES = 3;
const DISABLED_AFTER_FAILURES = 10;
const DISABLED_AFTER_MS = 72 * HOUR_MS;
const WARNING_BEFORE_MS = 24 * HOUR_MS;
const IN_FLIGHT_LIMIT = 8;

/** The health of a webhook that was never enabled. */
export function newHealth(): Health {
  return { ...enabledHealth(), state: 'disabled' };
}

/** The health of a webhook that has just been enabled: with a clean slate, and starting gently since there may be a backlog. */
export function enabledHealth(): Health {
  return {
    state: 'active',
    disabledBy: null,
    failuresInRow: 0,
    failingSince: null,
    rampLimit: 1,
    lastNotified: 'none',
  };
}

/** The health after the owner disabled the webhook: no mail is due about what the owner did. */
export function disabledByOwner(health: Health): Health {
  return { ...health, state: 'disabled', disabledBy: 'owner', lastNotified: 'none' };
}

/** The health after an attempt ended at `now`. An attempt that was released, or that ends after disabling, changes nothing. */
export function afterAttempt(health: Health, { kind }: Pick<Outcome, 'kind'>, now: number): Health {
  if (health.state === 'disabled') return health;
  switch (kind) {
    case 'released':
      return health;
    case 'delivered':
      return afterSuccess(health);
    case 'failed':
      return afterFailure(health, now);
    case 'gone':
      return { ...afterFailure(health, now), state: 'disabled', disabledBy: 'service' };
    default:
      return kind satisfies never;
  }
}

function afterSuccess(health: Health): Health {
  const rampLimit = Math.min(IN_FLIGHT_LIMIT, health.rampLimit * 2);
  // A recovery that fails again before the owners are notified must not suppress the warning about the next problem.
  const lastNotified = health.lastNotified === 'warning' ? 'failing' : health.lastNotified;
  return { ...health, state: 'active', failuresInRow: 0, failingSince: null, rampLimit, lastNotified };
}

function afterFailure(health: Health, now: number): Health {
  const failuresInRow = health.failuresInRow + 1;
  const failingSince = health.failingSince ?? now;
  const isFailing = failuresInRow >= FAILING_AFTER_FAILURES;
  // One failure at full speed is sporadic; one while ramping up means that the receiver is not back yet.
  const rampLimit = isFailing || health.rampLimit < IN_FLIGHT_LIMIT ? 1 : IN_FLIGHT_LIMIT;
  const next = { ...health, failuresInRow, failingSince, rampLimit };
  if (failuresInRow >= DISABLED_AFTER_FAILURES && now - failingSince >= DISABLED_AFTER_MS) {
    return { ...next, state: 'disabled', disabledBy: 'service' };
  }
  return { ...next, state: isFailing ? 'failing' : 'active' };
}

/** How many attempts to the webhook may be in flight: one while it fails, and 2, 4, 8 as it succeeds again. */
export function inFlightLimit(health: Health): number {
  switch (health.state) {
    case 'active':
      return health.rampLimit;
    case 'failing':
      return 1;
    case 'disabled':
      return 0;
    default:
      return health.state satisfies never;
  }
}

/** The earliest time at which Earshot may disable a failing webhook; null for others. */
export function disablesAt(health: Health): number | null {
  return health.state === 'failing' && health.failingSince !== null ? health.failingSince + DISABLED_AFTER_MS : null;
}

/**
 * The mail to the owners that is due at `now`, or null. The worker that sends it first changes `lastNotified` to
 * `notifiedAfter(mail)` on the condition that it is still unchanged, so that several processes send one mail.
 */
export function mailDue(health: Health, now: number): HealthMail | null {
  const { lastNotified } = health;
  switch (health.state) {
    case 'active':
      return lastNotified === 'failing' || lastNotified === 'warning' ? 'recovered' : null;
    case 'failing':
      if (lastNotified !== 'warning' && now >= (disablesAt(health) ?? Infinity) - WARNING_BEFORE_MS) return 'warning';
      return lastNotified === 'none' ? 'failing' : null;
    case 'disabled':
      return health.disabledBy === 'service' && lastNotified !== 'disabled' ? 'disabled' : null;
    default:
      return health.state satisfies never;
  }
}

/** The last notification once a mail has been sent. */
export function notifiedAfter(mail: HealthMail): Notified {
  return mail === 'recovered' ? 'none' : mail;
}
