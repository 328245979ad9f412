import { type Expression, type Generated, type Selectable, type SqlBool, sql } from 'kysely';
import type { Tx } from '../platform/db/db.ts';
import { prepare, tableOf } from '../platform/db/prepare.ts';

/**
 * What must be delivered to a webhook, and the result: the queue, the log and the state of retries in one row.
 * - `waiting`: to be sent at `date_due`; without a date it is behind another one about the same post.
 * - `delivered`, `given_up` after the last retry, `skipped` by the owner.
 */
export type DeliveryState = 'waiting' | 'delivered' | 'given_up' | 'skipped';

type DeliveryTable = {
  board_id: string;
  id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
  /** Null for a test, which is not in the event log. */
  event_seq: number | null;
  /** The post, or changelog entry, whose deliveries to the webhook wait for each other. */
  post_id: string | null;
  /** The bytes to send as text, if they are not those of the event: of a test, or a message that has been worded. */
  body: string | null;
  state: DeliveryState;
  /** Number of attempts, and of those since the last replay. */
  attempts: Generated<number>;
  tries: Generated<number>;
  /** Outcome of the last attempt, in a word or two. */
  outcome: string | null;
  date_created: number;
  /** While a worker sends it: when its lease expires and others may take over. */
  date_due: number | null;
  date_done: number | null;
  /** Who is sending it now. */
  lease_token: string | null;
};

declare module '../platform/db/db.ts' {
  interface Tables {
    deliveries: DeliveryTable;
  }
}

export type DeliveryRow = Selectable<DeliveryTable>;

type Announced = { boardId: string; seq: number; eventId: string; type: string; queueId: string | null; now: number };

/**
 * Adds a delivery for each webhook of the board that wants the event. All are due immediately: workers find out which
 * of them are behind others about the same post, so this transaction does not wait for them, nor they for it.
 */
export async function enqueueDeliveries(tx: Tx, event: Announced): Promise<void> {
  const pattern = `%,${event.type},%`;
  await insertDeliveries(tx, { ...event, pattern });
  tx.notify('deliveries');
}

/** Whether a webhook `w` is for the events of a post as it is now; events about no post are for all. */
function isOfItsPosts(postId: Expression<string>): Expression<SqlBool> {
  return sql<SqlBool>`(w.status_ids is null and w.tag_ids is null or not exists (
    select 1 from posts as p where p.board_id = w.board_id and p.id = ${postId} and not (
      (w.status_ids is null or w.status_ids like '%,' || p.status_id || ',%')
      and (w.tag_ids is null or exists (
        select 1 from post_tags as t
        where t.board_id = p.board_id and t.post_id = p.id and w.tag_ids like '%,' || t.tag_id || ',%')))))`;
}

/** Forgets the bodies of deliveries that do not send the bytes of their event, because the event is redacted. */
export async function forgetBodies(tx: Tx, boardId: string, eventIds: readonly string[]): Promise<void> {
  const ofEvents = sql<SqlBool>`deliveries.id in (
    select e.id || '-' || substr(w.id, 25) from ${tableOf(tx, 'e', { id: 'text' }, JSON.stringify(eventIds.map((id) => ({ id }))))}
    cross join webhooks as w where w.board_id = ${boardId} and w.kind <> 'PLAIN')`;
  await tx.updateTable('deliveries').set({ body: null }).where('board_id', '=', boardId).where(ofEvents).execute();
}

const insertDeliveries = prepare<Announced & { pattern: string }, never>((tx, param) => {
  const asInteger = (name: 'seq' | 'now') => sql<number>`cast(${param(name)} as bigint)`;
  const asText = (name: 'eventId' | 'type' | 'queueId') => sql<string>`cast(${param(name)} as text)`;
  const wanted = tx
    .selectFrom('webhooks as w')
    .select([
      'w.board_id',
      // The end of the webhook's id, which is random: short, and unique within the event.
      sql<string>`${asText('eventId')} || '-' || substr(w.id, 25)`.as('id'),
      'w.id as webhook_id',
      asText('eventId').as('event_id'),
      asText('type').as('event_type'),
      asInteger('seq').as('event_seq'),
      asText('queueId').as('post_id'),
      sql<'waiting'>`'waiting'`.as('state'),
      asInteger('now').as('date_created'),
      asInteger('now').as('date_due'),
    ])
    .where('w.board_id', '=', param('boardId'))
    .where('w.takes_events', '=', 1)
    .where((e) => e.or([e('w.events', '=', '*'), e('w.events', 'like', param('pattern'))]))
    .where(isOfItsPosts(asText('queueId')));
  return tx
    .insertInto('deliveries')
    .columns([
      'board_id',
      'id',
      'webhook_id',
      'event_id',
      'event_type',
      'event_seq',
      'post_id',
      'state',
      'date_created',
      'date_due',
    ])
    .expression(wanted as never);
});
