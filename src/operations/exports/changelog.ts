import { type EntryRow, entryUrl, labelsOf, stateOf } from '../../feedback/changelog/entries.ts';
import { listLinkedPosts, MAX_LINKED_POSTS } from '../../feedback/changelog/linking.ts';
import { listReactions, type ReactionRow, reactionsOf } from '../../feedback/changelog/reactions.ts';
import { fileUrl, findFilesOfEntries } from '../../feedback/files/files.ts';
import { isTeam, type Viewer } from '../../feedback/visibility/posts.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import { toInstant } from '../../platform/lib/instant.ts';
import type { ExportedPerson } from './entries.ts';
import { toFile, toPerson } from './jsonl.ts';
import { People } from './people.ts';

/** Entries that are read at a time. */
const ENTRIES = 50;
const REACTIONS = 1_000;

/**
 * The changelog as lines of JSON, as far as the viewer may see it, in the order in which entries were begun; some at a
 * time, and after them, for the team, the reactions to them.
 */
export async function* readChangelog(context: RequestContext, viewer: Viewer): AsyncGenerator<string> {
  const people = new People(context.db.slow, context.board.id, viewer);
  for (let after = ''; ; ) {
    const entries = await readEntries(context, viewer, after);
    const last = entries.at(-1)?.id;
    if (last === undefined) return;
    yield await toLines(context, viewer, people, entries);
    if (isTeam(viewer)) yield* readReactions(context, people, entries);
    after = last;
  }
}

function readEntries({ db, board }: RequestContext, viewer: Viewer, after: string): Promise<EntryRow[]> {
  const ofBoard = db.slow.selectFrom('changelog_entries').selectAll().where('board_id', '=', board.id);
  const seen = isTeam(viewer) ? ofBoard : ofBoard.where('date_published', 'is not', null);
  return seen.where('id', '>', after).orderBy('id').limit(ENTRIES).execute();
}

async function toLines(
  { db, board, ...context }: RequestContext,
  viewer: Viewer,
  people: People,
  entries: readonly EntryRow[],
): Promise<string> {
  const ids = entries.map(({ id }) => id);
  const reading = { ...context, db: { ...db, read: db.slow }, board, actor: viewer };
  const posts = await listLinkedPosts(reading, ids, { cursor: null, limit: MAX_LINKED_POSTS });
  const files = Map.groupBy(await findFilesOfEntries(db.slow, { boardId: board.id, ids }), ({ entry_id }) => entry_id);
  const authors = await people.find(entries.map(({ author_id }) => author_id));
  const lines = entries.map((entry) => {
    const { id, number, title, text } = entry;
    const ofEntry = (files.get(id) ?? []).map((file) => ({ ...file, url: fileUrl(file, context.baseUrl) }));
    return JSON.stringify({
      row: 'changelogEntry',
      id,
      number,
      url: entryUrl(entry, board, context.baseUrl),
      title,
      text,
      labels: labelsOf(entry),
      state: stateOf(entry),
      postIds: (posts.get(id)?.nodes ?? []).map((post) => post.id),
      files: ofEntry.map(toFile),
      reactions: reactionsOf(entry),
      author: toPerson(authors.get(entry.author_id) ?? null),
      dateScheduled: toInstant(entry.date_scheduled),
      datePublished: toInstant(entry.date_published),
      dateCreated: toInstant(entry.date_created),
      dateUpdated: toInstant(entry.date_updated),
    });
  });
  return `${lines.join('\n')}\n`;
}

async function* readReactions(
  { db, board }: RequestContext,
  people: People,
  entries: readonly EntryRow[],
): AsyncGenerator<string> {
  const asked = { boardId: board.id, entryIds: entries.map(({ id }) => id), limit: REACTIONS };
  for (let after: ReactionRow | null = null; ; ) {
    const rows: ReactionRow[] = await listReactions(db.slow, { ...asked, after });
    const users = await people.find(rows.map((row) => row.user_id));
    yield rows.map((row) => `${JSON.stringify(describeReaction(row, users.get(row.user_id) ?? null))}\n`).join('');
    after = rows.at(-1) ?? after;
    if (rows.length < REACTIONS) return;
  }
}

function describeReaction({ entry_id, reaction, date_created }: ReactionRow, person: ExportedPerson | null): object {
  const user = toPerson(person);
  return { row: 'changelogReaction', entryId: entry_id, reaction, user, dateCreated: toInstant(date_created) };
}
