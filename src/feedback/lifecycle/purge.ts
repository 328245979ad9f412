import { type SqlBool, sql } from 'kysely';
import { emit, emptyEvents, makeEventsPublic } from '../../events/events.ts';
import { listBoards } from '../../identity/board/board.ts';
import type { ServiceContext } from '../../identity/users/request-context.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { isOfCommentsOn, isOfPost, removeFiles } from '../files/removing.ts';
import { removeNotices } from '../notices/notifications.ts';
import { lastPurged, type PostRow } from '../posts/posts.ts';
import type { StatusRow } from '../statuses/statuses.ts';
import { seesPost } from '../visibility/posts.ts';
import { countPost } from './counting.ts';
import { findMergedIds, lockMerging, lockPosts, unmergeLocked } from './merging.ts';
import { postDeleted } from './posts.events.ts';

const POSTS_PER_LOOK = 100;
/** The others follow an hour later. */
const FILES_PER_LOOK = 1_000;

type PurgeDeps = { db: Db; clock: Clock; baseUrl: string };

/** Removes posts that were deleted 30 days ago permanently, one by one, so that no transaction is long. */
export async function purgePosts({ db, clock, baseUrl }: PurgeDeps): Promise<void> {
  const before = lastPurged(clock.now());
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

/** Removes the files of comments that were deleted 30 days ago, and that can no longer be restored. */
export async function purgeFilesOfComments({ db, clock }: Pick<PurgeDeps, 'db' | 'clock'>): Promise<void> {
  const before = lastPurged(clock.now());
  for (const { id: boardId } of await listBoards(db.read)) {
    const isOld = sql<SqlBool>`files.comment_id in (
      select id from comments where board_id = ${boardId} and date_deleted <= ${before})`;
    const old = db.slow.selectFrom('files').select('id').where('board_id', '=', boardId).where(isOld);
    const ids = (await old.limit(FILES_PER_LOOK).execute()).map(({ id }) => id);
    if (ids.length > 0) await db.transaction((tx) => removeFiles(tx, boardId, isOneOf(tx, 'files.id', ids)));
  }
}

/** Removes a post with everything attached to it, if it was deleted by then. Posts that were merged into it are unmerged. */
async function purgePost(tx: Tx, context: ServiceContext, id: string, before: number): Promise<void> {
  const isOld = ({ date_deleted }: PostRow) => date_deleted !== null && date_deleted <= before;
  const found = await freeChildren(tx, context, id, isOld);
  if (found) await removeRows(tx, found.post, isPublicIn(found.statuses, found.post));
}

/**
 * Removes a post of this author at once, and permanently: the author is erased, or the post was imported by mistake. Its
 * earlier events keep only ids, and the last one, which reports the removal, has none of its text.
 */
export async function erasePost(tx: Tx, context: ServiceContext, id: string, authorId: string | null): Promise<void> {
  const boardId = context.board.id;
  const found = await freeChildren(tx, context, id, ({ author_id }) => author_id === authorId);
  if (!found) return;
  const { statuses } = found;
  const isMerged = found.post.merged_into_id !== null;
  const post = isMerged ? await unmergeLocked(tx, context, statuses, found.post) : found.post;
  if (post.date_deleted === null) await countPost(tx, post, -1);
  const isPublic = isPublicIn(statuses, post);
  await removeRows(tx, post, isPublic);
  const status = statuses.find((s) => s.id === post.status_id);
  if (post.is_announced === 0 || !status) return;
  const bare = { ...post, title: '' };
  const subject = { context, post: bare, text: null, status, tags: [], user: context.actor };
  await emit(tx, context, postDeleted, subject, { postId: id, actorId: context.actor?.id ?? null });
  if (isPublic) await makeEventsPublic(tx, boardId, id);
}

/** Locks a post and unmerges those that were merged into it; null, without doing so, if it is not one to remove. */
async function freeChildren(tx: Tx, context: ServiceContext, id: string, isRight: (post: PostRow) => boolean) {
  const boardId = context.board.id;
  const statuses = await lockMerging(tx, boardId);
  const childIds = await findMergedIds(tx, boardId, 'merged_into_id', [id]);
  const posts = await lockPosts(tx, boardId, [id, ...childIds]);
  const post = posts.get(id);
  if (!post || !isRight(post)) return null;
  for (const childId of childIds) {
    const child = posts.get(childId);
    if (child) await unmergeLocked(tx, context, statuses, child);
  }
  return { post, statuses };
}

/** Whether the post was public before it was deleted. */
function isPublicIn(statuses: readonly StatusRow[], post: PostRow): boolean {
  const status = statuses.find((s) => s.id === post.status_id);
  return status !== undefined && seesPost(null, { ...post, date_deleted: null }, status);
}

/** Removes the rows of a post, and its content from its events. */
async function removeRows(tx: Tx, { board_id: boardId, id }: PostRow, isPublic: boolean): Promise<void> {
  await emptyEvents(tx, boardId, id);
  if (isPublic) await makeEventsPublic(tx, boardId, id);
  await removeFiles(tx, boardId, isOfPost(id));
  await removeFiles(tx, boardId, isOfCommentsOn(boardId, id));
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
    'issue_links',
    'chat_threads',
    'post_tags',
    'post_properties',
    'post_search',
    'changelog_posts',
    'operations',
    'import_seen',
  ] as const) {
    await tx.deleteFrom(table).where('board_id', '=', boardId).where('post_id', '=', id).execute();
  }
  await tx.deleteFrom('posts').where('board_id', '=', boardId).where('id', '=', id).execute();
}
