import type { DeliveryRow } from '../../events/deliveries.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import { conflict } from '../../platform/errors.ts';
import { msg } from '../../platform/messages.ts';
import { isStorable } from '../../platform/texts/text.ts';
import { rejoinQueues } from '../delivery/post-queues.ts';
import { requireDelivery } from '../log/log.ts';
import { requireWebhookForChange } from '../webhook/webhooks.ts';

/**
 * Sends a delivery again: the same bytes (chats: a new message) under the same event id, with a new retry schedule. One
 * that waits for a retry is attempted now.
 * @throws CONFLICT when it is being sent, when its webhook is disabled, or for a test
 */
export async function replayDelivery(context: RequestContext, id: string): Promise<DeliveryRow> {
  const { webhook_id: webhookId } = await requireDelivery(context.db.read, context.board.id, id);
  return context.db.transaction(async (tx) => {
    await requireEnabled(tx, context.board.id, webhookId);
    const delivery = await requireDelivery(tx, context.board.id, id);
    if (delivery.lease_token !== null) throw conflict(msg('webhookBeingSent'));
    if (delivery.event_seq === null) throw conflict(msg('webhookWasTest'));
    await rejoinQueues(tx, context.board.id, [id], context.clock.now());
    tx.notify('deliveries');
    return requireDelivery(tx, context.board.id, id);
  });
}

/**
 * Sends again, in order, the deliveries that a webhook missed since an instant, and now those that wait for a retry.
 * @returns their number
 */
export async function replayMissed(context: RequestContext, webhookId: string, since: number): Promise<number> {
  return context.db.transaction(async (tx) => {
    await requireEnabled(tx, context.board.id, webhookId);
    const missed = await tx
      .selectFrom('deliveries')
      .select('id')
      .where('board_id', '=', context.board.id)
      .where('webhook_id', '=', webhookId)
      .where('lease_token', 'is', null)
      .where((e) =>
        e.or([
          e('state', 'in', ['given_up', 'skipped']),
          // What was not tried yet is behind others, or due anyway.
          e.and([e('state', '=', 'waiting'), e('attempts', '>', 0)]),
        ]),
      )
      .where('event_seq', 'is not', null)
      .where('date_created', '>=', since)
      .execute();
    await rejoinQueues(tx, context.board.id, missed.map(idOf), context.clock.now());
    tx.notify('deliveries');
    return missed.length;
  });
}

/**
 * Sends some deliveries of a webhook again, in order. Tests, pending ones, and those being sent right now are skipped.
 * @param includesDelivered whether delivered ones are sent, too
 * @returns how many are sent, and how many were skipped because they were delivered
 */
export async function replaySelected(
  context: RequestContext,
  webhookId: string,
  ids: readonly string[],
  includesDelivered: boolean,
): Promise<{ replayed: number; delivered: number }> {
  return context.db.transaction(async (tx) => {
    await requireEnabled(tx, context.board.id, webhookId);
    const done = await tx
      .selectFrom('deliveries')
      .select(['id', 'state'])
      .where('board_id', '=', context.board.id)
      .where('webhook_id', '=', webhookId)
      .where(isOneOf(tx, 'id', ids.filter(isStorable)))
      .where('state', '!=', 'waiting')
      .where('event_seq', 'is not', null)
      .execute();
    const chosen = done.filter(({ state }) => includesDelivered || state !== 'delivered');
    await rejoinQueues(tx, context.board.id, chosen.map(idOf), context.clock.now());
    tx.notify('deliveries');
    return { replayed: chosen.length, delivered: done.length - chosen.length };
  });
}

const idOf = ({ id }: Pick<DeliveryRow, 'id'>) => id;

/** The webhook's row stays locked, and with it the queues of its deliveries. */
async function requireEnabled(tx: Tx, boardId: string, webhookId: string): Promise<void> {
  const webhook = await requireWebhookForChange(tx, boardId, webhookId);
  if (webhook.state === 'disabled') throw conflict(msg('webhookIsDisabled'));
}
