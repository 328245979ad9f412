import { type SqlBool, sql } from 'kysely';
import type { DeliveryRow } from '../../events/deliveries.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { isAmong, isOneOf, locked, prepare, rowLimit, tableOf } from '../../platform/db/prepare.ts';

/**
 * Deliveries about one post to one webhook form a queue, in the order of their events. Emitting an event does not look
 * at the queue: its delivery is due immediately. Whether one is the first is determined when it is claimed, and
 * everything that changes a queue later (claims, ends of attempts, replays) happens with the webhook's row locked. In a
 * queue with pending deliveries, either one is being sent, and nothing else may be sent before that has ended; or the
 * first has a date.
 */
type Line = Pick<DeliveryRow, 'board_id' | 'webhook_id' | 'post_id'>;

/** Deliveries that are examined in one step: those behind others are set aside this many at a time. */
export const SCANNED = 256;

/** After deliveries of a board have ended: makes the first pending one in each of their queues due. */
export async function releaseQueues(tx: Tx, boardId: string, ended: readonly Line[], now: number): Promise<void> {
  const lines = ended.flatMap(({ webhook_id, post_id }) => (post_id === null ? [] : [{ webhook_id, post_id }]));
  if (lines.length > 0) await releaseFirst(tx, { boardId, lines: JSON.stringify(lines), now });
}

const releaseFirst = prepare<{ boardId: string; lines: string; now: number }, never>((tx, param) => {
  const lines = tableOf(tx, 'line', { webhook_id: 'text', post_id: 'text' }, param('lines'));
  const first = sql`(select (
    select next.id from deliveries as next
    where next.board_id = ${param('boardId')} and next.webhook_id = line.webhook_id and next.post_id = line.post_id
      and next.state = 'waiting'
    order by next.event_seq limit 1
  ) from ${lines})`;
  return sql`
    update deliveries set date_due = ${param('now')} where board_id = ${param('boardId')} and date_due is null
    and ${isAmong(tx, 'id', first)}`;
});

/**
 * Whether a delivery `d` is behind another one in its queue: a leased one, even if its lease has expired, because that
 * is retried first; or an earlier one. Each is an index probe, however long the queue is.
 */
export const isBehind = sql<SqlBool>`(d.lease_token is null and d.post_id is not null and (
  exists (
    select sent.id from deliveries as sent
    where sent.webhook_id = d.webhook_id and sent.lease_token is not null and sent.post_id = d.post_id
  ) or exists (
    select ahead.id from deliveries as ahead
    where ahead.board_id = d.board_id and ahead.webhook_id = d.webhook_id and ahead.post_id = d.post_id
      and ahead.state = 'waiting' and ahead.event_seq < d.event_seq
  )
))`;

type Aside = { boardId: string; webhookIds: string[]; now: number };

/**
 * Clears the date of due deliveries that are behind others, so that they are not read again before it is their turn.
 * @returns how many; there may be more
 */
export async function moveAside(tx: Tx, aside: Aside): Promise<number> {
  return (await moveSome(tx, aside)).length;
}

const moveSome = prepare<Aside, { id: string }>((tx, param) => {
  const due = sql`(
    select * from deliveries
    where board_id = ${param('boardId')} and ${isOneOf(tx, 'webhook_id', param('webhookIds'))}
      and state = 'waiting' and date_due <= ${param('now')}
    limit ${rowLimit(SCANNED)}
  )`;
  const behind = sql`(select d.id from ${due} as d where ${isBehind})`;
  return sql`
    update deliveries set date_due = null where board_id = ${param('boardId')} and ${isAmong(tx, 'id', behind)}
    returning id`;
});

/**
 * Puts finished deliveries, or those waiting for a retry, back into their queues, at their positions in the order of
 * events. Messages to chats are worded again.
 */
export async function rejoinQueues(tx: Tx, boardId: string, ids: readonly string[], now: number): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ state: 'waiting', tries: 0, body: null, date_done: null, date_due: now })
    .where('board_id', '=', boardId)
    .where(isOneOf(tx, 'id', ids))
    .execute();
}

/**
 * Makes the first delivery of every queue without a date due. There is no such queue, unless a process of an older
 * version emits events alongside this one: it looked at the queue, and could see a delivery ahead that ended in the
 * meantime.
 */
export async function sweepQueues(db: Db, now: number): Promise<void> {
  const webhooks = await db.read.selectFrom('webhooks').select(['board_id', 'id']).execute();
  for (const { board_id: boardId, id: webhookId } of webhooks) {
    const line = { boardId, webhookId };
    if ((await findForgotten(db.read, line)).length === 0) continue;
    await db.transaction(async (tx) => {
      const row = tx.selectFrom('webhooks').select('id').where('board_id', '=', boardId).where('id', '=', webhookId);
      await locked(tx, row).execute();
      const forgotten = await findForgotten(tx, line);
      await releaseQueues(tx, boardId, forgotten, now);
    });
  }
}

const findForgotten = prepare<{ boardId: string; webhookId: string }, Line>(
  (_, param) => sql`
    select board_id, webhook_id, post_id from deliveries
    where board_id = ${param('boardId')} and webhook_id = ${param('webhookId')}
      and state = 'waiting' and date_due is null and post_id is not null
      and post_id not in (
        select sent.post_id from deliveries as sent
        where sent.webhook_id = ${param('webhookId')} and sent.lease_token is not null and sent.post_id is not null
      )
      and id = (
        select first.id from deliveries as first
        where first.board_id = deliveries.board_id and first.webhook_id = deliveries.webhook_id
          and first.post_id = deliveries.post_id and first.state = 'waiting'
        order by first.event_seq limit 1
      )`,
);
