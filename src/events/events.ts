import type { BoardCall } from '../call.ts';
import type { Reader, Tx } from '../db/db.ts';
import { isOneOf, type Prepared, prepare } from '../db/prepare.ts';
import { makeId } from '../lib/ids.ts';
import { enqueueDeliveries } from './deliveries.ts';

/** A row of the event log. `seq` has no gaps within a board and its order is the order of commits. */
export type EventRow = {
  board_id: string;
  seq: number;
  id: string;
  type: string;
  triggered_at: number;
  post_id: string | null;
  actor_id: string | null;
  /** The announcement as JSON text, made once when it happened: every receiver gets these bytes. */
  body: string;
};

declare module '../db/db.ts' {
  interface Tables {
    events: EventRow;
  }
}

/** Every kind of event there is; docs/webhooks.md tells what each carries. */
export const eventTypes = [
  'post.created',
  'post.deleted',
  'post.status.updated',
  'post.tags.updated',
  'comment.created',
  'comment.deleted',
] as const;
export type EventType = (typeof eventTypes)[number];

/** A kind of event: its public name, and how what happened becomes the `data` that receivers see. */
export type EventDefinition<Subject> = { type: EventType; data: (subject: Subject) => unknown };

/** Declares a kind of event; `noun.events.ts` files hold one for each. */
export function defineEvent<Subject>(type: EventType, data: (subject: Subject) => unknown): EventDefinition<Subject> {
  return { type, data };
}

/** What an event is about, beside its subject: the post it belongs to, and who did it (null: the service). */
export type EventOrigin = { postId: string | null; actorId: string | null };

/**
 * Announces an event: the only way to do so. The event commits with the change it announces, or neither does.
 * The sequence number comes from the board's row, which stays locked until the commit; so numbers appear in commit
 * order and a reader that has seen number n will never find a smaller one later.
 */
export async function emit<Subject>(
  tx: Tx,
  call: BoardCall,
  event: EventDefinition<Subject>,
  subject: Subject,
  origin: EventOrigin,
): Promise<void> {
  const now = call.clock.now();
  const boardId = call.board.id;
  const [board] = await nextSeq(tx, { boardId });
  if (!board) throw new Error('The board of an event is gone');
  const body = escapeJson({
    event: event.type,
    boardId,
    triggeredAt: new Date(now).toISOString(),
    data: event.data(subject),
  });
  const announced = { boardId, seq: board.event_seq, type: event.type, now };
  const id = makeId();
  const [inserted] = await insertEvent(tx, { ...announced, id, ...origin, body });
  if (inserted?.is_followed) await enqueueDeliveries(tx, { ...announced, eventId: id, postId: origin.postId });
}

const nextSeq = prepare<{ boardId: string }, { event_seq: number }>((tx, param) =>
  tx
    .updateTable('boards')
    .set((e) => ({ event_seq: e('event_seq', '+', 1) }))
    .where('id', '=', param('boardId'))
    .returning('event_seq'),
);

type EventValues = EventOrigin & {
  boardId: string;
  seq: number;
  id: string;
  type: string;
  now: number;
  body: string;
};

/**
 * `is_followed`: whether a webhook of the board takes events; without one there is nothing to enqueue. It is asked once
 * the board's row is locked: the statement that waits for the lock sees what was there before it waited.
 */
const insertEvent = prepare<EventValues, { is_followed: boolean | 0 | 1 }>((tx, param) =>
  tx
    .insertInto('events')
    .values({
      board_id: param('boardId'),
      seq: param('seq'),
      id: param('id'),
      type: param('type'),
      triggered_at: param('now'),
      post_id: param('postId'),
      actor_id: param('actorId'),
      body: param('body'),
    })
    .returning((e) =>
      e
        .exists(
          e
            .selectFrom('webhooks as w')
            .select('w.id')
            .where('w.board_id', '=', param('boardId'))
            .where('w.takes_events', '=', 1),
        )
        .as('is_followed'),
    ),
) as Prepared<EventValues, { is_followed: boolean | 0 | 1 }>;

/**
 * A value as JSON in which every character above U+007E is a lower-case `\uXXXX` escape, so that receivers which hash
 * the escaped text and receivers which hash the raw text agree.
 */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Which events to read: those after a sequence number, of some types or all, of one post or all. */
export type EventFilter = { after: number; types: readonly string[] | null; postId: string | null; limit: number };

/** The next events in commit order. */
export function listEvents(reader: Reader, boardId: string, filter: EventFilter): Promise<EventRow[]> {
  let query = reader.selectFrom('events').selectAll().where('board_id', '=', boardId).where('seq', '>', filter.after);
  if (filter.types) query = query.where(isOneOf(reader, 'type', filter.types));
  if (filter.postId) query = query.where('post_id', '=', filter.postId);
  return query.orderBy('seq').limit(filter.limit).execute();
}
