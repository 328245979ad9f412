import { sql } from 'kysely';
import type { RequestContext } from '../identity/users/request-context.ts';
import type { Tx } from '../platform/db/db.ts';
import { prepare, prepareInsert } from '../platform/db/prepare.ts';
import { badRequest } from '../platform/errors.ts';
import { makeId } from '../platform/lib/ids.ts';
import { makeExcerpt } from '../platform/lib/text.ts';
import { msg } from '../platform/messages.ts';
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
  /** The comment that it is about, if any. */
  comment_id: string | null;
  /** The announcement as JSON text, made once when it happened: every receiver gets these bytes. */
  body: string;
};

declare module '../platform/db/db.ts' {
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

/** Event types from outside, in the order of the catalogue. @throws BAD_REQUEST naming one that does not exist */
export function requireEventTypes(names: readonly string[], field: string): EventType[] {
  const unknown = names.find((name) => !eventTypes.some((type) => type === name));
  if (unknown !== undefined) {
    const quoted = JSON.stringify(makeExcerpt(unknown, MAX_QUOTED));
    throw badRequest(msg`There is no event ${quoted}; there are ${eventTypes.join(', ')}`, field);
  }
  return eventTypes.filter((type) => names.includes(type));
}

/** Characters of an unknown name that an error repeats. */
const MAX_QUOTED = 50;

/** A kind of event: its public name, and how what happened becomes the `data` that receivers see. */
export type EventDefinition<Subject> = { type: EventType; data: (subject: Subject) => unknown };

/** Declares a kind of event; `noun.events.ts` files hold one for each. */
export function defineEvent<Subject>(type: EventType, data: (subject: Subject) => unknown): EventDefinition<Subject> {
  return { type, data };
}

/** What an event is about, beside its subject: the post and comment it belongs to, and who did it (null: the service). */
export type EventOrigin = {
  postId: string | null;
  actorId: string | null;
  commentId?: string;
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
  const { postId, actorId, commentId = null } = origin;
  const seq = origin.seq ?? (await takeSeq(tx, boardId));
  tx.commitEarly({ log: boardId, position: seq });
  const body = escapeJson({
    event: event.type,
    boardId,
    triggeredAt: new Date(now).toISOString(),
    data: event.data(subject),
  });
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
    body,
  });
  if (inserted?.is_followed) await enqueueDeliveries(tx, { boardId, seq, type: event.type, now, eventId: id, postId });
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
 * `is_followed`: whether a webhook of the board takes events; without one there is nothing to enqueue. It is asked once
 * the board's row is locked: the statement that waits for the lock sees what was there before it waited.
 */
const insertEvent = prepareInsert(
  'events',
  ['board_id', 'seq', 'id', 'type', 'triggered_at', 'post_id', 'actor_id', 'comment_id', 'body'],
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

/** Leaves of the events of a post only what they are about, for a post that is gone permanently. */
export async function emptyEvents(tx: Tx, boardId: string, postId: string): Promise<void> {
  for (const type of eventTypes) {
    const frame = escapeJson({ event: type, boardId, triggeredAt: new Date(0).toISOString(), data: 0 });
    const head = sql<string>`substr(body, 1, ${sql.lit(frame.indexOf('"data":') + '"data":'.length)})`;
    const post = `{"id":"${postId}"}`;
    const data = type.startsWith('comment.')
      ? sql`'{"comment":{"id":"' || comment_id || ${`","post":${post}}}}`}`
      : sql`${`{"post":${post}}}`}`;
    await tx
      .updateTable('events')
      .set({ body: sql<string>`${head} || ${data}`, comment_id: null })
      .where('board_id', '=', boardId)
      .where('post_id', '=', postId)
      .where('type', '=', type)
      .execute();
  }
}

/**
 * Makes the events of a permanently deleted post public, since there is no post any more by which to decide who may
 * read them. Those of a post that was not public are left to admins.
 */
export async function openEvents(tx: Tx, boardId: string, postId: string): Promise<void> {
  const query = tx.updateTable('events').set({ post_id: null }).where('board_id', '=', boardId);
  await query.where('post_id', '=', postId).execute();
}
