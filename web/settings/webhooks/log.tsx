import { type LoaderFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import type { DeliveryState } from '#src/events/deliveries.ts';
import { eventTypes } from '#src/feedback/event-log/event-types.ts';
import type { RequestContext } from '#src/identity/users/request-context.ts';
import type { Visit } from '#src/pages/visit.ts';
import { countBacklog } from '#src/webhooks/delivery/backlog.ts';
import { listDeliveries, listLastAttempts } from '#src/webhooks/log/log.ts';
import {
  countAttempts,
  countAttemptsByHour,
  findMedianTime,
  isSlowMedian,
  withLastSuccess,
} from '#src/webhooks/log/statistics.ts';
import { resendRefusals } from '#src/webhooks/managing/managing.ts';
import { findLatestVerification } from '#src/webhooks/verification/verification-log.ts';
import { disablesAt, isTroubled } from '#src/webhooks/webhook/health.ts';
import { healthOf } from '#src/webhooks/webhook/health-columns.ts';
import type { WebhookRow } from '#src/webhooks/webhook/webhooks.ts';
import { localize, localizeOutcome, localizeStored } from '../../lib/localize.ts';
import { answerForm, formAnswerOf, ownOf } from '../../parts/requests/forms.ts';
import { formAction } from '../../parts/requests/member.ts';
import { reportDone } from '../../parts/requests/toasts.ts';
import { type DeliveryView, Log, type LogFilters } from './deliveries.tsx';
import { Enabling } from './enabling.tsx';
import { Health, type HealthView } from './health.tsx';
import { openWebhook, viewAttempt, webhookState } from './webhooks.ts';

const PAGE = 25;
const HOUR_MS = 3_600_000;
const states: readonly DeliveryState[] = ['waiting', 'delivered', 'given_up', 'skipped'];
/** How far back a filter or a replay can look. */
const spans: Readonly<Record<string, number>> = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 };

export async function loader(args: LoaderFunctionArgs) {
  const { visit, context, row } = await openWebhook(args);
  const { db } = visit;
  const verification = await findLatestVerification(db.read, context.board.id, row.id);
  const types = [...eventTypes, 'test'];
  const { filters, before } = readFilters(args.url, types);
  return {
    state: webhookState(row),
    isChat: row.kind !== 'PLAIN',
    reason: row.disabled_reason && localizeStored(row.disabled_reason, row.disabled_reason_said),
    verification: verification && viewAttempt(verification),
    health: await readHealth(visit, context, row),
    eventTypes: types,
    filters,
    isFirstPage: before === null,
    ...(await readLog(visit, context, row, filters, before)),
  };
}

function readFilters(url: URL, eventTypes: readonly string[]): { filters: LogFilters; before: string | null } {
  const { searchParams } = url;
  const known = (name: string, values: readonly string[]) => {
    const value = searchParams.get(name) ?? '';
    return values.includes(value) ? value : '';
  };
  const filters = {
    state: known('state', states),
    event: known('event', eventTypes),
    since: known('since', Object.keys(spans)),
  };
  const before = searchParams.get('before');
  return { filters, before: before !== null && /^[0-9a-f-]{36,49}$/.test(before) ? before : null };
}

async function readHealth({ db, clock }: Visit, { board }: RequestContext, row: WebhookRow): Promise<HealthView> {
  const now = clock.now();
  const counts = await countAttempts(db.slow, board.id, now);
  const [shown = row] = await withLastSuccess(db.read, [row]);
  const medianMs = await findMedianTime(db.slow, board.id, row.id, now);
  const { date_last_failure: date, last_failure: words, last_failure_said: said } = row;
  return {
    now,
    counts: counts.get(row.id) ?? null,
    hours: await countAttemptsByHour(db.slow, board.id, row.id, now),
    medianMs,
    isSlow: isSlowMedian(medianMs),
    isTroubled: isTroubled(healthOf(row)),
    waiting: await countBacklog(db.read, board.id, row.id),
    lastSuccess: shown.date_last_success,
    lastFailure: date !== null && words !== null ? { date, words: localizeStored(words, said) } : null,
    failuresInRow: row.failures_in_row,
    disablesAt: disablesAt(healthOf(row)),
  };
}

