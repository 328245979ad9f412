import { emit, emptyEvents, openEvents } from '../../events/events.ts';
import { listBoards } from '../../identity/board/board.ts';
import type { ServiceContext } from '../../identity/users/request-context.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { type Clock, DAY_MS } from '../../platform/lib/clock.ts';
import { isOfPost, removeFiles } from '../files/removing.ts';
import { removeNotices } from '../notices/notifications.ts';
import type { PostRow } from '../posts/posts.ts';
import type { StatusRow } from '../statuses/statuses.ts';
import { seesPost } from '../visibility/posts.ts';
import { countPost, RESTORE_DAYS } from './editing.ts';
import { idsOf, lockMerging, lockPosts, unmergeLocked } from './merging.ts';
import { postDeleted } from './posts.events.ts';

const POSTS_PER_LOOK = 100;

type PurgeDeps = { db: Db; clock: Clock; baseUrl: string };

/** Removes posts that were deleted 30 days ago permanently, one by one, so that no transaction is long. */
export async function purgePosts({ db, clock, baseUrl }: PurgeDeps): Promise<void> {
  const before = clock.now() - RESTORE_DAYS * DAY_MS;
  for (const board of await listBoards(db.read)) {
    const find = () =>
      db.read
        .selectFrom('posts')
        .select('id')
        .where('board_id', '=', board.id)
        .where('date_deleted', '<=', before)
        .where('date_deleted', 'is not', null)
        .limit(POSTS_PER_LOOK)
        .execute();
    for (let old = await find(); old.length > 0; old = await find()) {
      for (const { id } of old) {
        await db.transaction((tx) => purgePost(tx, { db, clock, baseUrl, board, actor: null }, id, before));
      }
    }
  }
}

/** Removes a post with everything attached to it. Posts that were merged into it are unmerged first. */
async function purgePost(tx: Tx, context: ServiceContext, id: string, before: number): Promise<void> {
  const boardId = context.board.id;
  const statuses = await lockMerging(tx, boardId);
  const childIds = await idsOf(tx, boardId, 'merged_into_id', [id]);
  const posts = await lockPosts(tx, boardId, [id, ...childIds]);
  const post = posts.get(id);
  if (!post || post.date_deleted === null || post.date_deleted > before) return;
  for (const childId of childIds) {
    const child = posts.get(childId);
    if (child) await unmergeLocked(tx, context, statuses, child);
  }
  await removeRows(tx, post, isPublicIn(statuses, post));
}

/**
 * Removes a post permanently at once, because its author is erased. Its earlier events keep only ids, and the last
 * event, which reports the removal, contains none of its text.
 */
export async function erasePost(tx: Tx, context: ServiceContext, id: string, authorId: string): Promise<void> {
  const boardId = context.board.id;
  const statuses = await lockMerging(tx, boardId);
  const childIds = await idsOf(tx, boardId, 'merged_into_id', [id]);
  const posts = await lockPosts(tx, boardId, [id, ...childIds]);
  const found = posts.get(id);
  if (!found || found.author_id !== authorId) return;
  for (const childId of childIds) {
    const child = posts.get(childId);
    if (child) await unmergeLocked(tx, context, statuses, child);
  }
  const post = found.merged_into_id === null ? found : await unmergeLocked(tx, context, statuses, found);
  if (post.date_deleted === null) await countPost(tx, post, -1);
  const isPublic = isPublicIn(statuses, post);
  await removeRows(tx, post, isPublic);
  const status = statuses.find((s) => s.id === post.status_id);
  if (post.is_announced === 0 || !status) return;
  const bare = { ...post, title: '' };
  const subject = { context, post: bare, text: null, status, tags: [], user: context.actor };
  await emit(tx, context, postDeleted, subject, { postId: id, actorId: context.actor?.id ?? null });
  if (isPublic) await openEvents(tx, boardId, id);
}

/** Whether the post was public before it was deleted. */
function isPublicIn(statuses: readonly StatusRow[], post: PostRow): boolean {
  const status = statuses.find((s) => s.id === post.status_id);
  return status !== undefined && seesPost(null, { ...post, date_deleted: null }, status);
}

/** Removes the rows of a post, and its content from its events. */
async function removeRows(tx: Tx, { board_id: boardId, id }: PostRow, isPublic: boolean): Promise<void> {
  await emptyEvents(tx, boardId, id);
  if (isPublic) await openEvents(tx, boardId, id);
  await removeFiles(tx, boardId, isOfPost(boardId, id));
  await removeNotices(tx, boardId, id);
  const comments = tx.selectFrom('comments').select('id').where('board_id', '=', boardId).where('post_id', '=', id);
  await tx
    .deleteFrom('comment_reactions')
    .where('board_id', '=', boardId)
    .where('comment_id', 'in', comments)
    .execute();
  for (const table of [
    'votes',
    'comments',
    'subscriptions',
    'assignments',
    'post_tags',
    'post_properties',
    'post_search',
    'changelog_posts',
  ] as const) {
    await tx.deleteFrom(table).where('board_id', '=', boardId).where('post_id', '=', id).execute();
  }
  await tx.deleteFrom('posts').where('board_id', '=', boardId).where('id', '=', id).execute();
}
