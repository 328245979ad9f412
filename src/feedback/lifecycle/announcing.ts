import { emit } from '../../events/events.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { findUserById } from '../../identity/users/users.ts';
import type { Tx } from '../../platform/db/db.ts';
import { announceComments } from '../comments/announcing.ts';
import { findDescription } from '../comments/comments.ts';
import { type PostRow, setPost } from '../posts/posts.ts';
import { requireStatusOf } from '../statuses/statuses.ts';
import { findTagsOfPosts, type TagsReplaced } from '../tags/tagging.ts';
import { visibleTags } from '../tags/tags.ts';
import { isHeld } from '../visibility/posts.ts';
import { postCreated, postDeleted, postTagsUpdated } from './posts.events.ts';

/**
 * Emits that a locked post has appeared or disappeared for the public, if it has: by deletion, moderation, and back.
 * While it is hidden no events are emitted about it; changes to its comments in the meantime are emitted when it
 * reappears.
 */
export async function announcePost(tx: Tx, context: ActorContext, post: PostRow): Promise<PostRow> {
  const isThere = post.date_deleted === null && !isHeld(post.moderation_status);
  if (isThere === (post.is_announced === 1)) return post;
  const announced = await setPost(tx, post, { is_announced: isThere ? 1 : 0 });
  const text = (await findDescription(tx, post))?.text ?? null;
  const status = await requireStatusOf(tx, post);
  const tags = (await findTagsOfPosts(tx, post.board_id, [post.id], context.actor)).get(post.id) ?? [];
  const author = post.author_id === null ? null : await findUserById(tx, post.board_id, post.author_id);
  const subject = { context, post, text, status, tags, user: isThere ? author : context.actor };
  await emit(tx, context, isThere ? postCreated : postDeleted, subject, { postId: post.id, actorId: context.actor.id });
  if (isThere) await announceComments(tx, context, announced);
  return announced;
}

/**
 * Emits that the tags of a locked post changed. Members read the event log, so adding or removing a private tag causes
 * no event; nor does any change to a post that is held back.
 */
export async function announceTags(
  tx: Tx,
  context: ActorContext,
  post: PostRow,
  replaced: TagsReplaced,
): Promise<void> {
  const { tags, previousTags } = replaced;
  const changed = [...previousTags, ...tags].filter((tag) => tags.includes(tag) !== previousTags.includes(tag));
  if (post.is_announced === 0 || visibleTags(changed, null).length === 0) return;
  const subject = { context, post, tags, previousTags, user: context.actor };
  await emit(tx, context, postTagsUpdated, subject, { postId: post.id, actorId: context.actor.id });
}
