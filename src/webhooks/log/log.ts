import type { DeliveryRow, DeliveryState } from '../../events/deliveries.ts';
import type { Reader } from '../../platform/db/db.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import { notFound } from '../../platform/errors.ts';
import { isStorable } from '../../platform/texts/text.ts';
import type { AttemptRow } from '../delivery/attempts.ts';
import type { Timings } from '../http/exchange.ts';

/**
 * Which deliveries of a webhook to list: of some states, of one event type, of events since an instant, before the last
 * id of the page before.
 */
type LogFilter = {
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
