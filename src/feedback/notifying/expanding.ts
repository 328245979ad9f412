import { sql } from 'kysely';
import { type BoardRow, requireBoard } from '../../identity/board/board.ts';
import { findUsers, type UserRow } from '../../identity/users/users.ts';
import { type Db, pipelined, type Reader, type Tx } from '../../platform/db/db.ts';
import { isOneOf, locked, skipLocked, tableOf } from '../../platform/db/prepare.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { CommentRow } from '../comments/comments.ts';
import { kinds, mailSwitches, REASONS } from '../notices/kinds.ts';
import { detailsOf, isKnownNotice, type NoticeRow } from '../notices/notices.ts';
import type { PostRow } from '../posts/posts.ts';
import { listStatuses } from '../statuses/statuses.ts';
import { WAYS } from '../subscriptions/subscriptions.ts';
import { seesComment } from '../visibility/comments.ts';
import { isTeam, seesPost } from '../visibility/posts.ts';
import type { VoteType } from '../votes/votes.ts';
import { dueDate, wantsMail } from './schedule.ts';

/** Users who get their notification in one transaction, which takes some 10 ms. */
const USERS_PER_STEP = 500;

/** The columns read of a user. */
const COLUMNS = [
  ...(['id', 'email', 'role', 'is_api_user', 'standing', 'time_zone', 'mail_frequency'] as const),
  ...mailSwitches,
] as const;

type Recipient = Pick<UserRow, (typeof COLUMNS)[number]>;

/**
 * Creates notifications from a notice that is ready, for the next users: a row for each user to notify.
 * @returns whether there was such a notice
 */
export function expandNext(db: Db, clock: Clock): Promise<boolean> {
  const now = clock.now();
  return db.transaction(async (tx) => {
    const ready = tx
      .selectFrom('notices')
      .selectAll()
      .where('date_ready', '<=', now)
      .where('date_ready', 'is not', null)
      .where(isKnownNotice());
    const notice = await skipLocked(tx, ready.orderBy('date_ready').orderBy('id').limit(1)).executeTakeFirst();
    if (!notice) return false;
    await expand(tx, notice);
    return true;
  });
}

async function expand(tx: Tx, notice: NoticeRow): Promise<void> {
  const [candidates, audience] = await pipelined([
    readCandidates(tx, notice, USERS_PER_STEP),
    findAudience(tx, notice),
  ]);
  const notified = await findNotified(tx, notice, candidates, audience);
  await pipelined([insertNotifications(tx, notice, notified), moveOn(tx, notice, candidates)]);
}

/** Steps of a dry run: it holds up other changes for as long. */
const MAX_DRY_STEPS = 10;

/** How many users notices would notify, and how many of them by mail; `isMinimum` if there are too many to count. */
export type NotifiedCount = { notified: number; mailed: number; isMinimum: boolean };

/** Counts whom notices notify, in a transaction that will be rolled back, by expanding them as the background would. */
export async function expandDry(tx: Tx, boardId: string, noticeIds: readonly string[]): Promise<NotifiedCount> {
  const query = tx.selectFrom('notices').selectAll().where('board_id', '=', boardId);
  const ready = query
    .where(isOneOf(tx, 'id', noticeIds))
    .where('date_ready', 'is not', null)
    .orderBy('id')
    .limit(1);
  let notice = await ready.executeTakeFirst();
  for (let step = 0; notice && step < MAX_DRY_STEPS; step++) {
    await expand(tx, notice);
    notice = await ready.executeTakeFirst();
  }
  const rows = tx
    .selectFrom('notifications')
    .where('board_id', '=', boardId)
    .where(isOneOf(tx, 'notice_id', noticeIds));
  const users = async (isMailed: boolean) => {
    const chosen = isMailed ? rows.where('date_due', 'is not', null) : rows;
    const count = chosen.select((e) => e.cast<number>(e.fn.count('user_id').distinct(), 'integer').as('count'));
    return (await count.executeTakeFirstOrThrow()).count;
  };
  return { notified: await users(false), mailed: await users(true), isMinimum: notice !== undefined };
}

