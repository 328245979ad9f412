import type { CSSProperties } from 'react';
import type { DeliveryState } from '#src/events/deliveries.ts';
import type { WebhookKind } from '#src/webhooks/chat/kinds.ts';
import type { Locale } from '../../i18n/languages.ts';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import type { WebhookState } from './webhooks.ts';

const colors: Record<WebhookState, string> = {
  active: 'var(--good)',
  troubled: 'var(--warn)',
  failing: 'var(--warn)',
  stopped: 'var(--bad)',
  disabled: 'var(--muted)',
  new: 'var(--muted)',
};

/** The state of a webhook in a word. */
export function WebhookStateName({ state }: { state: WebhookState }) {
  const l = useLocale();
  const words = {
    active: m.webhookActive(l),
    troubled: m.webhookTroubled(l),
    failing: m.webhookFailing(l),
    stopped: m.webhookStopped(l),
    disabled: m.webhookDisabled(l),
    new: m.webhookNew(l),
  };
  return <Dot color={colors[state]} words={words[state]} />;
}

const receivers = { SLACK: 'Slack', DISCORD: 'Discord', TEAMS: 'Teams', REST_HOOK: 'REST hook' };

/** The chat or flow that a webhook sends to; nothing for one that owners have verified. */
export function KindBadge({ kind }: { kind: WebhookKind }) {
  return kind === 'PLAIN' ? null : <span className="badge">{receivers[kind]}</span>;
}

/** The result of a delivery, or that it is being sent right now. */
export type DeliveryStateView = DeliveryState | 'sending';

const deliveryColors: Record<DeliveryStateView, string> = {
  waiting: 'var(--warn)',
  sending: 'var(--pen)',
  delivered: 'var(--good)',
  given_up: 'var(--bad)',
  skipped: 'var(--muted)',
};

/** The labels of delivery states, by their names in filters. */
export function deliveryStateWords(l: Locale): Record<DeliveryStateView, string> {
  return {
    waiting: m.deliveryWaiting(l),
    sending: m.deliverySending(l),
    delivered: m.deliveryDelivered(l),
    given_up: m.deliveryGivenUp(l),
    skipped: m.deliverySkipped(l),
  };
}

/** The state of a delivery in a word. */
export function DeliveryStateName({ state }: { state: DeliveryStateView }) {
  return <Dot color={deliveryColors[state]} words={deliveryStateWords(useLocale())[state]} />;
}

function Dot({ color, words }: { color: string; words: string }) {
  return (
    <span className="status" style={{ '--status-color': color } as CSSProperties}>
      {words}
    </span>
  );
}