async function readLog(
  { db, clock }: Visit,
  { board }: RequestContext,
  row: WebhookRow,
  filters: LogFilters,
  before: string | null,
): Promise<{ rows: DeliveryView[]; older: string | null }> {
  const state = states.find((known) => known === filters.state);
  const hours = spans[filters.since];
  const found = await listDeliveries(db.read, board.id, row.id, {
    limit: PAGE + 1,
    ...(state && { states: [state] }),
    ...(filters.event && { eventType: filters.event }),
    ...(hours && { since: clock.now() - hours * HOUR_MS }),
    ...(before && { before }),
  });
  const shown = found.slice(0, PAGE);
  const ids = shown.map(({ id }) => id);
  const last = await listLastAttempts(db.read, board.id, ids);
  const rows = shown.map((delivery) => ({
    id: delivery.id,
    event: delivery.event_type,
    state: delivery.lease_token === null ? delivery.state : ('sending' as const),
    outcome: delivery.outcome && localizeOutcome(delivery.outcome),
    attempts: delivery.attempts,
    status: last.get(delivery.id)?.status ?? null,
    milliseconds: last.get(delivery.id)?.milliseconds ?? null,
    date: delivery.date_created,
  }));
  return { rows, older: found.length > PAGE ? (ids.at(-1) ?? null) : null };
}

export const action = formAction(openWebhook, async ({ form, ...opened }) => {
  const { visit, webhooks, row, here } = opened;
  switch (form.intent) {
    case 'enable': {
      const { webhook } = await webhooks.enable(row.id, form.backlog === 'skip' ? 'skip' : 'deliver');
      throw redirect(webhook.state === 'disabled' ? here : reportDone(visit, `${here}?done=enabled`));
    }
    case 'disable':
      await webhooks.disable(row.id);
      throw redirect(reportDone(visit, `${here}?done=disabled`));
    case 'test': {
      const { deliveryId } = await webhooks.test(row.id);
      throw redirect(reportDone(visit, `${here}/deliveries/${deliveryId}?done=sent`));
    }
    case 'missed': {
      const since = visit.clock.now() - (ownOf(spans, form.since ?? '') ?? 24) * HOUR_MS;
      const count = await webhooks.replayMissed(row.id, since);
      const { nothingMissed } = resendRefusals;
      if (count === 0) return answerForm(form, localize(nothingMissed.text, nothingMissed));
      throw redirect(reportDone(visit, `${here}?done=replayed`));
    }
    default:
      return replay(opened, form);
  }
});

type Opened = Awaited<ReturnType<typeof openWebhook>>;

/** Resends chosen deliveries; delivered ones only if requested. */
async function replay({ visit, webhooks, row, here }: Opened, form: Record<string, string>) {
  const ids = Object.keys(form).flatMap((name) => (name.startsWith('delivery:') ? [name.slice(9)] : []));
  const { replayed, delivered } = await webhooks.replaySelected(row.id, ids, form.again === 'on');
  if (replayed > 0 || (ids.length > 0 && delivered === 0)) throw redirect(reportDone(visit, `${here}?done=replayed`));
  const refusal = delivered > 0 ? resendRefusals.allDelivered : resendRefusals.noneChosen;
  return answerForm(form, localize(refusal.text, refusal));
}

/** The health of a webhook, whether it is enabled, and its deliveries. */
export default function WebhookLog() {
  const data = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const { state, reason, verification, health, rows, filters, eventTypes, older, isFirstPage, isChat } = data;
  const isEnabled = state === 'active' || state === 'failing';
  const log = { rows, filters, eventTypes, older, isFirstPage, isEnabled, answer };
  return (
    <div className="stack sections wide">
      {state !== 'new' && <Health health={health} />}
      <Enabling
        state={state}
        reason={reason}
        waiting={health.waiting}
        verification={verification}
        answer={answer}
        isChat={isChat}
      />
      {(isEnabled || rows.length > 0 || !isFirstPage || state !== 'new') && <Log {...log} />}
    </div>
  );
}
