import { type SqlBool, sql } from 'kysely';
import { type BoardRow, requireBoard } from '../../identity/board/board.ts';
import { mailBrandOf } from '../../identity/users/mail-brand.ts';
import type { Db, Reader, Tx } from '../../platform/db/db.ts';
import { isOneOf, skipLocked } from '../../platform/db/prepare.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import { type Clock, MINUTE_MS } from '../../platform/lib/clock.ts';
import { type NewMail, queueMails } from '../../platform/mail/mails.ts';
import { type EntryRow, labelsOf } from './entries.ts';
import { composeEntryMail } from './entry-mail.ts';
import { findReachable, listSubscribers, type SubscriberRow, wantsEntry } from './subscribers.ts';

/** How an entry goes out to subscribers. It stays when the entry is deleted, which can be undone. */
type MailingTable = {
  board_id: string;
  entry_id: string;
  /** When the entry was last published: who subscribes later does not get it. */
  date_published: number;
  /** When mails may be written; null once all are, or while the entry is not published. */
  date_ready: number | null;
  /** Subscribers up to this id have their mail. */
  done_up_to: string;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    changelog_mailings: MailingTable;
  }
}

/** How long an entry can be withdrawn before it is mailed. */
export const WAIT_MINUTES = 2;
/** Subscribers who are dealt with in one transaction, which takes some 10 ms. */
const SUBSCRIBERS_PER_STEP = 50;

type EntryKey = Pick<EntryRow, 'board_id' | 'id'>;

/** Records that an entry, published now, goes out by mail. Who has it from an earlier time does not get it again. */
export async function beginMailing(tx: Tx, { board_id, id: entry_id }: EntryKey, now: number): Promise<void> {
  const dates = { date_published: now, date_ready: now + WAIT_MINUTES * MINUTE_MS };
  await tx
    .insertInto('changelog_mailings')
    .values({ board_id, entry_id, ...dates, done_up_to: '' })
    .onConflict((c) => c.columns(['board_id', 'entry_id']).doUpdateSet(dates))
    .execute();
  tx.notify('notices');
}

/** Mails an entry to no one else, because it is no longer published. */
export function stopMailing(tx: Tx, { board_id, id }: EntryKey): Promise<void> {
  return update(tx, { board_id, entry_id: id }, { date_ready: null });
}

/** Whether mails about an entry to subscribers are not being written yet. */
export async function isMailingHeld(reader: Reader, boardId: string, entryId: string, now: number): Promise<boolean> {
  const query = reader.selectFrom('changelog_mailings').select('entry_id').where('board_id', '=', boardId);
  return (await query.where('entry_id', '=', entryId).where('date_ready', '>', now).executeTakeFirst()) !== undefined;
}

/** Forgets how entries went out that were published before a time. */
export async function forgetMailings(db: Db, before: number): Promise<void> {
  const areOld = sql<SqlBool>`date_published < ${before} and date_ready is null`;
  const old = db.read.selectFrom('changelog_mailings').select('entry_id').where(areOld).limit(1);
  if ((await old.executeTakeFirst()) === undefined) return;
  await db.transaction((tx) => tx.deleteFrom('changelog_mailings').where(areOld).execute());
}

/**
 * In a query on mailings: followers of the ideas that the entry completes are known, so that who is notified as one of
 * them gets no second mail.
 */
const areFollowersKnown = sql<SqlBool>`not exists (
  select 1 from notices where notices.board_id = changelog_mailings.board_id
    and notices.entry_id = changelog_mailings.entry_id and notices.date_ready is not null)`;

/** When mails to subscribers are due next; null when none wait. */
export async function findNextMailing(reader: Reader): Promise<number | null> {
  const query = reader.selectFrom('changelog_mailings').select('date_ready').where('date_ready', 'is not', null);
  return (await query.orderBy('date_ready').limit(1).executeTakeFirst())?.date_ready ?? null;
}

type MailingDeps = { db: Db; clock: Clock; cipher: Cipher; baseUrl: string };

/**
 * Writes the mails about an entry to its next subscribers, in one transaction with how far it got: a crash sends none
 * twice and loses none.
 * @returns whether there was something to do
 */
export function mailNext({ db, clock, cipher, baseUrl }: MailingDeps): Promise<boolean> {
  const now = clock.now();
  return db.transaction(async (tx) => {
    const due = tx.selectFrom('changelog_mailings').selectAll().where('date_ready', '<=', now);
    const ready = due.where('date_ready', 'is not', null).where(areFollowersKnown);
    const mailing = await skipLocked(tx, ready.orderBy('date_ready').limit(1)).executeTakeFirst();
    if (!mailing) return false;
    const { board_id: boardId, done_up_to: after, date_published: until } = mailing;
    const board = await requireBoard(tx, boardId);
    const entries = tx.selectFrom('changelog_entries').selectAll().where('board_id', '=', boardId);
    const entry = await entries.where('id', '=', mailing.entry_id).executeTakeFirst();
    // Every visitor can own a sandbox, so it must not send mail to others.
    const isMailed = entry && entry.date_published !== null && board.sandbox_visitor === null;
    const next = isMailed ? await listSubscribers(tx, boardId, { after, until, limit: SUBSCRIBERS_PER_STEP }) : [];
    if (isMailed) await queueMails(tx, cipher, await write(tx, { board, entry, baseUrl, cipher }, next), now).queued;
    const isDone = next.length < SUBSCRIBERS_PER_STEP;
    await update(tx, mailing, { done_up_to: next.at(-1)?.id ?? after, ...(isDone && { date_ready: null }) });
    return true;
  });
}

async function update(
  tx: Tx,
  { board_id, entry_id }: Pick<MailingTable, 'board_id' | 'entry_id'>,
  set: Partial<Pick<MailingTable, 'date_ready' | 'done_up_to'>>,
): Promise<void> {
  const query = tx.updateTable('changelog_mailings').set(set).where('board_id', '=', board_id);
  await query.where('entry_id', '=', entry_id).execute();
}

type Written = { board: BoardRow; entry: EntryRow; baseUrl: string; cipher: Cipher };

async function write(tx: Tx, written: Written, subscribers: readonly SubscriberRow[]): Promise<NewMail[]> {
  const { board, entry, baseUrl } = written;
  const wanting = subscribers.filter((subscriber) => wantsEntry(subscriber, labelsOf(entry)));
  if (wanting.length === 0) return [];
  const reachable = await findReachable(tx, board, wanting);
  const told = await findTold(
    tx,
    entry,
    reachable.map(({ address }) => address),
  );
  const brand = mailBrandOf(board, baseUrl);
  return reachable
    .filter(({ address }) => !told.has(address))
    .map((subscriber) => composeEntryMail({ ...written, brand }, subscriber));
}

/** Which of some addresses get, or got, the entry by mail as users who follow its ideas. */
async function findTold(
  tx: Tx,
  { board_id: boardId, id }: EntryRow,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx
    .selectFrom('users')
    .select('email')
    .where('board_id', '=', boardId)
    .where(isOneOf(tx, 'email', addresses))
    .where(
      sql<SqlBool>`exists (
        select 1 from notices join notifications on notifications.board_id = notices.board_id
          and notifications.notice_id = notices.id and notifications.user_id = users.id
        where notices.board_id = ${boardId} and notices.entry_id = ${id}
          and (notifications.date_due is not null or notifications.mail_id is not null))`,
    )
    .execute();
  return new Set(rows.flatMap(({ email }) => email ?? []));
}
