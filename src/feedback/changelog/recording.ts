import { recordChange, type State } from '../../identity/activity/activity.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { findFileIds } from '../files/attaching.ts';
import { type EntryRow, labelsOf } from './entries.ts';
import { findLinkedIds } from './linking.ts';

/** What operations change of an entry, by the names of the API. */
export async function readEntryState(tx: Tx, entry: EntryRow) {
  const { board_id: boardId, id, title, text, date_published, date_scheduled } = entry;
  return {
    title,
    text,
    labels: labelsOf(entry),
    datePublished: date_published,
    dateScheduled: date_scheduled,
    postIds: await findLinkedIds(tx, boardId, id),
    fileIds: await findFileIds(tx, boardId, id),
  };
}

/** An entry as operations change it. */
export type EntryState = Awaited<ReturnType<typeof readEntryState>>;

/** A deleted entry as it was. */
export type DeletedEntry = Pick<EntryState, 'title' | 'text' | 'labels' | 'postIds'> & {
  number: number;
  authorId?: string;
  dateCreated: number;
  datePublished?: number;
  dateScheduled?: number;
};

/** Records what a change of the team did to an entry, see `recordChange`. */
export function recordEntryChange(
  tx: Tx,
  context: ActorContext,
  { id }: Pick<EntryRow, 'id'>,
  before: State,
  after: State,
): Promise<void> {
  return recordChange(tx, context, { thing: 'CHANGELOG_ENTRY', id, before, after });
}

/** Records how an entry changed whose files may have been removed, which no one can bring back. */
export async function recordEdit(tx: Tx, context: ActorContext, before: EntryState, changed: EntryRow): Promise<void> {
  const after = await readEntryState(tx, changed);
  const isFileLost = before.fileIds.some((id) => !after.fileIds.includes(id));
  await recordEntryChange(tx, context, changed, before, { ...after, ...(isFileLost && { lost: 'files' }) });
}

/** Records that an entry is deleted, before it is. With files or reactions it will not come back, and no text is kept. */
export async function recordDeletion(tx: Tx, context: ActorContext, entry: EntryRow): Promise<void> {
  const state = await readEntryState(tx, entry);
  const { number, author_id: authorId, date_created: dateCreated } = entry;
  const reactions = entry.thumbs_up_count + entry.heart_count + entry.party_count + entry.eyes_count;
  const lost = nameLost(state.fileIds.length > 0, reactions > 0);
  if (lost) {
    return recordEntryChange(tx, context, entry, { exists: true, title: entry.title }, { exists: false, lost });
  }
  const before = { exists: true, ...state, number, authorId, dateCreated };
  await recordEntryChange(tx, context, entry, before, { exists: false });
}

function nameLost(hasFiles: boolean, hasReactions: boolean): string | null {
  if (hasFiles) return hasReactions ? 'files and reactions' : 'files';
  return hasReactions ? 'reactions' : null;
}
