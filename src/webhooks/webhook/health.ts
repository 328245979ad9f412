import { HOUR_MS, MINUTE_MS } from '../../platform/lib/clock.ts';
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
  /** The last notification to the owners about the current problem, and the time of the last one that it fails. */
  lastNotified: Notified;
  notifiedAt: number | null;
  /** How many of a thousand recent attempts have failed: each counts a sixteenth, and all before it the rest. */
  failureShare: number;
  /** Since when many have failed, even if others succeed in between. */
  troubledSince: number | null;
  lastFailure: number | null;
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
/** Of a thousand: from then on many attempts fail, and below the other no longer. */
const TROUBLED = { from: 200, until: 100 };
/** Attempts that fail after this long without a success are those of a receiver that is down. */
const DOWN_AFTER_MS = 5 * MINUTE_MS;
/** A mail waits for so long without a success, or with many failures; one about the end for so long without a failure. */
const TELL_AFTER_MS = { down: MINUTE_MS, troubled: 5 * MINUTE_MS, recovered: MINUTE_MS };
/** There is at most one mail that a webhook fails, and one that it works again, in this time. */
const TELL_AGAIN_AFTER_MS = HOUR_MS;

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
    notifiedAt: null,
    failureShare: 0,
    troubledSince: null,
    lastFailure: null,
  };
}

/** Whether many attempts fail, although others succeed in between. */
export function isTroubled({ state, troubledSince }: Health): boolean {
  return state !== 'disabled' && troubledSince !== null;
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
      return afterSuccess(health, now);
    case 'failed':
      return afterFailure(health, now);
    case 'gone':
      return { ...afterFailure(health, now), state: 'disabled', disabledBy: 'service' };
    default:
      return kind satisfies never;
  }
}

function afterSuccess(health: Health, now: number): Health {
  const rampLimit = Math.min(IN_FLIGHT_LIMIT, health.rampLimit * 2);
  // A recovery that fails again before the owners are notified must not suppress the warning about the next problem.
  const lastNotified = health.lastNotified === 'warning' ? 'failing' : health.lastNotified;
  const failureShare = Math.floor((fadedShare(health, now) * 15) / 16);
  const troubledSince = failureShare < TROUBLED.until ? null : health.troubledSince;
  const share = { failureShare, troubledSince };
  return { ...health, ...share, state: 'active', failuresInRow: 0, failingSince: null, rampLimit, lastNotified };
}

function afterFailure(health: Health, now: number): Health {
  const failuresInRow = health.failuresInRow + 1;
  const failingSince = health.failingSince ?? now;
  const isFailing = failuresInRow >= FAILING_AFTER_FAILURES;
  const failureShare = Math.floor((fadedShare(health, now) * 15 + 1_000) / 16);
  const troubledSince = health.troubledSince ?? (failureShare >= TROUBLED.from ? now : null);
  const share = { failureShare, troubledSince, lastFailure: now };
  const next = { ...health, ...share, failuresInRow, failingSince, rampLimit: rampAfterFailure(health, isFailing) };
  if (failuresInRow >= DISABLED_AFTER_FAILURES && now - failingSince >= DISABLED_AFTER_MS) {
    return { ...next, state: 'disabled', disabledBy: 'service' };
  }
  return { ...next, state: isFailing ? 'failing' : 'active' };
}

/** What was long ago says nothing: few attempts far apart are no receiver that is half there. */
function fadedShare({ failureShare, lastFailure }: Health, now: number): number {
  return now - (lastFailure ?? 0) < DOWN_AFTER_MS ? failureShare : 0;
}

/** One failure at full speed is sporadic; one while ramping up means that the receiver cannot take as many yet. */
function rampAfterFailure({ rampLimit }: Health, isFailing: boolean): number {
  if (isFailing) return 1;
  return rampLimit < IN_FLIGHT_LIMIT ? Math.ceil(rampLimit / 2) : IN_FLIGHT_LIMIT;
}

/**
 * Whether a receiver fails often but takes others in between: then a failure says little about the delivery that it was,
 * and nothing need wait for hours or be given up.
 */
export function isHalfThere({ troubledSince, failingSince }: Health, now: number): boolean {
  const begun = failingSince ?? now;
  return troubledSince !== null && begun > troubledSince && now - begun < DOWN_AFTER_MS;
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
 * The mail to the owners that is due at `now`, or null. The worker that sends it stores `afterMail` with the row locked, so
 * that several processes send one mail. A receiver that works again within a minute, or fails now and then, causes none.
 */
export function mailDue(health: Health, now: number): HealthMail | null {
  const { lastNotified } = health;
  if (health.state === 'disabled') {
    return health.disabledBy === 'service' && lastNotified !== 'disabled' ? 'disabled' : null;
  }
  if (lastNotified !== 'warning' && now >= (disablesAt(health) ?? Infinity) - WARNING_BEFORE_MS) return 'warning';
  const isQuiet = now - (health.lastFailure ?? 0) >= TELL_AFTER_MS.recovered;
  if (lastNotified === 'none') return isTrouble(health, now, isQuiet) ? 'failing' : null;
  return health.state === 'active' && isQuiet ? 'recovered' : null;
}

/** Whether a webhook has failed for long enough to say so, and nothing was said lately. */
function isTrouble({ state, failingSince, troubledSince, notifiedAt }: Health, now: number, isQuiet: boolean): boolean {
  const isDown = state === 'failing' && now - (failingSince ?? now) >= TELL_AFTER_MS.down;
  const isTroubled = !isQuiet && troubledSince !== null && now - troubledSince >= TELL_AFTER_MS.troubled;
  return (isDown || isTroubled) && now - (notifiedAt ?? -Infinity) >= TELL_AGAIN_AFTER_MS;
}

/** The health once a mail has been sent at `now`. */
export function afterMail(health: Health, mail: HealthMail, now: number): Health {
  if (mail === 'recovered') return { ...health, lastNotified: 'none' };
  return { ...health, lastNotified: mail, notifiedAt: mail === 'failing' ? now : health.notifiedAt };
}
