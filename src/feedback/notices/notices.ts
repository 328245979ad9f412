import { type Selectable, sql } from 'kysely';
import { isOfTeam } from '../../identity/activity/activity.ts';
import type { ActorContext, ServiceContext } from '../../identity/users/request-context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { isFewOfBoard, isKnown, isOneOf, prepare, prepareInsert } from '../../platform/db/prepare.ts';
import { SECOND_MS } from '../../platform/lib/clock.ts';
import { makeId } from '../../platform/lib/ids.ts';
import type { ModerationStatus } from '../visibility/posts.ts';
import type { NamedStatus } from '../visibility/statuses.ts';
import { kinds, type NoticeKind, REASONS } from './kinds.ts';

const { WROTE, UPVOTED, DOWNVOTED, COMMENTED, FOLLOWS, REPLIED_TO } = REASONS;

type NoticeTable = {
  board_id: string;
  id: string;
  /** For MERGE the source. */
  post_id: string;
  kind: NoticeKind;
  comment_id: string | null;
  /** SHIPPED: the changelog entry. */
  entry_id: string | null;
  /** Who made the change, and is not notified; null once that user is erased. */
  actor_id: string | null;
  /** A sum of `REASONS`: which followers are notified. */
  reasons: number;
  /** What the change was, as JSON of `NoticeDetails`. */
  details: string | null;
  date_created: number;
  /** When notifications may be created from it; null once all of them have been. */
  date_ready: number | null;
  /** Users up to this id have their notification. */
  done_up_to: string;
  /** The operation of the team that it is about. */
  operation_id: string | null;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    notices: NoticeTable;
  }
}

export type NoticeRow = Selectable<NoticeTable>;

/** A status of a change, as it was then; older notices do not have its id. */
type MovedStatus = Omit<NamedStatus, 'id'> & { id?: string; color: string };

/** The parts of a change that mails need and that may have changed by then. */
export type NoticeDetails = {
  /** STATUS: both statuses, as they were. */
  from?: MovedStatus;
  to?: MovedStatus;
  /** MERGE: the post that the source went to. */
  targetId?: string;
  /** COMMENT: the author of the comment that this one replies to. */
  repliedTo?: string | null;
  /** MENTION: who is notified. COMMENT and OFFICIAL: who is notified of the mention instead. */
  mentioned?: readonly string[];
  /** Whether moderators hold back what it is about, so that no one is notified until they release it. */
  isHeld?: boolean;
};

/** In a query: whether this version knows what a notice is about; `column` is its kind. */
export function isKnownNotice(column = 'notices.kind') {
  return isKnown(column, Object.keys(kinds));
}

export function detailsOf({ details }: Pick<NoticeRow, 'details'>): NoticeDetails {
  return details === null ? {} : JSON.parse(details);
}

/** The groups that a caller may choose to notify. */
export const audiences = ['author', 'upvoters', 'downvoters', 'commenters', 'followers'] as const;

/** Whom a caller chooses to notify, by their relation to the post. Omitted groups keep their defaults. */
export type Audience = {
  author?: boolean | null | undefined;
  commenters?: boolean | null | undefined;
  upvoters?: boolean | null | undefined;
  downvoters?: boolean | null | undefined;
  followers?: boolean | null | undefined;
};

/**
 * Whom to notify of a change, and for how many milliseconds this can be stopped before it begins (`stopNotifications`,
 * by an id that the caller generated).
 */
export type Notifying = { id?: string | undefined; audience?: Audience | undefined; holdMs?: number | undefined };

/** The longest time for which notifications can be held, so that they can be stopped. */
export const MAX_HOLD_MS = 60 * SECOND_MS;

/** A change to notify of. */
export type NewNotice = Notifying & {
  kind: NoticeKind;
  postId: string;
  commentId?: string | null;
  entryId?: string | null;
  actorId: string | null;
  details?: NoticeDetails;
  /** Whether it is imported and happened earlier: then only the groups that the caller chooses are notified. */
  isImported?: boolean;
  /** Whether it waits for `releaseNotice`. */
  isHeld?: boolean;
};

/**
 * Records, in the transaction of a change, that users must be notified of it. The users are determined in the
 * background (docs/decisions/0016).
 */