/** The next step goes on behind these users; there is none behind the last. */
async function moveOn(tx: Tx, notice: NoticeRow, candidates: readonly Candidate[]): Promise<void> {
  const isDone = candidates.length < USERS_PER_STEP;
  const doneUpTo = candidates.at(-1)?.user_id ?? notice.done_up_to;
  await tx
    .updateTable('notices')
    .set({ done_up_to: doneUpTo, ...(isDone && { date_ready: null }) })
    .where('board_id', '=', notice.board_id)
    .where('id', '=', notice.id)
    .execute();
}

/** When the next notice is ready; null when none is waiting. */
export async function findNextReady(reader: Reader): Promise<number | null> {
  const query = reader.selectFrom('notices').select('date_ready').where('date_ready', 'is not', null);
  return (await query.where(isKnownNotice()).orderBy('date_ready').limit(1).executeTakeFirst())?.date_ready ?? null;
}

/** A user who may be notified, and their relation to the post. */
export type Candidate = { user_id: string; reasons: number };

/** The next followers of the post of a notice, or members of the team, or all users whom a text mentions. */
async function readCandidates(tx: Tx, notice: NoticeRow, limit: number): Promise<Candidate[]> {
  const { board_id: boardId, post_id: postId, date_created, done_up_to: after } = notice;
  if (notice.reasons & REASONS.TEAM) {
    const users = tx.selectFrom('users').select('id').where('board_id', '=', boardId);
    const readers = users.where(kinds[notice.kind].switch, '=', sql.lit(1));
    const rows = await readers.where('id', '>', after).orderBy('id').limit(limit).execute();
    return rows.map(({ id }) => ({ user_id: id, reasons: REASONS.TEAM }));
  }
  const { repliedTo, mentioned = [] } = detailsOf(notice);
  if (kinds[notice.kind].recipients === REASONS.MENTIONED) {
    return mentioned.map((id) => ({ user_id: id, reasons: REASONS.MENTIONED }));
  }
  const rows = await selectFollowers(tx, boardId, postId)
    .where('subscriptions.user_id', '>', after)
    .where('subscriptions.date_created', '<=', date_created)
    .orderBy('subscriptions.user_id')
    .limit(limit)
    .execute();
  return rows.map((row) => {
    const replied = row.user_id === repliedTo ? REASONS.REPLIED_TO : 0;
    // One change is one notification for each user.
    return { user_id: row.user_id, reasons: mentioned.includes(row.user_id) ? 0 : reasonsOf(row) | replied };
  });
}

/** In a query: who follows a post, and how they voted. */
export function selectFollowers(reader: Reader, boardId: string, postId: string) {
  return reader
    .selectFrom('subscriptions')
    .leftJoin('votes', (join) =>
      join
        .onRef('votes.board_id', '=', 'subscriptions.board_id')
        .onRef('votes.post_id', '=', 'subscriptions.post_id')
        .onRef('votes.user_id', '=', 'subscriptions.user_id'),
    )
    .select(['subscriptions.user_id', 'subscriptions.ways', 'votes.type as vote'])
    .where('subscriptions.board_id', '=', boardId)
    .where('subscriptions.post_id', '=', postId)
    .where('subscriptions.date_ended', 'is', null);
}

/** The relation of followers to a post, as a sum of `REASONS`. */
export function reasonsOf({ ways, vote }: { ways: number; vote: VoteType | null }): number {
  return (
    (ways & WAYS.WROTE ? REASONS.WROTE : 0) |
    (ways & WAYS.COMMENTED ? REASONS.COMMENTED : 0) |
    (ways & WAYS.CHOSE ? REASONS.FOLLOWS : 0) |
    (vote === 'UP' ? REASONS.UPVOTED : 0) |
    (vote === 'DOWN' ? REASONS.DOWNVOTED : 0)
  );
}

type Notified = { user: string; reasons: number; due: number | null };

/** The candidates who have been notified of the same entry already, because of another post that it completes. */
async function findTold(tx: Tx, notice: NoticeRow, candidates: readonly Candidate[]): Promise<ReadonlySet<string>> {
  const { board_id: boardId, entry_id: entryId } = notice;
  if (entryId === null) return new Set();
  const ids = candidates.map(({ user_id }) => user_id);
  const notices = tx.selectFrom('notices').select('id').where('board_id', '=', boardId).where('entry_id', '=', entryId);
  const told = tx.selectFrom('notifications').select('user_id').where('board_id', '=', boardId);
  const rows = await told
    .where('notice_id', 'in', notices)
    .where(isOneOf(tx, 'user_id', ids))
    .execute();
  return new Set(rows.map(({ user_id }) => user_id));
}

