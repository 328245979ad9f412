import type { ActorContext, ViewerContext } from '../../identity/users/request-context.ts';
import type { Reader, Tx } from '../../platform/db/db.ts';
import { isAfter, listEach } from '../../platform/db/lists.ts';
import { rowLimit } from '../../platform/db/prepare.ts';
import { badRequest, notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/lib/ids.ts';
import { encodeCursor, makePages, type Page, type PageArgs, parseCursor } from '../../platform/lib/page.ts';
import { msg } from '../../platform/messages.ts';
import { findPosts, type PostRow, requireUnmerged } from '../posts/posts.ts';
import { isVisiblePost, type ViewerScope, viewerId, viewerScopeOf } from '../visibility/posts.ts';
import type { EntryRow } from './entries.ts';

/** Posts that an entry can link. */
export const MAX_LINKED_POSTS = 50;

declare module '../../platform/db/db.ts' {
  interface Tables {
    /** The posts that an entry completes. */
    changelog_posts: { board_id: string; entry_id: string; post_id: string };
  }
}

/** Ids of posts from outside, each once. @throws BAD_REQUEST when they are more than an entry may link */
export function parsePostIds(raw: readonly string[] | null | undefined): readonly string[] {
  const ids = [...new Set(raw ?? [])];
  if (ids.length <= MAX_LINKED_POSTS) return ids;
  throw badRequest(msg('entryTooManyPosts', MAX_LINKED_POSTS, ids.length), 'postIds');
}

/**
 * Makes an entry, which is locked or about to be made, link these posts and no others, as far as the actor may see them.
 * Posts that it links already may have been merged since.
 * @throws NOT_FOUND for posts that the actor may not see; CONFLICT for merged ones
 */
export async function replaceLinks(
  tx: Tx,
  { actor }: ActorContext,
  { board_id: boardId, id: entryId }: Pick<EntryRow, 'board_id' | 'id'>,
  postIds: readonly string[],
): Promise<void> {
  if (!postIds.every(isId)) throw notFound('Post');
  const before = await findLinkedIds(tx, boardId, entryId);
  const seen = await findPosts(tx, boardId, [...new Set([...before, ...postIds])], actor);
  const added = seen.filter(({ id }) => !before.includes(id));
  const removed = seen.flatMap(({ id }) => (postIds.includes(id) ? [] : id));
  if (postIds.some((id) => !seen.some((post) => post.id === id))) throw notFound('Post');
  for (const post of added) requireUnmerged(post);
  const links = tx.deleteFrom('changelog_posts').where('board_id', '=', boardId).where('entry_id', '=', entryId);
  if (removed.length > 0) await links.where('post_id', 'in', removed).execute();
  const rows = added.map(({ id }) => ({ board_id: boardId, entry_id: entryId, post_id: id }));
  if (rows.length > 0) await tx.insertInto('changelog_posts').values(rows).execute();
}

/** The ids of the posts that an entry links. */
export async function findLinkedIds(reader: Reader, boardId: string, entryId: string): Promise<string[]> {
  const links = reader.selectFrom('changelog_posts').select('post_id').where('board_id', '=', boardId);
  const rows = await links.where('entry_id', '=', entryId).orderBy('post_id').execute();
  return rows.map(({ post_id }) => post_id);
}

/** A post that an entry links. */
type LinkedPost = PostRow & { entry_id: string };

/** Pages of the posts that each entry links, by the entry's id, as far as the viewer may see them, most votes first. */
export async function listLinkedPosts(
  { db, board, actor }: ViewerContext,
  entryIds: readonly string[],
  { cursor, limit }: PageArgs,
): Promise<Map<string, Page<LinkedPost>>> {
  const list = 'changelog:posts';
  const position = parseCursor(list, cursor);
  const [value = 0, id = ''] = position ?? [];
  const values = { boardId: board.id, viewerId: viewerId(actor), value, id, limit: limit + 1 };
  const shape = { after: position !== null, scope: viewerScopeOf(actor) };
  const rows = await postsOfEach(db.read, shape, values, entryIds);
  return makePages(rows, 'entry_id', entryIds, limit, (row) => encodeCursor(list, [row.upvotes, row.id]));
}

type Shape = { after: boolean; scope: ViewerScope };
type Values = { boardId: string; viewerId: string; value: number; id: string; limit: number };

const postsOfEach = listEach<Shape, Values, LinkedPost>(({ after, scope }, reader, param, entryId) => {
  const posts = reader
    .selectFrom('posts')
    .innerJoin('changelog_posts as link', (join) =>
      join.onRef('link.board_id', '=', 'posts.board_id').onRef('link.post_id', '=', 'posts.id'),
    )
    .selectAll('posts')
    .select('link.entry_id')
    .where('link.board_id', '=', param('boardId'))
    .where('link.entry_id', '=', entryId ?? '')
    .where(isVisiblePost({ scope, boardId: param('boardId'), viewerId: param('viewerId') }));
  const rest = after ? posts.where(isAfter('upvotes', 'desc', param('value'), param('id'))) : posts;
  return rest
    .orderBy('upvotes', 'desc')
    .orderBy('id', 'desc')
    .limit(rowLimit(param('limit')));
});
