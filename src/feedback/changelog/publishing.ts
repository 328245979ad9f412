import { sql } from 'kysely';
import { type EventDefinition, emit } from '../../events/events.ts';
import { requireBoard } from '../../identity/board/board.ts';
import type { ActorContext, RequestContext, ServiceContext } from '../../identity/users/request-context.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { locked } from '../../platform/db/prepare.ts';
import { updateRow } from '../../platform/db/rows.ts';
import { badRequest, conflict } from '../../platform/errors.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { parseLocal } from '../../platform/lib/time-zone.ts';
import { msg } from '../../platform/messages.ts';
import { findPosts } from '../posts/posts.ts';
import { changelogPublished, changelogUnpublished, type EntrySubject } from './changelog.events.ts';
import { type EntryRow, requireEntryForChange } from './entries.ts';
import { findLinkedIds } from './linking.ts';
import { beginMailing, isMailingHeld, stopMailing } from './mailing.ts';
import { areNoticesHeld, notifyOfEntry, removeHeld, removeUnsent } from './notifying.ts';
import { recordEntryChange } from './recording.ts';

/** Maximum number of due entries that one check publishes. */
const DUE_PER_LOOK = 100;

/**
 * Publishes an entry, now or at a future instant. An already published one is not changed.
 * @param holdMs for how long its notifications can be stopped before they begin (`stopEntryMails`)
 * @throws FORBIDDEN; NOT_FOUND; BAD_REQUEST for a past instant; CONFLICT for a future one if the entry is published
 */
export function publishEntry(context: ActorContext, id: string, at: number | null, holdMs = 0): Promise<EntryRow> {
  const now = context.clock.now();
  return context.db.transaction(async (tx) => {
    const entry = await requireEntryForChange(tx, context, id);
    if (at !== null && at <= now) throw badRequest(msg('entryTimePast'), 'at');
    if (at !== null && entry.date_published !== null) {
      throw conflict(msg('entryIsPublished'));
    }
    if (entry.date_published !== null) return entry;
    const changed =
      at === null
        ? await publish(tx, context, entry, now, holdMs)
        : await updateRow(tx, 'changelog_entries', entry, { date_scheduled: at, date_updated: now });
    await recordEntryChange(tx, context, entry, datesOf(entry), datesOf(changed));
    return changed;
  });
}

function datesOf({ date_published: datePublished, date_scheduled: dateScheduled }: EntryRow) {
  return { datePublished, dateScheduled };
}

/** Publishes an entry again that was published before: it keeps its place in the changelog. */
export async function republish(tx: Tx, context: ActorContext, entry: EntryRow, datePublished: number): Promise<void> {
  const published = await publish(tx, context, entry, datePublished);
  await recordEntryChange(tx, context, entry, datesOf(entry), datesOf(published));
}

/** As `republish`, by the id of an entry. @throws FORBIDDEN, NOT_FOUND */
export async function republishEntry(context: ActorContext, id: string, datePublished: number): Promise<void> {
  await context.db.transaction(async (tx) =>
    republish(tx, context, await requireEntryForChange(tx, context, id), datePublished),
  );
}

/** Publishes an entry that is locked. */
async function publish(tx: Tx, context: ServiceContext, entry: EntryRow, at: number, holdMs = 0): Promise<EntryRow> {
  const published = await publishPast(tx, context, entry, at);
  await notifyOfEntry(tx, context, entry, { linkedIds: await findLinkedIds(tx, entry.board_id, entry.id), holdMs });
  await beginMailing(tx, entry, context.clock.now());
  return published;
}

/** As `publish`, without notifying anyone: it was published elsewhere. */
export async function publishPast(tx: Tx, context: ServiceContext, entry: EntryRow, at: number): Promise<EntryRow> {
  const dates = { date_published: at, date_scheduled: null };
  const published = await updateRow(tx, 'changelog_entries', entry, dates);
  await countPublished(tx, entry.board_id, 1);
  await announce(tx, context, changelogPublished, published);
  return published;
}

/**
 * Turns a published or scheduled entry back into a draft.
 * @throws FORBIDDEN, NOT_FOUND
 */
