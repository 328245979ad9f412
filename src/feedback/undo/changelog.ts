import type { ActorContext } from '../../identity/users/request-context.ts';
import { lockEntry } from '../changelog/entries.ts';
import { publishEntry, republishEntry, unpublishEntry } from '../changelog/publishing.ts';
import { type DeletedEntry, type EntryState, readEntryState } from '../changelog/recording.ts';
import { deleteEntry, restoreEntry, updateEntry } from '../changelog/writing.ts';
import { findPosts } from '../posts/posts.ts';
import type { Undoable } from './undoable.ts';

/** Entries of the changelog: created, changed, published, withdrawn, deleted. */
export const entry: Undoable<keyof EntryState | 'exists'> = {
  words: {
    exists: 'creation or deletion',
    title: 'title',
    text: 'text',
    labels: 'labels',
    datePublished: 'publication',
    dateScheduled: 'publication',
    postIds: 'linked ideas',
    fileIds: 'files',
  },
  async read(tx, context, id) {
    const row = await lockEntry(tx, context, id);
    return row ? { exists: true, ...(await readEntryState(tx, row)) } : null;
  },
  async write(context, id, { exists, ...state }) {
    if (exists === false) return deleteEntry(context, id);
    if (exists) return restoreEntry(context, id, state as DeletedEntry);
    await changeBack(context, id, state as Partial<EntryState>);
    await publishBack(context, id, state as Partial<EntryState>);
  },
};

async function changeBack(context: ActorContext, id: string, state: Partial<EntryState>): Promise<void> {
  const { title, text, labels, fileIds } = state;
  const { db, board, actor } = context;
  const posts = state.postIds && (await findPosts(db.read, board.id, state.postIds, actor));
  const changes = { title, text, labels, files: fileIds, postIds: posts?.map((post) => post.id) };
  if (Object.values(changes).some((change) => change !== undefined)) await updateEntry(context, id, changes);
}

async function publishBack(context: ActorContext, id: string, state: Partial<EntryState>): Promise<void> {
  const { datePublished, dateScheduled } = state;
  if (datePublished) return republishEntry(context, id, datePublished);
  if (datePublished === null || dateScheduled === null) await unpublishEntry(context, id);
  if (dateScheduled) await publishEntry(context, id, dateScheduled);
}
