import type { Insertable } from 'kysely';
import { emptyEntryEvents } from '../../events/events.ts';
import { lockBoard } from '../../identity/board/board.ts';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { Tables, Tx } from '../../platform/db/db.ts';
import { updateRow } from '../../platform/db/rows.ts';
import { badRequest, conflict } from '../../platform/errors.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { requireLine, requireLineOr, requireText, requireTextOr } from '../../platform/texts/text.ts';
import { parseFileIds, replaceFiles } from '../files/attaching.ts';
import { isOfEntry, removeFiles } from '../files/removing.ts';
import { findPosts } from '../posts/posts.ts';
import {
  type ChangelogLabel,
  ENTRY_TEXT,
  ENTRY_TITLE,
  type EntryRow,
  printLabels,
  requireEntryForChange,
} from './entries.ts';
import { parsePostIds, replaceLinks } from './linking.ts';
import { publishPast, republish, withdraw } from './publishing.ts';
import { type DeletedEntry, readEntryState, recordDeletion, recordEdit, recordEntryChange } from './recording.ts';

/** The content of an entry; omitted properties stay unchanged. */
export type EntryChanges = {
  title?: string | null | undefined;
  text?: string | null | undefined;
  labels?: readonly ChangelogLabel[] | null | undefined;
  /** The complete list of linked posts. */
  postIds?: readonly string[] | null | undefined;
  /** The complete list of files. */
  files?: readonly (string | null | undefined)[] | null | undefined;
};

/** The content of a new entry; `id` comes from the form, so that sending the form twice creates one entry. */
export type NewEntry = EntryChanges & { title: string; id?: string };

/** Adds a draft to the changelog. @throws FORBIDDEN, BAD_REQUEST, NOT_FOUND, CONFLICT */
export async function createEntry(context: ActorContext, { id = makeId(), ...input }: NewEntry): Promise<EntryRow> {
  const { board, actor, clock } = context;
  requireRight(actor, 'changelog.edit');
  const now = clock.now();
  const row = {
    board_id: board.id,
    id,
    title: requireLine(input.title, ENTRY_TITLE),
    text: requireText(input.text ?? '', ENTRY_TEXT),
    labels: printLabels(input.labels ?? []),
    author_id: actor.id,
    date_created: now,
    date_updated: now,
  };
  const [postIds, fileIds] = [parsePostIds(input.postIds), parseFileIds(input.files)];
  return context.db.transaction(async (tx) => {
    // The form may have been sent twice.
    await lockBoard(tx, board.id);
    const sent = await findSent(tx, context, id);
    if (sent) return sent;
    const entry = await insertEntry(tx, { ...row, number: await takeNumber(tx, board.id) });
    await replaceLinks(tx, context, entry, postIds);
    await replaceFiles(tx, context, fileIds, entry.id);
    const after = { exists: true, ...(await readEntryState(tx, entry)) };
    await recordEntryChange(tx, context, entry, { exists: false }, after);
    return entry;
  });
}

/**
 * Brings a deleted entry back, published as it was: it keeps its number and its place. Posts that the actor does not see
 * are no longer linked.
 * @throws FORBIDDEN
 */
export async function restoreEntry(context: ActorContext, id: string, deleted: DeletedEntry): Promise<void> {
  const { board, actor, clock } = context;
  requireRight(actor, 'changelog.edit');
  const { title, text, number, labels, dateCreated, postIds } = deleted;
  // What was null is not kept.
  const { authorId = null, datePublished = null, dateScheduled = null } = deleted;
  await context.db.transaction(async (tx) => {
    const row = { board_id: board.id, id, number, title, text, labels: printLabels(labels), author_id: authorId };
    const dates = { date_created: dateCreated, date_updated: clock.now(), date_scheduled: dateScheduled };
    const entry = await insertEntry(tx, { ...row, ...dates });
    const posts = await findPosts(tx, board.id, postIds, actor);
    await replaceLinks(
      tx,
      context,
      entry,
      posts.map((post) => post.id),
    );
    await recordEntryChange(
      tx,
      context,
      entry,
      { exists: false },
      { exists: true, ...(await readEntryState(tx, entry)) },
    );
    if (datePublished !== null) await republish(tx, context, entry, datePublished);
  });
}

/** An entry that was written elsewhere, with its author and dates there; `datePublished` is null for drafts. */
export type PastEntry = NewEntry & {
  id: string;
  authorId: string | null;
  dateCreated: number;
  datePublished: number | null;
  dateScheduled: number | null;
};

/**
 * Adds an entry that was written elsewhere, notifying no one. One that should have been published by now is a draft.
 * @throws FORBIDDEN, BAD_REQUEST, NOT_FOUND, CONFLICT
 */