export function unpublishEntry(context: ActorContext, id: string): Promise<EntryRow> {
  return context.db.transaction(async (tx) => {
    const entry = await requireEntryForChange(tx, context, id);
    const draft = await updateRow(tx, 'changelog_entries', entry, { date_published: null, date_scheduled: null });
    await recordEntryChange(tx, context, entry, datesOf(entry), datesOf(draft));
    if (entry.date_published === null) return draft;
    await withdraw(tx, context, entry);
    return draft;
  });
}

/** Whether a published entry goes out by mail that can still be stopped. */
export async function areEntryMailsHeld({ db, clock, board }: RequestContext, id: string): Promise<boolean> {
  const now = clock.now();
  return (await areNoticesHeld(db.read, board.id, id, now)) || (await isMailingHeld(db.read, board.id, id, now));
}

/**
 * Stops the mails about an entry that are held: to followers of its posts, and to subscribers. It stays published.
 * @returns whether it was in time
 * @throws FORBIDDEN, NOT_FOUND
 */
export function stopEntryMails(context: ActorContext, id: string): Promise<boolean> {
  const now = context.clock.now();
  return context.db.transaction(async (tx) => {
    const entry = await requireEntryForChange(tx, context, id);
    const { board_id: boardId } = entry;
    const areHeld = (await removeHeld(tx, boardId, id, now)) > 0;
    if (!(await isMailingHeld(tx, boardId, id, now))) return areHeld;
    await stopMailing(tx, entry);
    return true;
  });
}

/** Counts and announces that a published entry was removed. */
export async function withdraw(tx: Tx, context: ActorContext, entry: EntryRow): Promise<void> {
  await countPublished(tx, entry.board_id, -1);
  await announce(tx, context, changelogUnpublished, entry);
  await removeUnsent(tx, entry);
  await stopMailing(tx, entry);
}

async function countPublished(tx: Tx, boardId: string, change: 1 | -1): Promise<void> {
  const count = sql<number>`changelog_count + ${sql.lit(change)}`;
  await tx.updateTable('boards').set({ changelog_count: count }).where('id', '=', boardId).execute();
}

async function announce(
  tx: Tx,
  context: ServiceContext,
  event: EventDefinition<EntrySubject>,
  entry: EntryRow,
): Promise<void> {
  const { board, actor } = context;
  const linked = await findPosts(tx, board.id, await findLinkedIds(tx, board.id, entry.id), null);
  const postIds = linked.map(({ id }) => id).sort();
  const origin = { postId: null, entryId: entry.id, actorId: actor?.id ?? null };
  await emit(tx, context, event, { context, entry, postIds, user: actor }, origin);
}

/**
 * The instant that a form asks for, such as `2026-11-21T09:30` in the time zone of the actor.
 * @throws BAD_REQUEST
 */
export function requireTime({ actor, board }: ActorContext, text: string): number {
  const at = parseLocal(actor.time_zone ?? board.time_zone, text);
  if (at === null) throw badRequest(msg('entryTimeInvalid'), 'at');
  return at;
}

/** What is needed to publish scheduled entries. */
export type PublishingDeps = { db: Db; clock: Clock; baseUrl: string };

/**
 * Publishes the entries that are due, each in its own transaction. Several processes may do so at once: an entry is
 * locked, and checked again, before it is published.
 */
export async function publishDue({ db, clock, baseUrl }: PublishingDeps, signal?: AbortSignal): Promise<void> {
  const now = clock.now();
  const find = () =>
    db.read
      .selectFrom('changelog_entries')
      .select(['board_id', 'id'])
      .where('date_scheduled', '<=', now)
      .where('date_scheduled', 'is not', null)
      .orderBy('date_scheduled')
      .limit(DUE_PER_LOOK)
      .execute();
  for (let due = await find(); due.length > 0; due = await find()) {
    for (const { board_id, id } of due) {
      if (signal?.aborted) return;
      await db.transaction(async (tx) => {
        const board = await requireBoard(tx, board_id);
        await publishIfDue(tx, { db, clock, baseUrl, board, actor: null }, id, now);
      });
    }
  }
}

async function publishIfDue(tx: Tx, context: ServiceContext, id: string, now: number): Promise<void> {
  const ofBoard = tx.selectFrom('changelog_entries').selectAll().where('board_id', '=', context.board.id);
  const due = ofBoard.where('id', '=', id).where('date_scheduled', '<=', now);
  const entry = await locked(tx, due).executeTakeFirst();
  if (entry) await publish(tx, context, entry, context.clock.now());
}
