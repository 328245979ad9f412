import type { Generated, Insertable, Selectable } from 'kysely';
import { recordChange, type State } from '../../identity/activity/activity.ts';
import { lockBoard } from '../../identity/board/board.ts';
import { requireTagManager } from '../../identity/keys/budget.ts';
import { type Actor, may, requireRight } from '../../identity/users/authority.ts';
import type { ActorContext, ViewerContext } from '../../identity/users/request-context.ts';
import type { Reader, Tx } from '../../platform/db/db.ts';
import { isOneOf, locked, prepare } from '../../platform/db/prepare.ts';
import { updateRow } from '../../platform/db/rows.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { requireColorOr } from '../../platform/lib/color.ts';
import { isId, makeId } from '../../platform/lib/ids.ts';
import { msg } from '../../platform/messages.ts';
import { requireLine, requireLineOr } from '../../platform/texts/text.ts';

type TagTable = {
  board_id: string;
  id: string;
  name: string;
  /** The name in lower case of every script: no two tags of a board have the same. */
  name_folded: string;
  /** CSS hex color. */
  color: string | null;
  /** 1 for a tag that only the team sees. */
  is_private: 0 | 1;
  /** Posts with the tag that are not deleted. */
  post_count: Generated<number>;
  date_created: number;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    tags: TagTable;
    /** Which posts have a tag; a deleted post keeps its rows, so that it can come back as it was. */
    post_tags: { board_id: string; post_id: string; tag_id: string };
  }
}

export type TagRow = Selectable<TagTable>;

/**
 * The tags that a viewer may see, by name. Private ones are for the team; `viewer` is null without an acting user, and
 * for what is public, as events are. Every tag that leaves the server passes through here.
 */
export function visibleTags(tags: readonly TagRow[], viewer: Actor | null): TagRow[] {
  const seesPrivate = may(viewer, 'tag.private');
  return tags.filter((tag) => seesPrivate || tag.is_private === 0).sort(byName);
}

function byName(a: TagRow, b: TagRow): number {
  return a.name_folded < b.name_folded ? -1 : 1;
}

const tagsOfBoard = prepare<{ boardId: string }, TagRow>((reader, param) =>
  reader.selectFrom('tags').selectAll().where('board_id', '=', param('boardId')),
);

/** The tags of a board that `viewer` may know of, by name. */
export async function listTags(reader: Reader, boardId: string, viewer: Actor | null): Promise<TagRow[]> {
  return visibleTags(await tagsOfBoard(reader, { boardId }), viewer);
}

/** The tag with this id, when `viewer` may know of it. */
export async function findTag({ db, board, actor }: ViewerContext, id: string): Promise<TagRow | null> {
  if (!isId(id)) return null;
  const query = db.read.selectFrom('tags').selectAll().where('board_id', '=', board.id).where('id', '=', id);
  return visibleTags(await query.execute(), actor)[0] ?? null;
}

/** The tags with these ids that exist, locked until the transaction ends; tags are always locked in the order of their ids. */
export async function lockTags(tx: Tx, boardId: string, ids: readonly string[]): Promise<TagRow[]> {
  const possible = ids.filter(isId);
  return possible.length === 0 ? [] : lockThese(tx, { boardId, ids: possible });
}

const lockThese = prepare<{ boardId: string; ids: readonly string[] }, TagRow>((tx, param) => {
  const these = tx.selectFrom('tags').selectAll().where('board_id', '=', param('boardId'));
  return locked(tx, these.where(isOneOf(tx, 'id', param('ids'))).orderBy('id'));
});

const NAME = { field: 'name', min: 1, max: 50 };

export type NewTag = {
  name: string;
  /** CSS hex color, `#rgb` or `#rrggbb`. */
  color?: string | null | undefined;
  isPrivate?: boolean | null | undefined;
};

/** Adds a tag to the board. @throws CONFLICT when another one has the name, upper and lower case being the same */
export async function createTag(context: ActorContext, input: NewTag): Promise<TagRow> {
  const name = requireLine(input.name, NAME);
  const color = requireColorOr(input.color ?? null);
  requireRight(context.actor, 'tag.edit');
  requireTagManager(context);
  return context.db.transaction(async (tx) => {
    const names = await requireFreeName(tx, context.board.id, name);
    const isPrivate = input.isPrivate ? 1 : 0;
    const id = makeId();
    await recordTagChange(tx, context, id, { exists: false }, { exists: true, postCount: 0 });
    return insertTag(tx, {
      board_id: context.board.id,
      id,
      ...names,
      color,
      is_private: isPrivate,
      date_created: context.clock.now(),
    });
  });
}

function insertTag(tx: Tx, values: Insertable<TagTable>): Promise<TagRow> {
  return tx.insertInto('tags').values(values).returningAll().executeTakeFirstOrThrow();
}

function recordTagChange(tx: Tx, context: ActorContext, id: string, before: State, after: State): Promise<void> {
  return recordChange(tx, context, { thing: 'TAG', id, before, after });
}

