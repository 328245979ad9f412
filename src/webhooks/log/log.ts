import type { DeliveryRow, DeliveryState } from '../../events/deliveries.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import type { Reader, Tx } from '../../platform/db/db.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { msg } from '../../platform/messages.ts';
import { isStorable } from '../../platform/texts/text.ts';
import type { AttemptRow } from '../delivery/attempts.ts';
import { rejoinQueues } from '../delivery/post-queues.ts';
import type { Timings } from '../http/exchange.ts';
import { requireWebhookForChange } from '../webhook/webhooks.ts';

/**
 * Which deliveries of a webhook to list: of some states, of one event type, of events since an instant, before the last
 * id of the page before.
 */
export type LogFilter = {
  states?: readonly DeliveryState[];
  eventType?: string;
  since?: number;
  before?: string;
  limit: number;
};

/** Deliveries of a webhook, the newest event first. A page stays as it is while new ones are added before it. */
export function listDeliveries(
  reader: Reader,
  boardId: string,
  webhookId: string,
  filter: LogFilter,
): Promise<DeliveryRow[]> {
  let query = reader
    .selectFrom('deliveries')
    .selectAll()
    .where('board_id', '=', boardId)
    .where('webhook_id', '=', webhookId);
  if (filter.states) query = query.where('state', 'in', filter.states);
  if (filter.eventType !== undefined) query = query.where('event_type', '=', filter.eventType);
  if (filter.since !== undefined) query = query.where('date_created', '>=', filter.since);
  if (filter.before !== undefined) query = query.where('id', '<', filter.before);
  return query.orderBy('id', 'desc').limit(filter.limit).execute();
}

/** @throws NOT_FOUND when the board has no such delivery */
export async function requireDelivery(reader: Reader, boardId: string, id: string): Promise<DeliveryRow> {
  const query = reader.selectFrom('deliveries').selectAll().where('board_id', '=', boardId).where('id', '=', id);
  const row = isStorable(id) ? await query.executeTakeFirst() : undefined;
  if (!row) throw notFound('Delivery');
  return row;
}

/** The attempts of a delivery in their order. */
export function listAttempts(reader: Reader, boardId: string, deliveryId: string): Promise<AttemptRow[]> {
  return attemptsOf(reader, boardId, deliveryId).orderBy('id').execute();
}

/** The latest attempts of a delivery in their order: there are more with each time that it is replayed. */
export async function listLatestAttempts(
  reader: Reader,
  boardId: string,
  deliveryId: string,
  limit: number,
): Promise<AttemptRow[]> {
  return (await attemptsOf(reader, boardId, deliveryId).orderBy('id', 'desc').limit(limit).execute()).reverse();
}

function attemptsOf(reader: Reader, boardId: string, deliveryId: string) {
  const query = reader.selectFrom('attempts').selectAll().where('board_id', '=', boardId);
  return query.where('delivery_id', '=', deliveryId);
}

/** The status and the milliseconds of the latest attempt of each of these deliveries that has one. */
export async function listLastAttempts(
  reader: Reader,
  boardId: string,
  deliveryIds: readonly string[],
): Promise<Map<string, { status: number | null; milliseconds: number }>> {
  const rows = await reader
    .selectFrom('attempts')
    .select(['delivery_id', 'status', 'timings'])
    .where('board_id', '=', boardId)
    .where(isOneOf(reader, 'delivery_id', deliveryIds))
    .orderBy('id')
    .execute();
  return new Map(
    rows.map(({ delivery_id, status, timings }) => [
      delivery_id ?? '',
      { status, milliseconds: (JSON.parse(timings) as Timings).total },
    ]),
  );
}

/** The body of a delivery: the bytes that every attempt sends, as text. */
export async function findBody(reader: Reader, delivery: DeliveryRow): Promise<string | null> {
  if (delivery.body !== null || delivery.event_seq === null) return delivery.body;
  const query = reader.selectFrom('events').select('body').where('board_id', '=', delivery.board_id);
  return (await query.where('seq', '=', delivery.event_seq).executeTakeFirst())?.body ?? null;
}

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
    if (delivery.lease_token !== null) throw conflict(msg`This delivery is being sent right now`);
    if (delivery.event_seq === null) throw conflict(msg`This was a test: send a new one instead`);
    await rejoinQueues(tx, context.board.id, [id], context.clock.now());
    tx.notify('deliveries');
    return requireDelivery(tx, context.board.id, id);
  });
}

/** Sends again, in order, the deliveries that a webhook missed since an instant. @returns their number */
export async function replayMissed(context: RequestContext, webhookId: string, since: number): Promise<number> {
  return context.db.transaction(async (tx) => {
    await requireEnabled(tx, context.board.id, webhookId);
    const missed = await tx
      .selectFrom('deliveries')
      .select('id')
      .where('board_id', '=', context.board.id)
      .where('webhook_id', '=', webhookId)
      .where('state', 'in', ['given_up', 'skipped'])
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
  if (webhook.state === 'disabled') throw conflict(msg`The webhook is disabled: enable it first`);
}
