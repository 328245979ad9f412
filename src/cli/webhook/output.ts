import { eventTypes } from '../../feedback/event-log/event-types.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import { type AttemptCounts, countAttempts, withLastSuccess } from '../../webhooks/log/statistics.ts';
import { describeVerification, describeWebhook, PLAIN_HTTP } from '../../webhooks/managing/describing.ts';
import type { Verified } from '../../webhooks/managing/enabling.ts';
import { eventsOf } from '../../webhooks/webhook/filters.ts';
import { isTroubled } from '../../webhooks/webhook/health.ts';
import { healthOf } from '../../webhooks/webhook/health-columns.ts';
import type { WebhookRow } from '../../webhooks/webhook/webhooks.ts';
import { formatInstant, type OutputOptions, print, type Terminal } from '../terminal.ts';

/** A webhook for scripts. */
export function toJson(row: WebhookRow) {
  return { ...describeWebhook(row), events: eventsOf(row) ?? [...eventTypes] };
}

/** A webhook for people. */
export function toWords(row: WebhookRow, lastDay: AttemptCounts | undefined): string {
  const lines = [`${row.id}  ${row.state}`, `  to ${row.url}`, `  events: ${eventsOf(row)?.join(', ') ?? 'all'}`];
  if (!row.url.startsWith('https:')) lines.push(`  ${PLAIN_HTTP}`);
  if (row.pending_secret !== null) lines.push('  a new signing secret becomes active once `webhook test` is accepted');
  if (isTroubled(healthOf(row)))
    lines.push(`  many deliveries fail: ${formatFailures(lastDay)} attempts in the last 24 hours`);
  if (row.disabled_reason !== null) lines.push(`  disabled automatically: ${row.disabled_reason}`);
  if (row.state === 'failing') lines.push(`  failing since ${formatInstant(row.failing_since)}: ${row.last_failure}`);
  return lines.join('\n');
}

/** How many attempts of the last 24 hours failed. */
export function formatFailures({ attempts, delivered }: AttemptCounts = { attempts: 0, delivered: 0 }): string {
  return `${attempts - delivered} of ${attempts}`;
}

/** Prints a webhook. @throws with the reason when a verification was made and failed */
export async function finish(
  terminal: Terminal,
  options: OutputOptions,
  { db, board, clock }: RequestContext,
  { webhook, verification }: Verified,
  made: object = {},
): Promise<void> {
  const [shown = webhook] = await withLastSuccess(db.read, [webhook]);
  const lastDay = (await countAttempts(db.read, board.id, clock.now())).get(webhook.id);
  const value = {
    ...toJson(shown),
    ...made,
    ...(verification && { verification: describeVerification(verification) }),
  };
  const secrets = Object.entries(made).map(
    ([name, secret]) => `\n${name}: ${secret}\nSave it now: it is not shown again.`,
  );
  print(terminal, options, value, toWords(webhook, lastDay) + secrets.join(''));
  if (verification && verification.kind !== 'verified') {
    const isDisabled = webhook.state === 'disabled';
    const kept = isDisabled ? 'the webhook stays disabled' : 'nothing was changed';
    const next = isDisabled ? ` Once that is fixed: \`webhook enable ${webhook.id}\`` : '';
    throw new Error(`The verification failed, so ${kept}. ${verification.reason.text}${next}`);
  }
}
