import { type SqlBool, sql } from 'kysely';
import { findReaders } from '../../identity/access/readers.ts';
import { requireBoard } from '../../identity/board/board.ts';
import { mailBrandOf } from '../../identity/users/mail-brand.ts';
import { findUsers, type UserRow } from '../../identity/users/users.ts';
import { type Db, pipelined, type Reader, type Tx } from '../../platform/db/db.ts';
import { isFewOfBoard, isOneOf, skipLocked, tableOf } from '../../platform/db/prepare.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { findBounced } from '../../platform/mail/bounces.ts';
import { type NewMail, queueMails } from '../../platform/mail/mails.ts';
import { isKnownNotice } from '../notices/notices.ts';
import { type Composing, composeDigest, composePostMail, type PostChanges } from './composing.ts';
import { wantsMail } from './schedule.ts';
import { type Pending, readSubjects, type Subjects } from './subjects.ts';

export type GatheringDeps = { db: Db; clock: Clock; cipher: Cipher; baseUrl: string };

/** Users whose mails are queued in one transaction, which takes some 10 ms. */
const USERS_PER_STEP = 50;
/** Notifications of one user that are read at once: a mail shows fewer. */
const MAX_PER_USER = 60;

/**
 * Turns due notifications into mails, for the next users of one board: one for each post, or a digest.
 * @returns whether there was something to do
 */
export function gatherNext({ db, clock, cipher, baseUrl }: GatheringDeps): Promise<boolean> {
  const now = clock.now();
  return db.transaction(async (tx) => {
    const { boardId, userIds } = await findDueUsers(tx, now);
    if (boardId === null) return false;
    const [board, users] = await pipelined([requireBoard(tx, boardId), takeUsers(tx, boardId, userIds)]);
    if (users.length === 0) return false; // other workers are handling them
    const addresses = users.flatMap(({ email }) => email ?? []);
    const [pending, bounced, readers] = await pipelined([
      readPending(tx, boardId, users),
      findBounced(tx, boardId, addresses),
      findReaders(tx, board, users),
    ]);
    const subjects = await readSubjects(tx, boardId, users, pending);
    const shared = { board, brand: mailBrandOf(board, baseUrl), baseUrl, cipher };
    const batches: Batch[] = [];
    for (const [user, rows] of byUser(users, pending)) {
      const canGet = readers.has(user.id) && user.email !== null && !bounced.has(user.email.toLowerCase());
      batches.push(...makeBatches(user, rows, { shared, subjects, now, canGet }));
    }
    await close(tx, boardId, cipher, batches, now);
    return true;
  });
}

/** In a query on `notifications`: whether this version can word them. */
const isKnown = sql<SqlBool>`exists (
  select 1 from notices where notices.board_id = notifications.board_id and notices.id = notifications.notice_id
    and ${isKnownNotice()})`;

/** When the next notification is due; null when none is waiting. */
export async function findNextDue(reader: Reader): Promise<number | null> {
  const query = reader.selectFrom('notifications').select('date_due').where('date_due', 'is not', null).where(isKnown);
  return (await query.orderBy('date_due').limit(1).executeTakeFirst())?.date_due ?? null;
}

/** The next users with notifications that are due, on one board; null when there are none. */
async function findDueUsers(tx: Tx, now: number): Promise<{ boardId: string | null; userIds: string[] }> {
  const query = tx.selectFrom('notifications').select(['board_id', 'user_id']).where('date_due', '<=', now);
  const ofAll = query.where('date_due', 'is not', null).where(isKnown).orderBy('date_due').limit(USERS_PER_STEP);
  // The board is no condition of the query: SQLite would look for it first, at every notification of the board.
  const rows = await ofAll.execute();
  const boardId = rows[0]?.board_id ?? null;
  const userIds = rows.flatMap(({ board_id, user_id }) => (board_id === boardId ? user_id : []));
  return { boardId, userIds: [...new Set(userIds)] };
}

/**
 * The users, locked: two workers must not each send half of their notifications. Notifications of removed users are
 * dropped.
 */
async function takeUsers(tx: Tx, boardId: string, ids: readonly string[]): Promise<UserRow[]> {
  const found = tx
    .selectFrom('users')
    .selectAll()
    .where('board_id', '=', boardId)
    .where(isOneOf(tx, 'id', ids));
  const [taken, known] = await pipelined([
    skipLocked(tx, found.orderBy('id')).execute(),
    findUsers(tx, boardId, ids, ['id']),
  ]);
  const gone = ids.filter((id) => !known.some((user) => user.id === id));
  if (gone.length > 0) await drop(tx, boardId, gone);
  return taken;
}

async function drop(tx: Tx, boardId: string, userIds: readonly string[]): Promise<void> {
  const areTheirs = isFewOfBoard(tx, boardId, isOneOf(tx, 'user_id', userIds));
  const theirs = tx.updateTable('notifications').set({ date_due: null }).where(areTheirs);
  await theirs.where('date_due', 'is not', null).execute();
}

