import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import { AppError } from '../../platform/errors.ts';
import { deriveId } from '../../platform/lib/ids.ts';
import { findableText, printable } from '../../platform/texts/text.ts';
import type { ImportItem, SourceName } from './items.ts';

/** A post of the board that came with an import; one that is deleted, merged or locked gets no more comments and votes. */
export type Known = { id: string; title: string | null; isOpen: boolean };

/** The id of an imported comment. */
export function commentIdOf({ board }: Pick<ActorContext, 'board'>, source: SourceName, id: string): string {
  return deriveId(board.id, source, 'comment', id);
}

/** The id of an imported vote, until its voter changes it. */
export function voteIdOf({ board }: Pick<ActorContext, 'board'>, postId: string, userId: string): string {
  return deriveId(board.id, 'vote', postId, userId);
}

/**
 * In a query: whether a comment or vote has an id of those that are given here. What is done on the board has one with
 * the time of that, not of the board's creation.
 */
export function isImportedId(column: string, boardId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} like ${`${boardId.slice(0, 14)}%`}`;
}

/** How many upvotes on a post came with their voters by imports. */
export async function countNamed({ db, board }: Pick<ActorContext, 'db' | 'board'>, postId: string): Promise<number> {
  const ofPost = db.read.selectFrom('votes').where('board_id', '=', board.id).where('post_id', '=', postId);
  const { count } = await ofPost
    .where('type', '=', 'UP')
    .where(isImportedId('votes.id', board.id))
    .select((e) => e.cast<number>(e.fn.countAll(), 'integer').as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The id of an imported entry of the changelog. */
export function entryIdOf({ board }: Pick<ActorContext, 'board'>, source: SourceName, id: string): string {
  return deriveId(board.id, source, 'entry', id);
}

/** What the board has of some items: the posts, comments and entries that they are or belong to, by their ids in the source. */
export async function findKnown(
  context: Pick<ActorContext, 'db' | 'board'>,
  source: SourceName,
  items: readonly ImportItem[],
): Promise<{ posts: Map<string, Known>; comments: Set<string>; entries: Set<string> }> {
  const postIds = items.flatMap(postIdsOf);
  const commentIds = items.flatMap(commentIdsOf);
  const entryIds = items.flatMap(entryIdsOf);
  return {
    posts: await findImported(context, source, postIds),
    comments: await findDerived(context, 'comments', (id) => commentIdOf(context, source, id), commentIds),
    entries: await findDerived(context, 'changelog_entries', (id) => entryIdOf(context, source, id), entryIds),
  };
}

function postIdsOf(item: ImportItem): readonly string[] {
  if (item.kind === 'post') return [item.id];
  if (item.kind === 'entry') return item.postIds;
  return 'postId' in item ? [item.postId] : [];
}

function commentIdsOf(item: ImportItem): readonly string[] {
  if (item.kind === 'comment') return [item.id];
  return item.kind === 'commentReaction' ? [item.commentId] : [];
}

function entryIdsOf(item: ImportItem): readonly string[] {
  if (item.kind === 'entry') return [item.id];
  return item.kind === 'entryReaction' ? [item.entryId] : [];
}

/** Comments that have taken the place of earlier ones get an id of their own: the board has those under the same id. */
export async function tellApart(
  context: Pick<ActorContext, 'db' | 'board'>,
  source: SourceName,
  items: readonly ImportItem[],
): Promise<readonly ImportItem[]> {
  const ids = new Set(items.flatMap((item) => (item.kind === 'comment' && item.isReplaceable ? item.id : [])));
  if (ids.size === 0) return items;
  const { db, board } = context;
  const ofBoard = db.read.selectFrom('comments').select(['id', 'date_created']).where('board_id', '=', board.id);
  const derived = [...ids].map((id) => commentIdOf(context, source, id));
  const rows = await ofBoard.where(isOneOf(db.read, 'id', derived)).execute();
  const dates = new Map(rows.map((row) => [row.id, row.date_created]));
  return items.map((item) => {
    if (item.kind !== 'comment' || !item.isReplaceable) return item;
    const date = dates.get(commentIdOf(context, source, item.id));
    return date === undefined || date === item.dateCreated ? item : { ...item, id: `${item.id} ${item.dateCreated}` };
  });
}

/** The ids whose row, under the id derived from theirs, is on the board. */
async function findDerived(
  { db, board }: Pick<ActorContext, 'db' | 'board'>,
  table: 'comments' | 'changelog_entries',
  derive: (id: string) => string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const byId = new Map(ids.map((id) => [derive(id), id]));
  const ofBoard = db.read.selectFrom(table).select('id').where('board_id', '=', board.id);
  const rows = await ofBoard.where(isOneOf(db.read, 'id', [...byId.keys()])).execute();
  return new Set(rows.map(({ id }) => byId.get(id) ?? ''));
}

/** The external id of an imported post, by which a repeated import finds it again. */
export function externalIdOf(source: SourceName, id: string): string {
  return `${source}:${id}`;
}

/** The posts of the board that came from these posts of the source. */
export async function findImported(
  { db, board }: Pick<ActorContext, 'db' | 'board'>,
  source: SourceName,
  ids: readonly string[],
): Promise<Map<string, Known>> {
  // An external id is stored in a normal form, and one that cannot be stored is not there.
  const wanted = Map.groupBy(ids, (id) => findableText(externalIdOf(source, id)) ?? '');
  const posts = db.read
    .selectFrom('posts')
    .select(['id', 'title', 'external_id', 'date_deleted', 'merged_into_id', 'is_locked']);
  const ofBoard = posts.where('board_id', '=', board.id);
  const rows = await ofBoard.where(isOneOf(db.read, 'external_id', [...wanted.keys()])).execute();
  return new Map(
    rows.flatMap(({ id, title, external_id, date_deleted, merged_into_id, is_locked }) => {
      const known = { id, title, isOpen: date_deleted === null && merged_into_id === null && is_locked === 0 };
      return (wanted.get(external_id ?? '') ?? []).map((wantedId) => [wantedId, known] as const);
    }),
  );
}

/** The problem of an item that belongs to something that did not come before it. */
export function missing(what: string, id: string): AppError {
  return new AppError(
    'NOT_FOUND',
    `There is no ${what} ${id.slice(0, 100)} before this line: what belongs to it is left out`,
  );
}

/** Whether the idea that the board has under the same id is another one, by its title. */
export function isOther(known: Known, { title }: { title: string }): boolean {
  const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim().toLowerCase();
  return known.title !== null && !plain(title).startsWith(plain(known.title).slice(0, 40));
}

/** The problem of an idea whose id another one has. */
export function otherOf(known: Known, { id }: { id: string }): string {
  const title = printable(known.title ?? '', 80);
  return `“${printable(id)}” is on the board already, as “${title}”, which stays as it is: if this is another file, take its column of ids out`;
}
