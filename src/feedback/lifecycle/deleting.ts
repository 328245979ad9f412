import { may, requireRight } from '../../identity/users/authority.ts';
import type { ActorContext, ViewerContext } from '../../identity/users/request-context.ts';
import { locked } from '../../platform/db/prepare.ts';
import { notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/lib/ids.ts';
import { lastPurged, type PostRow, requirePostForChange, requireUnmerged, setPost } from '../posts/posts.ts';
import { recordPostChange } from '../posts/recording.ts';
import { listStatuses, requireStatusOf } from '../statuses/statuses.ts';
import { seesPost } from '../visibility/posts.ts';
import { announcePost } from './announcing.ts';
import { countPost } from './counting.ts';

/** Takes a post off the board; `restorePost` brings it back within 30 days. */
export async function deletePost(context: ActorContext, id: string): Promise<PostRow> {
  return context.db.transaction(async (tx) => {
    const post = await requirePostForChange(tx, context, id);
    requireRight(context.actor, 'post.delete', post.author_id);
    requireUnmerged(post);
    const deleted = await setPost(tx, post, { date_deleted: context.clock.now(), deleted_by: context.actor.id });
    await countPost(tx, post, -1);
    await recordPostChange(tx, context, post, { isDeleted: false }, { isDeleted: true });
    return announcePost(tx, context, deleted);
  });
}

/** Whether there is a deleted post that `restorePost` would bring back for this viewer. */
export async function isRestorable({ db, clock, board, actor }: ViewerContext, id: string): Promise<boolean> {
  const query = db.read.selectFrom('posts').selectAll().where('board_id', '=', board.id).where('id', '=', id);
  const post = isId(id) ? await query.executeTakeFirst() : undefined;
  if (!post || post.date_deleted === null || isPurged(post, clock.now())) return false;
  const status = (await listStatuses(db.read, board.id)).find((each) => each.id === post.status_id);
  if (!status || !seesPost(actor, { ...post, date_deleted: null }, status)) return false;
  return may(actor, 'post.restore', restorerOf(post));
}

/** Whether a deleted post is as good as gone. */
function isPurged({ date_deleted }: PostRow, now: number): boolean {
  return date_deleted !== null && date_deleted <= lastPurged(now);
}

/** The author, when it was they who deleted the post; null when only the team may bring it back. */
function restorerOf({ deleted_by, author_id }: PostRow): string | null {
  return deleted_by === author_id ? author_id : null;
}

/**
 * Brings a deleted post back as it was; a post that is not deleted is returned unchanged. Authors undo only what they
 * did themselves.
 */
export async function restorePost(context: ActorContext, id: string): Promise<PostRow> {
  return context.db.transaction(async (tx) => {
    const query = tx.selectFrom('posts').selectAll().where('board_id', '=', context.board.id).where('id', '=', id);
    const post = isId(id) ? await locked(tx, query).executeTakeFirst() : undefined;
    const now = context.clock.now();
    if (!post || isPurged(post, now)) throw notFound('Post');
    const before = { ...post, date_deleted: null };
    if (!seesPost(context.actor, before, await requireStatusOf(tx, post))) throw notFound('Post');
    if (post.date_deleted === null) {
      requireRight(context.actor, 'post.delete', post.author_id);
      return post;
    }
    requireRight(context.actor, 'post.restore', restorerOf(post));
    const restored = await setPost(tx, post, { date_deleted: null, deleted_by: null, date_updated: now });
    await countPost(tx, post, 1);
    await recordPostChange(tx, context, post, { isDeleted: true }, { isDeleted: false });
    return announcePost(tx, context, restored);
  });
}
