import type { DeliveryRow } from '../../events/deliveries.ts';
import type { AttemptRow, LoggedAnswer, LoggedRequest } from '../delivery/attempts.ts';
import type { Timings } from '../http/exchange.ts';
import type { Verification } from '../verification/verify.ts';
import { eventsOf, idsIn } from '../webhook/filters.ts';
import { disablesAt, isTroubled } from '../webhook/health.ts';
import { healthOf } from '../webhook/health-columns.ts';
import type { WebhookRow } from '../webhook/webhooks.ts';
import type { Tested } from './testing.ts';

/** What anyone should know who sends events without encryption. */
export const PLAIN_HTTP = 'Without https, anyone on the network path can read and change deliveries.';

/** A webhook for programs; only whether it has secrets is shown. */
export function describeWebhook(row: WebhookRow) {
  return {
    id: row.id,
    kind: row.kind,
    url: row.url,
    state: row.state,
    /** Null: all. */
    events: eventsOf(row),
    statusIds: idsIn(row.status_ids),
    tagIds: idsIn(row.tag_ids),
    hasVerifyToken: row.verify_token !== null,
    hasSigningSecret: row.signing_secret !== null,
    hasPendingSecret: row.pending_secret !== null,
    warning: row.url.startsWith('https:') ? null : PLAIN_HTTP,
    disabledBy: row.disabled_by,
    disabledReason: row.disabled_reason,
    hasManyFailures: isTroubled(healthOf(row)),
    failuresInRow: row.failures_in_row,
    failingSince: isoOr(row.failing_since),
    disablesAt: isoOr(disablesAt(healthOf(row))),
    lastFailure: row.last_failure,
    dateLastFailure: isoOr(row.date_last_failure),
    dateLastSuccess: isoOr(row.date_last_success),
    dateCreated: isoOf(row.date_created),
    dateUpdated: isoOf(row.date_updated),
  };
}

/** A verification and its result, for programs. */
export function describeVerification({ kind, word, reason, request, exchange }: Verification) {
  const { answer, timings } = exchange;
  return {
    ok: kind === 'verified',
    outcome: word,
    reason: reason.text,
    request,
    answer: answer ? { ...answer, body: Buffer.from(answer.body).toString('utf8') } : null,
    timings,
  };
}

/** A test and its result, for programs. */
export function describeTest({ deliveryId, attempt }: Tested) {
  const { kind, word, sentence } = attempt.outcome;
  const status = attempt.sends.at(-1)?.exchange.answer?.status ?? null;
  return { id: deliveryId, ok: kind === 'delivered', outcome: word, reason: sentence.text, status };
}

/** An attempt of the log, for programs. */
export function describeAttempt(row: AttemptRow) {
  return {
    number: row.number,
    date: isoOf(row.date_created),
    outcome: row.outcome,
    reason: row.diagnosis,
    request: JSON.parse(row.request) as LoggedRequest,
    answer: (row.answer === null ? null : JSON.parse(row.answer)) as LoggedAnswer | null,
    timings: JSON.parse(row.timings) as Timings,
  };
}

/** A delivery for programs. */
export function describeDelivery(row: DeliveryRow) {
  return {
    id: row.id,
    event: row.event_type,
    eventId: row.event_id,
    postId: row.post_id,
    state: deliveryStateOf(row),
    attempts: row.attempts,
    outcome: row.outcome,
    dateCreated: isoOf(row.date_created),
    dateNextAttempt: nextAttemptOf(row),
    dateDone: isoOr(row.date_done),
  };
}

/** Distinguishes what is being sent right now from what is waiting. */
export function deliveryStateOf(row: DeliveryRow): DeliveryRow['state'] | 'sending' {
  return row.lease_token === null ? row.state : 'sending';
}

/** When a pending delivery is attempted next; null if it is behind another one, and for all others. */
export function nextAttemptOf(row: DeliveryRow): string | null {
  return row.state === 'waiting' && row.lease_token === null ? isoOr(row.date_due) : null;
}

function isoOf(instant: number): string {
  return new Date(instant).toISOString();
}

function isoOr(instant: number | null): string | null {
  return instant === null ? null : isoOf(instant);
}
