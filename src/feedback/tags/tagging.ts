import { requireTaggable } from '../../identity/keys/budget.ts';
import type { Actor } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { Reader, Tx } from '../../platform/db/db.ts';
import { isOneOf, prepare } from '../../platform/db/prepare.ts';
import { badRequest, notFound } from '../../platform/errors.ts';
import { msg } from '../../platform/messages.ts';
import type { PostKey, PostRow } from '../posts/posts.ts';
import { lockTags, type TagRow, visibleTags } from './tags.ts';

const MAX_TAGS = 50;

/** Tag ids from outside, each once. @throws BAD_REQUEST if there are more than a post may have */
export function parseTagIds<N extends null | undefined>(raw: readonly string[] | N): readonly string[] | N {
  if (raw == null) return raw;
  const ids = [...new Set(raw)];
  if (ids.length <= MAX_TAGS) return ids;
  throw badRequest(msg('tagsTooMany', MAX_TAGS, ids.length), 'tagIds');
}

const tagsOfPosts = prepare<{ boardId: string; postIds: readonly string[] }, TagRow & { post_id: string }>(
  (reader, param) =>
    reader
      .selectFrom('post_tags')
      .innerJoin('tags', (join) =>
        join.onRef('tags.board_id', '=', 'post_tags.board_id').onRef('tags.id', '=', 'post_tags.tag_id'),
      )
      .selectAll('tags')
      .select('post_tags.post_id')
      .where('post_tags.board_id', '=', param('boardId'))
      .where(isOneOf(reader, 'post_tags.post_id', param('postIds'))),
);

/** The tags of posts that `viewer` may see, by the post's id; posts without one are missing. */
export async function findTagsOfPosts(
  reader: Reader,
  boardId: string,
  postIds: readonly string[],
  viewer: Actor | null,
): Promise<Map<string, TagRow[]>> {
  const rows = await tagsOfPosts(reader, { boardId, postIds });
  const byPost = Map.groupBy(rows, (row) => row.post_id);
  return new Map([...byPost].map(([postId, tags]) => [postId, visibleTags(tags, viewer)]));
}

/**
 * The tags with these ids, locked. A tag that the actor may not see is treated as not found.
 * @throws NOT_FOUND when one is missing, FORBIDDEN when the budget of the key does not allow it
 */
export async function requireTags(tx: Tx, context: ActorContext, ids: readonly string[]): Promise<TagRow[]> {
  const tags = requireAll(await lockTags(tx, context.board.id, ids), ids, context.actor);
  requireTaggable(context, tags);
  return tags;
}

/** Puts locked tags on a post that has none of them. */
export async function addTags(tx: Tx, post: PostKey, tags: readonly TagRow[]): Promise<void> {
  if (tags.length === 0) return;
  await insertPostTags(tx, { boardId: post.board_id, postId: post.id, ids: idsOf(tags) });
  await changePostCounts(tx, { boardId: post.board_id, ids: idsOf(tags), change: 1 });
}

/** The tags of a post as they are, and as they were. */
export type TagsReplaced = { tags: readonly TagRow[]; previousTags: readonly TagRow[] };

/**
 * Replaces the tags of a locked post.
 * @throws NOT_FOUND when a tag is missing, FORBIDDEN when the budget of the key does not allow one that changes
 */
export async function replaceTags(
  tx: Tx,
  context: ActorContext,
  post: PostRow,
  ids: readonly string[],
): Promise<TagsReplaced> {
  const previousIds = await findTagIds(tx, post);
  const known = await lockTags(tx, post.board_id, [...previousIds, ...ids]);
  const tags = requireAll(known, ids, context.actor);
  const previousTags = known.filter((tag) => previousIds.includes(tag.id));
  const removed = previousTags.filter((tag) => !tags.includes(tag));
  const added = tags.filter((tag) => !previousTags.includes(tag));
  requireTaggable(context, [...removed, ...added]);
  await removeTags(tx, post, removed);
  await addTags(tx, post, added);
  return { tags, previousTags };
}

/** Removes (-1) or adds (1) a post in the counts of its tags, and returns the tags. */
export async function countInTags(tx: Tx, post: PostRow, change: 1 | -1): Promise<TagRow[]> {
  const tags = await lockTags(tx, post.board_id, await findTagIds(tx, post));
  if (tags.length > 0) await changePostCounts(tx, { boardId: post.board_id, ids: idsOf(tags), change });
  return tags;
}

async function removeTags(tx: Tx, post: PostRow, tags: readonly TagRow[]): Promise<void> {
  if (tags.length === 0) return;
  const query = tx.deleteFrom('post_tags').where('board_id', '=', post.board_id).where('post_id', '=', post.id);
  await query.where(isOneOf(tx, 'tag_id', idsOf(tags))).execute();
  await changePostCounts(tx, { boardId: post.board_id, ids: idsOf(tags), change: -1 });
}

/** Ids of the tags on a post, in order. Until they are locked, some may be deleted. */
export async function findTagIds(reader: Reader, post: PostKey): Promise<string[]> {
  const query = reader.selectFrom('post_tags').select('tag_id').where('board_id', '=', post.board_id);
  return (await query.where('post_id', '=', post.id).orderBy('tag_id').execute()).map((row) => row.tag_id);
}

function requireAll(known: readonly TagRow[], ids: readonly string[], viewer: Actor): TagRow[] {
  const tags = visibleTags(known, viewer).filter((tag) => ids.includes(tag.id));
  if (tags.length < ids.length) throw notFound('Tag');
  return tags;
}

function idsOf(tags: readonly TagRow[]): string[] {
  return tags.map((tag) => tag.id);
}

const insertPostTags = prepare<{ boardId: string; postId: string; ids: readonly string[] }, never>((tx, param) =>
  tx
    .insertInto('post_tags')
    .columns(['board_id', 'post_id', 'tag_id'])
    .expression((e) =>
      e
        .selectFrom('tags')
        .select(['board_id', e.val(param('postId')).as('post_id'), 'id'])
        .where('board_id', '=', param('boardId'))
        .where(isOneOf(tx, 'id', param('ids'))),
    ),
);

const changePostCounts = prepare<{ boardId: string; ids: readonly string[]; change: number }, never>((tx, param) =>
  tx
    .updateTable('tags')
    .set((e) => ({ post_count: e('post_count', '+', param('change')) }))
    .where('board_id', '=', param('boardId'))
    .where(isOneOf(tx, 'id', param('ids'))),
);