export async function addPastEntry(context: ActorContext, { id, ...input }: PastEntry): Promise<void> {
  const { board, actor, clock } = context;
  requireRight(actor, 'changelog.edit');
  const now = clock.now();
  const { authorId, dateCreated, datePublished, dateScheduled } = input;
  if (Math.max(dateCreated, datePublished ?? 0) > now) throw badRequest('An entry must not be in the future');
  const row = {
    board_id: board.id,
    id,
    author_id: authorId,
    date_created: dateCreated,
    date_updated: now,
    title: requireLine(input.title, ENTRY_TITLE),
    text: requireText(input.text ?? '', ENTRY_TEXT),
    labels: printLabels(input.labels ?? []),
    date_scheduled: datePublished === null && (dateScheduled ?? 0) > now ? dateScheduled : null,
  };
  const [postIds, fileIds] = [parsePostIds(input.postIds), parseFileIds(input.files)];
  await context.db.transaction(async (tx) => {
    const entry = await insertEntry(tx, { ...row, number: await takeNumber(tx, board.id) });
    await replaceLinks(tx, context, entry, postIds);
    await replaceFiles(tx, context, fileIds, id);
    if (datePublished !== null) await publishPast(tx, context, entry, datePublished);
    const after = { exists: true, ...(await readEntryState(tx, entry)) };
    await recordEntryChange(tx, context, entry, { exists: false }, after);
  });
}

/** The entry that the same form has already created. @throws CONFLICT if it is another user's */
async function findSent(tx: Tx, { board, actor }: ActorContext, id: string): Promise<EntryRow | null> {
  const query = tx.selectFrom('changelog_entries').selectAll().where('board_id', '=', board.id).where('id', '=', id);
  const sent = await query.executeTakeFirst();
  if (sent && sent.author_id !== actor.id) throw conflict('There is already a changelog entry with this id');
  return sent ?? null;
}

async function takeNumber(tx: Tx, boardId: string): Promise<number> {
  const { changelog_number } = await tx
    .updateTable('boards')
    .set((e) => ({ changelog_number: e('changelog_number', '+', 1) }))
    .where('id', '=', boardId)
    .returning('changelog_number')
    .executeTakeFirstOrThrow();
  return changelog_number;
}

function insertEntry(tx: Tx, row: Insertable<Tables['changelog_entries']>): Promise<EntryRow> {
  return tx.insertInto('changelog_entries').values(row).returningAll().executeTakeFirstOrThrow();
}

/** Changes an entry, published or not. @throws FORBIDDEN, BAD_REQUEST, NOT_FOUND, CONFLICT */
export async function updateEntry(context: ActorContext, id: string, changes: EntryChanges): Promise<EntryRow> {
  const title = requireLineOr(changes.title ?? null, ENTRY_TITLE);
  const text = requireTextOr(changes.text ?? null, ENTRY_TEXT);
  const postIds = changes.postIds == null ? null : parsePostIds(changes.postIds);
  const fileIds = changes.files == null ? null : parseFileIds(changes.files);
  return context.db.transaction(async (tx) => {
    const entry = await requireEntryForChange(tx, context, id);
    const before = await readEntryState(tx, entry);
    if (postIds !== null) await replaceLinks(tx, context, entry, postIds);
    if (fileIds !== null) await replaceFiles(tx, context, fileIds, entry.id);
    const changed = await updateRow(tx, 'changelog_entries', entry, {
      ...(title !== null && { title }),
      ...(text !== null && { text }),
      ...(changes.labels != null && { labels: printLabels(changes.labels) }),
      date_updated: context.clock.now(),
    });
    await recordEdit(tx, context, before, changed);
    return changed;
  });
}

/**
 * Removes an entry with its files, reactions, and its content in events and deliveries, which keep only ids. Without
 * files and reactions, undoing it brings the entry back.
 * @returns the entry as it was
 * @throws FORBIDDEN, NOT_FOUND
 */
export async function deleteEntry(context: ActorContext, id: string): Promise<EntryRow> {
  return context.db.transaction(async (tx) => {
    const entry = await requireEntryForChange(tx, context, id);
    const { board_id: boardId } = entry;
    await recordDeletion(tx, context, entry);
    await removeFiles(tx, boardId, isOfEntry(id));
    for (const table of ['changelog_posts', 'changelog_reactions'] as const) {
      await tx.deleteFrom(table).where('board_id', '=', boardId).where('entry_id', '=', id).execute();
    }
    await tx.deleteFrom('changelog_entries').where('board_id', '=', boardId).where('id', '=', id).execute();
    if (entry.date_published !== null) await withdraw(tx, context, entry);
    await emptyEntryEvents(tx, boardId, id);
    return entry;
  });
}
