import type { DeliveryRow } from '../events/deliveries.ts';
import { eventTypes } from '../feedback/event-log/event-types.ts';
import type { RequestContext } from '../identity/users/request-context.ts';
import { withLastSuccess } from '../webhooks/log/statistics.ts';
import type { Verified } from '../webhooks/verification/enabling.ts';
import type { Verification } from '../webhooks/verification/verify.ts';
import { disablesAt } from '../webhooks/webhook/health.ts';
import { eventsOf, healthOf, type WebhookRow } from '../webhooks/webhook/webhooks.ts';
import { formatInstant, type OutputOptions, print, type Terminal } from './terminal.ts';

/** A verification and its result, for scripts. */
export function describeVerification({ kind, word, reason, request, exchange }: Verification) {
  const { answer, timings } = exchange;
  return {
    ok: kind === 'verified',
    outcome: word,
    reason: reason.text,
    request,
    answer: answer && { ...answer, body: Buffer.from(answer.body).toString('utf8') },
    timings,
  };
}

/** A webhook for scripts; only whether it has secrets is shown. */
export function toJson(row: WebhookRow) {
  return {
    id: row.id,
    url: row.url,
    state: row.state,
    events: eventsOf(row) ?? [...eventTypes],
    hasVerifyToken: row.verify_token !== null,
    hasSigningSecret: row.signing_secret !== null,
    hasPendingSecret: row.pending_secret !== null,
    warning: row.url.startsWith('https:') ? null : WARNING,
    disabledBy: row.disabled_by,
    disabledReason: row.disabled_reason,
    failuresInRow: row.failures_in_row,
    failingSince: formatInstant(row.failing_since),
    disablesAt: formatInstant(disablesAt(healthOf(row))),
    lastFailure: row.last_failure,
    dateLastFailure: formatInstant(row.date_last_failure),
    dateLastSuccess: formatInstant(row.date_last_success),
    dateCreated: formatInstant(row.date_created),
    dateUpdated: formatInstant(row.date_updated),
  };
}

const WARNING = 'Without https, anyone on the network path can read and change deliveries.';

/** A webhook for people. */
export function toWords(row: WebhookRow): string {
  const lines = [`${row.id}  ${row.state}`, `  to ${row.url}`, `  events: ${eventsOf(row)?.join(', ') ?? 'all'}`];
  if (!row.url.startsWith('https:')) lines.push(`  ${WARNING}`);
  if (row.pending_secret !== null) lines.push('  a new signing secret becomes active once `webhook test` is accepted');
  if (row.disabled_reason !== null) lines.push(`  disabled automatically: ${row.disabled_reason}`);
  if (row.state === 'failing') lines.push(`  failing since ${formatInstant(row.failing_since)}: ${row.last_failure}`);
  return lines.join('\n');
}

/** A delivery for scripts. */
export function deliveryToJson(row: DeliveryRow) {
  return {
    id: row.id,
    event: row.event_type,
    eventId: row.event_id,
    postId: row.post_id,
    state: stateOf(row),
    attempts: row.attempts,
    outcome: row.outcome,
    dateCreated: formatInstant(row.date_created),
    dateNextAttempt: nextAttemptOf(row),
    dateDone: formatInstant(row.date_done),
  };
}

/** Distinguishes what is being sent right now from what is waiting. */
export function stateOf(row: DeliveryRow): string {
  return row.lease_token === null ? row.state : 'sending';
}

/** When a pending delivery is attempted next; null if it is behind another one, and for all others. */
export function nextAttemptOf(row: DeliveryRow): string | null {
  return row.state === 'waiting' && row.lease_token === null ? formatInstant(row.date_due) : null;
}

/** Prints a webhook. @throws with the reason when a verification was made and failed */
export async function finish(
  terminal: Terminal,
  options: OutputOptions,
  { db }: RequestContext,
  { webhook, verification }: Verified,
  made: object = {},
): Promise<void> {
  const [shown = webhook] = await withLastSuccess(db.read, [webhook]);
  const value = {
    ...toJson(shown),
    ...made,
    ...(verification && { verification: describeVerification(verification) }),
  };
  const secrets = Object.entries(made).map(
    ([name, secret]) => `\n${name}: ${secret}\nSave it now: it is not shown again.`,
  );
  print(terminal, options, value, toWords(webhook) + secrets.join(''));
  if (verification && verification.kind !== 'verified') {
    const isDisabled = webhook.state === 'disabled';
    const kept = isDisabled ? 'the webhook stays disabled' : 'nothing was changed';
    const next = isDisabled ? ` Once that is fixed: \`webhook enable ${webhook.id}\`` : '';
    throw new Error(`The verification failed, so ${kept}. ${verification.reason.text}${next}`);
  }
}
