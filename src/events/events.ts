import { sql } from 'kysely';
import type { RequestContext } from '../identity/users/request-context.ts';
import type { Tx } from '../platform/db/db.ts';
import { prepare, prepareInsert, tableOf } from '../platform/db/prepare.ts';
import { makeId } from '../platform/lib/ids.ts';
import { annotate } from '../platform/lib/spans.ts';
import { enqueueDeliveries, forgetBodies } from './deliveries.ts';

/** A row of the event log. `seq` has no gaps within a board and its order is the order of commits. */
export type EventRow = {
  board_id: string;
  seq: number;
  id: string;
  type: string;
  triggered_at: number;
  post_id: string | null;
  actor_id: string | null;
  /** The comment that it is about, if any. */
  comment_id: string | null;
  /** The changelog entry that it is about, if any. */
  entry_id: string | null;
  /** The event as JSON text, written once when it happened: every receiver gets these bytes. */
  body: string;
};

declare module '../platform/db/db.ts' {
  interface Tables {
    events: EventRow;
  }
}

/** A kind of event: its public name, and how what happened becomes the `data` that receivers see. */
export type EventDefinition<Subject, Type = string> = { type: Type; data: (subject: Subject) => unknown };

/** Declares a kind of event; `noun.events.ts` files export one for each, and nothing else. */
export function defineEvent<Type extends string, Subject>(
  type: Type,
  data: (subject: Subject) => unknown,
): EventDefinition<Subject, Type> {
  return { type, data };
}

/** What an event is about, besides its subject: what it belongs to, and who acted (null: Earshot). */
export type EventOrigin = {
  postId: string | null;
  actorId: string | null;
  commentId?: string;
  entryId?: string;
  /** The sequence number, if the caller has taken it from the board's row together with others. */
  seq?: number;
};

/**
 * Announces an event: the only way to do so. The event commits with the change it announces, or neither does.
 * The sequence number comes from the board's row, which stays locked until the commit; so numbers appear in commit
 * order and a reader that has seen number n will never find a smaller one later.
 */
export async function emit<Subject>(
  tx: Tx,
  context: RequestContext,
  event: EventDefinition<Subject>,
  subject: Subject,
  origin: EventOrigin,
): Promise<void> {
  const now = context.clock.now();
  const boardId = context.board.id;
  const { postId, actorId, commentId = null, entryId = null } = origin;
  const seq = origin.seq ?? (await takeSeq(tx, boardId));
  tx.commitEarly({ log: boardId, position: seq });
  const body = makeBody(boardId, event.type, now, event.data(subject));
  const id = makeId();
  const [inserted] = await insertEvent(tx, {
    board_id: boardId,
    seq,
    id,
    type: event.type,
    triggered_at: now,
    post_id: postId,
    actor_id: actorId,
    comment_id: commentId,
    entry_id: entryId,
    body,
  });
  context.operation?.trace?.events.push({ id, type: event.type, postId });
  annotate({ 'earshot.board.id': boardId, 'earshot.event.id': id, 'earshot.event.type': event.type });
  if (!inserted?.is_followed) return;
  await enqueueDeliveries(tx, { boardId, seq, type: event.type, now, eventId: id, queueId: postId ?? entryId });
}

async function takeSeq(tx: Tx, boardId: string): Promise<number> {
  const [board] = await nextSeq(tx, { boardId });
  if (!board) throw new Error('The board of an event is gone');
  return board.event_seq;
}

const nextSeq = prepare<{ boardId: string }, { event_seq: number }>((tx, param) =>
  tx
    .updateTable('boards')
    .set((e) => ({ event_seq: e('event_seq', '+', 1) }))
    .where('id', '=', param('boardId'))
    .returning('event_seq'),
);

/**
 * `is_followed`: whether a webhook of the board takes events; without one there is nothing to enqueue. It is read once
 * the board's row is locked: the statement that waits for the lock sees the state from before it waited.
 */
const insertEvent = prepareInsert(
  'events',
  ['board_id', 'seq', 'id', 'type', 'triggered_at', 'post_id', 'actor_id', 'comment_id', 'entry_id', 'body'],
  (insert, param) =>
    insert.returning((e) =>
      e
        .exists(
          e
            .selectFrom('webhooks as w')
            .select('w.id')
            .where('w.board_id', '=', param('board_id'))
            .where('w.takes_events', '=', 1),
        )
        .as('is_followed'),
    ),
);

function makeBody(boardId: string, event: string, triggeredAt: number, data: unknown): string {
  return escapeJson({ event, boardId, triggeredAt: new Date(triggeredAt).toISOString(), data });
}

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

/** Reduces the events of a permanently deleted post to the ids they are about. */
export async function emptyEvents(tx: Tx, boardId: string, postId: string): Promise<void> {
  const query = tx.selectFrom('events').select(['seq', 'type', 'triggered_at', 'comment_id as id', 'id as event_id']);
  const events = await query.where('board_id', '=', boardId).where('post_id', '=', postId).execute();
  const post = { id: postId };
  while (events.length > 0) {
    const some = events.splice(-EMPTIED_AT_ONCE);
    const eventIds = some.map(({ event_id }) => event_id);
    const rows = some.map(({ seq, type, triggered_at, id }) => {
      const body = makeBody(boardId, type, triggered_at, id === null ? { post } : { comment: { id, post } });
      return { board_id: boardId, seq, body };
    });
    // With the board as a constant, SQLite would look through all of these rows for each event of the board.
    const bare = tableOf(tx, 'bare', { board_id: 'text', seq: 'bigint', body: 'text' }, JSON.stringify(rows));
    await sql`
      update events set body = bare.body, comment_id = null from ${bare}
      where events.board_id = bare.board_id and events.seq = bare.seq`.execute(tx);
    await forgetBodies(tx, boardId, eventIds);
  }
}

/** Empties the events about a changelog entry that is deleted. Nothing is left to hide, so everyone may read them. */
export async function emptyEntryEvents(tx: Tx, boardId: string, entryId: string): Promise<void> {
  const ofBoard = tx.selectFrom('events').select(['seq', 'id', 'type', 'triggered_at']).where('board_id', '=', boardId);
  for (const { seq, id, type, triggered_at } of await ofBoard.where('entry_id', '=', entryId).execute()) {
    const body = makeBody(boardId, type, triggered_at, { entry: { id: entryId } });
    const event = tx.updateTable('events').set({ body, entry_id: null }).where('board_id', '=', boardId);
    await event.where('seq', '=', seq).execute();
    await forgetBodies(tx, boardId, [id]);
  }
}

/** They take about 20 ms on SQLite, which does nothing else in that time. */
export const EMPTIED_AT_ONCE = 500;

/**
 * Makes the events of a permanently deleted post public, since there is no post left by which to decide who may read
 * them. Those of a post that was not public stay visible only to admins.
 */
export async function makeEventsPublic(tx: Tx, boardId: string, postId: string): Promise<void> {
  const query = tx.updateTable('events').set({ post_id: null }).where('board_id', '=', boardId);
  await query.where('post_id', '=', postId).execute();
}
