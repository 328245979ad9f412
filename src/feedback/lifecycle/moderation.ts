import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { notifyOfModeration, releaseNotice } from '../notices/notices.ts';
import { type PostRow, requirePostForChange, setPost } from '../posts/posts.ts';
import { recordPostChange } from '../posts/recording.ts';
import { addToPostCount } from '../statuses/statuses.ts';
import { isHeld, type ModerationStatus } from '../visibility/posts.ts';
import { announcePost } from './announcing.ts';
import { lockMergingOf } from './merging.ts';

/**
 * Holds a post back, approves it or flags it. For everyone except the team and its author it then disappears or
 * appears, and an event is emitted.
 */
export async function moderatePost(context: ActorContext, id: string, status: ModerationStatus): Promise<PostRow> {
  requireRight(context.actor, 'post.moderate');
  return context.db.transaction(async (tx) => {
    await lockMergingOf(tx, context.board.id, id);
    const post = await requirePostForChange(tx, context, id);
    if (post.moderation_status === status) return post;
    const change = { moderation_status: status, moderated_by: context.actor.id, date_updated: context.clock.now() };
    const moderated = await setPost(tx, post, change);
    const held = Number(isHeld(status)) - Number(isHeld(post.moderation_status));
    if (held !== 0) await addToPostCount(tx, post.board_id, post.status_id, { posts: 0, held });
    const before = { moderationStatus: post.moderation_status };
    await recordPostChange(tx, context, post, before, { moderationStatus: status });
    await notifyOfModeration(tx, context, { postId: post.id, status });
    if (held < 0) await releaseNotice(tx, context, { writtenOn: [post.id], postId: post.id, commentId: null });
    return announcePost(tx, context, moderated);
  });
}