async function readPending(tx: Tx, boardId: string, users: readonly UserRow[]): Promise<Pending[]> {
  const ids = users.map(({ id }) => id);
  const numbered = tx
    .selectFrom('notifications')
    .select(['notice_id', 'user_id', 'post_id', 'reasons', 'date_due'])
    .select(sql<number>`row_number() over (partition by user_id order by date_due, notice_id)`.as('place'))
    .where('board_id', '=', boardId)
    .where(isOneOf(tx, 'user_id', ids))
    .where('date_due', 'is not', null)
    .where(isKnown);
  const rows = await tx
    .selectFrom(numbered.as('n'))
    .innerJoin('notices', (join) => join.on('notices.board_id', '=', boardId).onRef('notices.id', '=', 'n.notice_id'))
    .select(['n.notice_id', 'n.user_id', 'n.post_id', 'n.reasons', 'n.date_due'])
    .select(['notices.kind', 'notices.comment_id', 'notices.entry_id', 'notices.actor_id', 'notices.details'])
    .select('notices.post_id as source_id')
    .where('n.place', '<=', MAX_PER_USER)
    .orderBy('n.notice_id')
    .execute();
  return rows as Pending[];
}

function byUser(users: readonly UserRow[], pending: readonly Pending[]): [UserRow, Pending[]][] {
  const rows = Map.groupBy(pending, ({ user_id }) => user_id);
  return users.map((user) => [user, rows.get(user.id) ?? []]);
}

/** Notifications that are done, and the mail that contains them; null if none does. */
type Batch = { userId: string; noticeIds: readonly string[]; mail: NewMail | null };

type Making = {
  shared: Omit<Composing, 'user' | 'dateVoted'>;
  subjects: Subjects;
  now: number;
  /** Whether the user can get mail, and may see the board. */
  canGet: boolean;
};

function makeBatches(user: UserRow, rows: readonly Pending[], making: Making): Batch[] {
  const due = rows.filter(({ date_due }) => date_due <= making.now);
  const isDigest = user.mail_frequency === 'DAILY' || user.mail_frequency === 'WEEKLY';
  if (isDigest || !making.canGet) return [makeDigest(user, due, making)];
  const duePosts = new Set(due.map(({ post_id }) => post_id));
  // Notifications about the same post that are not due yet are included.
  const posts = Map.groupBy(rows, ({ post_id }) => post_id);
  return [...posts].filter(([id]) => duePosts.has(id)).map(([id, rows]) => makePostBatch(user, id, rows, making));
}

function makePostBatch(user: UserRow, postId: string, rows: readonly Pending[], making: Making): Batch {
  const { shared, subjects } = making;
  const [about] = changesFor(user, rows, making);
  const dateVoted = subjects.dateVoted(user.id, postId);
  const mail = about ? composePostMail({ ...shared, user, dateVoted }, about) : null;
  const actors = new Set(rows.map(({ actor_id }) => actor_id));
  return batchOf(user, rows, mail && { ...mail, postId, namedId: actors.size === 1 ? [...actors][0] : null }, shared);
}

function makeDigest(user: UserRow, rows: readonly Pending[], making: Making): Batch {
  const { shared } = making;
  const posts = making.canGet ? changesFor(user, rows, making) : [];
  const mail = posts.length === 0 ? null : composeDigest({ ...shared, user, dateVoted: null }, posts, posts.length);
  return batchOf(user, rows, mail, shared);
}

function batchOf(
  user: UserRow,
  rows: readonly Pending[],
  mail: Omit<NewMail, 'boardId' | 'recipient'> | null,
  { board }: Making['shared'],
): Batch {
  const noticeIds = rows.map(({ notice_id }) => notice_id);
  const isSendable = mail !== null && user.email !== null;
  return {
    userId: user.id,
    noticeIds,
    mail: isSendable ? { ...mail, boardId: board.id, recipient: user.email as string } : null,
  };
}

/** The notifications that still apply: since then, the user may have muted the post, or may no longer see it. */
function changesFor(user: UserRow, rows: readonly Pending[], { subjects }: Making): PostChanges[] {
  const wanted = rows.filter((row) => wantsMail(user, row.kind) && subjects.sees(user, row));
  const posts = Map.groupBy(wanted, ({ post_id }) => post_id);
  return [...posts].flatMap(([id, rows]) => {
    const post = subjects.post(id);
    return post ? [{ post, changes: rows.map((row) => subjects.change(user, row)) }] : [];
  });
}

/** Queues the mails, and records which notifications went in which of them. */
async function close(tx: Tx, boardId: string, cipher: Cipher, batches: readonly Batch[], now: number): Promise<void> {
  const mails = batches.flatMap(({ mail }) => mail ?? []);
  const { ids, queued } = queueMails(tx, cipher, mails, now);
  const mailIds = new Map(mails.map((mail, n) => [mail, ids[n] ?? null]));
  const done = batches.flatMap(({ userId, noticeIds, mail }) =>
    noticeIds.map((notice) => ({
      board: boardId,
      user: userId,
      notice,
      mail: mail ? (mailIds.get(mail) ?? null) : null,
    })),
  );
  const types = { board: 'text', user: 'text', notice: 'text', mail: 'text' } as const;
  const recorded = sql`
    update notifications set date_due = null, mail_id = d.mail
    from ${tableOf(tx, 'd', types, JSON.stringify(done), done.length)}
    where notifications.board_id = d.board and notifications.notice_id = d.notice
      and notifications.user_id = d."user"`.execute(tx);
  await pipelined([queued, recorded]);
}
