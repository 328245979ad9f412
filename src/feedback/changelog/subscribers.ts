import type { Selectable } from 'kysely';
import { findReaderAddresses } from '../../identity/access/reader-addresses.ts';
import type { BoardRow } from '../../identity/board/board.ts';
import type { Db, Reader, Tx } from '../../platform/db/db.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { findBounced } from '../../platform/mail/bounces.ts';
import { type ChangelogLabel, labelsOf, printLabels } from './entries.ts';

type SubscriberTable = {
  board_id: string;
  id: string;
  /** In the spelling of `requireMailAddress`. Its owner has confirmed the subscription. */
  address: string;
  /** The labels of entries that they want, as in an entry; empty for all entries. */
  labels: string;
  /** The language of the page on which they subscribed. */
  locale: string;
  date_created: number;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    /** Who gets the changelog by mail, without following anything. */
    changelog_subscribers: SubscriberTable;
  }
}

export type SubscriberRow = Selectable<SubscriberTable>;

/** What someone subscribes to. */
export type Subscription = { address: string; labels: readonly ChangelogLabel[]; locale: string };

/** Subscribes a confirmed address; one that is subscribed already has these labels and this language from now on. */
export async function addSubscriber(
  db: Db,
  boardId: string,
  { address, labels, locale }: Subscription,
  now: number,
): Promise<void> {
  const choice = { labels: printLabels(labels), locale };
  const row = { board_id: boardId, id: makeId(), address, ...choice, date_created: now };
  await db.transaction((tx) =>
    tx
      .insertInto('changelog_subscribers')
      .values(row)
      .onConflict((c) => c.columns(['board_id', 'address']).doUpdateSet(choice))
      .execute(),
  );
}

/** The subscription of an address, which its owner may see. */
export async function findSubscriber(reader: Reader, boardId: string, address: string): Promise<SubscriberRow | null> {
  const query = reader.selectFrom('changelog_subscribers').selectAll().where('board_id', '=', boardId);
  return (await query.where('address', '=', address).executeTakeFirst()) ?? null;
}

/** Ends the subscriptions of addresses. Repeating it changes nothing. */
export async function removeSubscribers(tx: Tx, boardId: string, addresses: readonly string[]): Promise<void> {
  const query = tx.deleteFrom('changelog_subscribers').where('board_id', '=', boardId);
  await query.where(isOneOf(tx, 'address', addresses)).execute();
}

/** Ends the subscriptions of an address on all boards, also on those where its owner is no user. */
export async function removeSubscriptionsOf(tx: Tx, address: string): Promise<void> {
  await tx.deleteFrom('changelog_subscribers').where('address', '=', address).execute();
}

/** The next subscribers after an id who had subscribed by then. */
export async function listSubscribers(
  reader: Reader,
  boardId: string,
  { after, until, limit }: { after: string; until: number; limit: number },
): Promise<SubscriberRow[]> {
  const query = reader.selectFrom('changelog_subscribers').selectAll().where('board_id', '=', boardId);
  return query.where('id', '>', after).where('date_created', '<=', until).orderBy('id').limit(limit).execute();
}

/** Whether a subscriber wants entries with these labels. */
export function wantsEntry({ labels }: Pick<SubscriberRow, 'labels'>, ofEntry: readonly ChangelogLabel[]): boolean {
  return labels === '' || labelsOf({ labels }).some((label) => ofEntry.includes(label));
}

/** Filters subscribers by whether they can get mail, and may see the board now. */
export async function findReachable(
  reader: Reader,
  board: BoardRow,
  subscribers: readonly SubscriberRow[],
): Promise<SubscriberRow[]> {
  const addresses = subscribers.map(({ address }) => address);
  const bounced = await findBounced(reader, board.id, addresses);
  const readers = await findReaderAddresses(reader, board, addresses);
  return subscribers.filter(({ address }) => readers.has(address) && !bounced.has(address));
}

/** How many have subscribed to entries with these labels; all of them without labels given. */
export async function countSubscribers(
  reader: Reader,
  boardId: string,
  ofEntry: readonly ChangelogLabel[] | null = null,
): Promise<number> {
  const rows = await reader
    .selectFrom('changelog_subscribers')
    .select('labels')
    .select((e) => e.cast<number>(e.fn.countAll(), 'integer').as('count'))
    .where('board_id', '=', boardId)
    .groupBy('labels')
    .execute();
  return rows.reduce((sum, row) => sum + (ofEntry === null || wantsEntry(row, ofEntry) ? row.count : 0), 0);
}