/** What operations change of a tag, by the names of the API. */
export function stateOfTag({ name, color, is_private }: TagRow) {
  return { name, color, isPrivate: is_private === 1 };
}

/** A tag as operations change it. */
export type TagState = ReturnType<typeof stateOfTag>;

/** Changes to a tag: omitted properties stay unchanged, and a null color removes it. */
export type TagChanges = Omit<NewTag, 'name'> & { name?: string | null | undefined };

/** Changes a tag wherever it is used. @throws as `createTag` */
export async function updateTag(context: ActorContext, id: string, changes: TagChanges): Promise<TagRow> {
  const name = requireLineOr(changes.name ?? null, NAME);
  const { color, isPrivate } = changes;
  const newColor = requireColorOr(color);
  requireRight(context.actor, 'tag.edit');
  requireTagManager(context);
  return context.db.transaction(async (tx) => {
    const tag = await requireTagForChange(tx, context.board.id, id);
    const set = {
      ...(name !== null && (await requireFreeName(tx, context.board.id, name, tag.id))),
      ...(newColor !== undefined && { color: newColor }),
      ...(isPrivate != null && { is_private: isPrivate ? (1 as const) : (0 as const) }),
    };
    if (Object.keys(set).length === 0) return tag;
    const changed = await updateRow(tx, 'tags', tag, set);
    await recordTagChange(tx, context, id, stateOfTag(tag), stateOfTag(changed));
    return changed;
  });
}

/**
 * Deletes a tag and removes it from its posts, including deleted ones. This causes no event: a tag can be on all the
 * posts of a board, and an event for each would block all writers.
 */
export async function deleteTag(context: ActorContext, id: string): Promise<TagRow> {
  requireRight(context.actor, 'tag.edit');
  requireTagManager(context);
  return context.db.transaction(async (tx) => {
    const tag = await requireTagForChange(tx, context.board.id, id);
    const ofTag = tx.deleteFrom('post_tags').where('board_id', '=', tag.board_id).where('tag_id', '=', tag.id);
    const posts = await ofTag.returning('post_id').execute();
    await tx.deleteFrom('tags').where('board_id', '=', tag.board_id).where('id', '=', tag.id).execute();
    const before = { exists: true, ...stateOfTag(tag), postIds: posts.map(({ post_id }) => post_id) };
    await recordTagChange(tx, context, id, before, { exists: false });
    return tag;
  });
}

/** A deleted tag as it was: see `stateOfTag`, and the posts that had it. */
export type DeletedTag = TagState & { postIds: readonly string[] };

/** Brings a deleted tag back, on those of its posts that still exist. @throws CONFLICT when another one has its name */
export async function restoreTag(context: ActorContext, id: string, deleted: DeletedTag): Promise<void> {
  const { name, color, isPrivate, postIds } = deleted;
  requireRight(context.actor, 'tag.edit');
  requireTagManager(context);
  await context.db.transaction(async (tx) => {
    const boardId = context.board.id;
    const posts = tx.selectFrom('posts').select(['id', 'date_deleted']).where('board_id', '=', boardId);
    const found = await locked(tx, posts.where(isOneOf(tx, 'id', postIds)).orderBy('id')).execute();
    const names = await requireFreeName(tx, boardId, name);
    const post_count = found.filter(({ date_deleted }) => date_deleted === null).length;
    const row = { board_id: boardId, id, ...names, color, is_private: isPrivate ? (1 as const) : (0 as const) };
    await insertTag(tx, { ...row, post_count, date_created: context.clock.now() });
    await tagAll(tx, boardId, id, postIds);
    await recordTagChange(tx, context, id, { exists: false }, { exists: true });
  });
}

/** Puts a tag on those of these posts that exist, in one statement: it can be on all the posts of a board. */
async function tagAll(tx: Tx, boardId: string, tagId: string, postIds: readonly string[]): Promise<void> {
  const posts = tx
    .selectFrom('posts')
    .select((e) => ['board_id', 'id as post_id', e.val(tagId).as('tag_id')])
    .where('board_id', '=', boardId)
    .where(isOneOf(tx, 'id', postIds));
  await tx.insertInto('post_tags').columns(['board_id', 'post_id', 'tag_id']).expression(posts).execute();
}

async function requireTagForChange(tx: Tx, boardId: string, id: string): Promise<TagRow> {
  const [tag] = await lockTags(tx, boardId, [id]);
  if (!tag) throw notFound('Tag');
  return tag;
}

/** The columns for a name that no other tag has. The board is locked, so two calls cannot both find it free. */
async function requireFreeName(tx: Tx, boardId: string, name: string, ownId?: string) {
  const folded = name.toLowerCase();
  await lockBoard(tx, boardId);
  const query = tx.selectFrom('tags').selectAll().where('board_id', '=', boardId).where('name_folded', '=', folded);
  const other = await query.executeTakeFirst();
  if (other && other.id !== ownId) throw conflict(msg('tagNameTaken', other.name));
  return { name, name_folded: folded };
}