/** The candidates who are notified: never the acting user, nor anyone who may not see the post or comment. */
async function findNotified(
  tx: Tx,
  notice: NoticeRow,
  candidates: readonly Candidate[],
  audience: NoticeAudience | null,
): Promise<Notified[]> {
  const chosen = candidates.filter(({ user_id, reasons }) => user_id !== notice.actor_id && reasons & notice.reasons);
  if (chosen.length === 0 || audience === null) return [];
  const { board, sees } = audience;
  const known = await findTold(tx, notice, chosen);
  const ids = chosen.flatMap(({ user_id }) => (known.has(user_id) ? [] : user_id));
  const users = new Map((await findUsers(tx, notice.board_id, ids, COLUMNS)).map((user) => [user.id, user]));
  return chosen.flatMap(({ user_id, reasons }) => {
    const user = users.get(user_id);
    return user && sees(user) ? { user: user_id, reasons, due: dueFor(user, board, notice) } : [];
  });
}

function dueFor(user: Recipient, board: BoardRow, { kind, date_ready, date_created }: NoticeRow): number | null {
  // Every visitor can own a sandbox, so it must not send mail to others.
  if (board.sandbox_visitor !== null || !wantsMail(user, kind)) return null;
  return dueDate(user, board, date_ready ?? date_created);
}

/** The board of a notice, and whether a user may see what it is about. */
type NoticeAudience = { board: BoardRow; sees: (user: Recipient) => boolean };

/** Null when what the notice is about no longer exists. */
async function findAudience(tx: Tx, notice: NoticeRow): Promise<NoticeAudience | null> {
  const { board_id: boardId, comment_id: commentId, entry_id: entryId } = notice;
  const postId = detailsOf(notice).targetId ?? notice.post_id;
  const [board, post, statuses, comment, entry] = await pipelined([
    requireBoard(tx, boardId),
    tx.selectFrom('posts').selectAll().where('board_id', '=', boardId).where('id', '=', postId).executeTakeFirst(),
    listStatuses(tx, boardId),
    commentId === null ? null : readComment(tx, boardId, commentId),
    entryId === null ? null : lockEntry(tx, boardId, entryId),
  ]);
  const status = statuses.find(({ id }) => id === post?.status_id);
  if (!post || !status || comment === undefined || entry === undefined) return null;
  const releasedBy = releaserOf(notice, post, comment);
  return {
    board,
    sees(user) {
      if (user.id === releasedBy) return false;
      if (notice.reasons & REASONS.TEAM && !isTeam(user)) return false;
      const seesIts =
        (comment === null || seesComment(user, comment)) && (entry === null || entry.date_published !== null);
      return seesIts && seesPost(user, post, status);
    },
  };
}

/** The moderator who released a new post or comment, and so knows of it. */
function releaserOf({ kind }: NoticeRow, post: PostRow, comment: CommentRow | null): string | null {
  const { released } = kinds[kind];
  if (released === null) return null;
  return (released === 'POST' ? post : comment)?.moderated_by ?? null;
}

function readComment(tx: Tx, boardId: string, id: string) {
  const query = tx.selectFrom('comments').selectAll().where('board_id', '=', boardId).where('id', '=', id);
  return query.executeTakeFirst();
}

/** Locked, so that the notices of one entry are expanded one after the other: each user is notified once. */
function lockEntry(tx: Tx, boardId: string, id: string) {
  const query = tx.selectFrom('changelog_entries').selectAll().where('board_id', '=', boardId).where('id', '=', id);
  return locked(tx, query).executeTakeFirst();
}

async function insertNotifications(tx: Tx, notice: NoticeRow, notified: readonly Notified[]): Promise<void> {
  if (notified.length === 0) return;
  const { board_id: boardId, id, post_id: source } = notice;
  const postId = detailsOf(notice).targetId ?? source;
  const types = { user: 'text', reasons: 'integer', due: 'bigint' } as const;
  await sql`
    insert into notifications (board_id, notice_id, user_id, post_id, reasons, date_due)
    select ${boardId}, ${id}, n."user", ${postId}, n.reasons, n.due
    from ${tableOf(tx, 'n', types, JSON.stringify(notified))}`.execute(tx);
}
