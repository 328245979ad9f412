import type { Generated, Selectable } from 'kysely';
import { type BoardRow, boardUrl } from '../../identity/board/board.ts';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext, ViewerContext } from '../../identity/users/request-context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { locked, prepare, prepareVariants } from '../../platform/db/prepare.ts';
import { notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/lib/ids.ts';
import { makeSlug } from '../../platform/texts/text.ts';
import { isTeam, type Viewer } from '../visibility/posts.ts';

/** What a changelog entry is about. */
export const changelogLabels = ['NEW', 'IMPROVED', 'FIXED'] as const;
export type ChangelogLabel = (typeof changelogLabels)[number];

/** Whether an entry is published; a scheduled one is published at its date. */
export const changelogStates = ['DRAFT', 'SCHEDULED', 'PUBLISHED'] as const;
export type ChangelogState = (typeof changelogStates)[number];

type EntryTable = {
  board_id: string;
  id: string;
  /** Counts up from 1 on each board. */
  number: number;
  title: string;
  /** Markdown; empty if none. */
  text: string;
  /** Names of `changelogLabels`, separated by spaces. */
  labels: string;
  /** Who wrote it; null once that user is erased. */
  author_id: string | null;
  /** When it will be published; null unless it is scheduled. */
  date_scheduled: number | null;
  /** Null unless it is published. */
  date_published: number | null;
  /** Number of users with each reaction, see `reactions.ts`. */
  thumbs_up_count: Generated<number>;
  heart_count: Generated<number>;
  party_count: Generated<number>;
  eyes_count: Generated<number>;
  date_created: number;
  date_updated: number;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    changelog_entries: EntryTable;
  }
}

export type EntryRow = Selectable<EntryTable>;

export const ENTRY_TITLE = { field: 'title', min: 1, max: 200 };
export const ENTRY_TEXT = { field: 'text', min: 0, max: 20_000 };

/** The state of an entry. */
export function stateOf({
  date_scheduled,
  date_published,
}: Pick<EntryRow, 'date_scheduled' | 'date_published'>): ChangelogState {
  if (date_published !== null) return 'PUBLISHED';
  return date_scheduled === null ? 'DRAFT' : 'SCHEDULED';
}

/** The labels of an entry, in the order of `changelogLabels`. */
export function labelsOf({ labels }: Pick<EntryRow, 'labels'>): ChangelogLabel[] {
  const names = labels.split(' ');
  return changelogLabels.filter((label) => names.includes(label));
}

/** Labels as stored in a row. */
export function printLabels(labels: readonly ChangelogLabel[]): string {
  return changelogLabels.filter((label) => labels.includes(label)).join(' ');
}

/** Whether a viewer may see an entry: the team sees all, everyone else those that are published. */
export function seesEntry(viewer: Viewer, { date_published }: Pick<EntryRow, 'date_published'>): boolean {
  return date_published !== null || isTeam(viewer);
}

const entryBy = prepareVariants(({ key }: { key: 'id' | 'number' }) =>
  prepare<{ boardId: string; value: string | number }, EntryRow>((reader, param) =>
    reader
      .selectFrom('changelog_entries')
      .selectAll()
      .where('board_id', '=', param('boardId'))
      .where(key, '=', param('value')),
  ),
);

/** The entry with this id; null if there is none that the viewer may see. */
export async function findEntry({ db, board, actor }: ViewerContext, id: string): Promise<EntryRow | null> {
  if (!isId(id)) return null;
  const [entry] = await entryBy({ key: 'id' })(db.read, { boardId: board.id, value: id });
  return entry && seesEntry(actor, entry) ? entry : null;
}

/** As `findEntry`, by the entry's number, which is part of its URL. */
export async function findEntryByNumber({ db, board, actor }: ViewerContext, number: number): Promise<EntryRow | null> {
  if (!Number.isSafeInteger(number) || number < 1) return null;
  const [entry] = await entryBy({ key: 'number' })(db.read, { boardId: board.id, value: number });
  return entry && seesEntry(actor, entry) ? entry : null;
}

/** An entry that the actor may see, locked until the transaction ends; null if there is none. */
export async function lockEntry(tx: Tx, { board, actor }: ActorContext, id: string): Promise<EntryRow | null> {
  const query = tx.selectFrom('changelog_entries').selectAll().where('board_id', '=', board.id).where('id', '=', id);
  const entry = isId(id) ? await locked(tx, query).executeTakeFirst() : undefined;
  return entry && seesEntry(actor, entry) ? entry : null;
}

/** As `lockEntry`. @throws NOT_FOUND */
export async function requireEntryForReaction(tx: Tx, context: ActorContext, id: string): Promise<EntryRow> {
  const entry = await lockEntry(tx, context, id);
  if (!entry) throw notFound('Changelog entry');
  return entry;
}

/**
 * An entry for the team to change, locked until the transaction ends.
 * @throws FORBIDDEN, NOT_FOUND
 */
export async function requireEntryForChange(tx: Tx, context: ActorContext, id: string): Promise<EntryRow> {
  requireRight(context.actor, 'changelog.edit');
  return requireEntryForReaction(tx, context, id);
}

/** The URL of an entry, relative to its board. */
export function entryPath({ number, title }: Pick<EntryRow, 'number' | 'title'>): string {
  return `changelog/${number}/${encodeURIComponent(makeSlug(title))}`;
}

/** The URL of an entry. */
export function entryUrl(entry: Pick<EntryRow, 'number' | 'title'>, board: BoardRow, baseUrl: string): string {
  return `${boardUrl(board, baseUrl)}/${entryPath(entry)}`;
}