export async function recordNotice(
  tx: Tx,
  context: ServiceContext,
  {
    id = makeId(),
    kind,
    postId,
    commentId = null,
    entryId = null,
    actorId,
    details,
    audience,
    holdMs = 0,
    isImported = false,
    isHeld = false,
  }: NewNotice,
): Promise<void> {
  const { board, clock, operation } = context;
  // Of an entry each user is notified once, however often it is published.
  if (operation?.isQuiet && kind !== 'SHIPPED') return;
  const byDefault = kinds[kind].recipients & ~(details?.repliedTo ? 0 : REPLIED_TO);
  const reasons = reasonsFor(isImported ? 0 : byDefault, audience);
  if (reasons === 0) return;
  const now = clock.now();
  await insertNotice(tx, {
    board_id: board.id,
    id,
    post_id: postId,
    kind,
    comment_id: commentId,
    entry_id: entryId,
    actor_id: actorId,
    reasons,
    details: details || isHeld ? JSON.stringify({ ...details, ...(isHeld && { isHeld }) }) : null,
    date_created: now,
    date_ready: isHeld ? null : now + Math.min(Math.max(holdMs, 0), MAX_HOLD_MS),
    operation_id: operationOf(context),
  });
  operation?.trace?.noticeIds.push(id);
  tx.notify('notices');
}

/** The operation to whose notices one belongs, so that it can be taken back with the change. */
function operationOf(context: ServiceContext): string | null {
  return isOfTeam(context) ? (context.operation?.id ?? null) : null;
}

/**
 * Notifies users of a post or comment that moderators held back when it was written and have now released, as if it
 * were written now. If it was released before, no notice waits.
 * @param writtenOn the posts on which it may have been written; a merge may have moved it since
 */
export async function releaseNotice(
  tx: Tx,
  context: ServiceContext,
  { writtenOn, ...about }: { writtenOn: readonly string[]; postId: string; commentId: string | null },
): Promise<void> {
  const { board, clock } = context;
  const isOnPosts = isFewOfBoard(tx, board.id, isOneOf(tx, 'post_id', writtenOn));
  const waiting = tx.selectFrom('notices').selectAll().where(isOnPosts).where('date_ready', 'is', null);
  const notices = await waiting.execute();
  const now = clock.now();
  for (const held of notices) {
    if (held.comment_id !== about.commentId || !detailsOf(held).isHeld) continue;
    const id = makeId();
    const details = JSON.stringify({ ...detailsOf(held), isHeld: false });
    const released = { id, post_id: about.postId, details, date_created: now, date_ready: now };
    const row = tx.updateTable('notices').where('board_id', '=', board.id).where('id', '=', held.id);
    await row.set({ ...released, operation_id: operationOf(context) }).execute();
    context.operation?.trace?.noticeIds.push(id);
    tx.notify('notices');
  }
}

const insertNotice = prepareInsert('notices', [
  'board_id',
  'id',
  'post_id',
  'kind',
  'comment_id',
  'entry_id',
  'actor_id',
  'reasons',
  'details',
  'date_created',
  'date_ready',
  'operation_id',
]);

/** Records that a post or comment waits for the team, or was flagged. */
export async function notifyOfModeration(
  tx: Tx,
  context: ActorContext,
  { status, ...about }: { postId: string; commentId?: string; status: ModerationStatus },
): Promise<void> {
  if (status !== 'PENDING' && status !== 'FLAGGED') return;
  await recordNotice(tx, context, { ...about, kind: 'MODERATION', actorId: context.actor.id });
}

/**
 * Records that there is a new post, if anyone on the team wants to be notified of that; if moderators hold it back, for
 * when they release it.
 */
export async function notifyOfPost(
  tx: Tx,
  context: ActorContext,
  { postId, actorId, isHeld }: { postId: string; actorId: string; isHeld: boolean },
): Promise<void> {
  const readers = isHeld ? [] : await newPostReader(tx, { boardId: context.board.id });
  if (isHeld || readers.length > 0) await recordNotice(tx, context, { kind: 'NEW_POST', postId, actorId, isHeld });
}

const newPostReader = prepare<{ boardId: string }, { id: string }>((tx, param) =>
  tx
    .selectFrom('users')
    .select('id')
    .where('board_id', '=', param('boardId'))
    .where('email_on_new_post', '=', sql.lit(1))
    .limit(sql.lit(1)),
);

/** The reasons for which users are notified: the defaults, as changed by the caller. */
export function reasonsFor(byDefault: number, audience: Audience = {}): number {
  const chosen: [boolean | null | undefined, number][] = [
    [audience.author, WROTE],
    [audience.commenters, COMMENTED],
    [audience.upvoters, UPVOTED],
    [audience.downvoters, DOWNVOTED],
    [audience.followers, FOLLOWS],
  ];
  return chosen.reduce((sum, [choice, bit]) => {
    if (choice == null) return sum;
    return choice ? sum | bit : sum & ~bit;
  }, byDefault);
}
