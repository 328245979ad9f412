import { emit } from '../../events/events.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { countComment, insertComment } from '../comments/comments.ts';
import { type PostRow, setPost } from '../posts/posts.ts';
import { addToPostCount, listStatuses, type StatusRow } from '../statuses/statuses.ts';
import { isHeld } from '../visibility/posts.ts';
import { postStatusUpdated } from './posts.events.ts';

/**
 * Moves locked posts to another status: one post for a moderator, all of its posts when a status is deleted.
 * @param message replaces the generated description of the change, as a comment with this id
 */
export async function movePosts(
  tx: Tx,
  context: ActorContext,
  posts: readonly PostRow[],
  status: StatusRow,
  message: { id: string; text: string } | null,
): Promise<PostRow[]> {
  const statuses = new Map((await listStatuses(tx, context.board.id)).map((row) => [row.id, row]));
  const moves: { before: PostRow; after: PostRow; previousStatus: StatusRow }[] = [];
  for (const before of posts) {
    const previousStatus = statuses.get(before.status_id);
    if (!previousStatus) throw new Error(`The status ${before.status_id} of a post does not exist`);
    const words = { text: `Changed the status from “${previousStatus.name}” to “${status.name}”` };
    moves.push({ before, previousStatus, after: await moveOne(tx, context, before, status, message ?? words) });
  }
  await countMoves(
    tx,
    posts.map((post) => ({ post, from: post.status_id, to: status.id })),
  );
  for (const { after: post, previousStatus } of moves) {
    if (post.is_announced === 0) continue;
    const subject = { context, post, status, previousStatus, user: context.actor };
    await emit(tx, context, postStatusUpdated, subject, { postId: post.id, actorId: context.actor.id });
  }
  return moves.map(({ after }) => after);
}

async function moveOne(
  tx: Tx,
  context: ActorContext,
  post: PostRow,
  status: StatusRow,
  message: { id?: string; text: string },
): Promise<PostRow> {
  const counts = await insertServiceComment(tx, context, post, 'STATUS_CHANGE', message);
  const now = context.clock.now();
  const dateCompleted = status.type === 'COMPLETED' ? now : 0;
  return setPost(tx, post, {
    ...counts,
    status_id: status.id,
    date_completed: dateCompleted,
    date_updated: now,
  });
}

/** Writes a comment that describes a change, and returns the comment counts including it. */
export async function insertServiceComment(
  tx: Tx,
  context: ActorContext,
  post: PostRow,
  type: 'TITLE_CHANGE' | 'STATUS_CHANGE',
  { id, text }: { id?: string; text: string },
): Promise<Partial<PostRow>> {
  const values = { id, post, userId: context.actor.id, text, type, dateCreated: context.clock.now() };
  return countComment(post, null, await insertComment(tx, values));
}

/** Counts posts that go from one status to another. Statuses are locked in the order of their ids. */
export async function countMoves(tx: Tx, moves: readonly { post: PostRow; from: string; to: string }[]): Promise<void> {
  const changes = new Map<string, { posts: number; held: number }>();
  for (const { post, from, to } of moves) {
    for (const [statusId, change] of [
      [from, -1],
      [to, 1],
    ] as const) {
      const sum = changes.get(statusId) ?? { posts: 0, held: 0 };
      const held = isHeld(post.moderation_status) ? change : 0;
      changes.set(statusId, { posts: sum.posts + change, held: sum.held + held });
    }
  }
  const boardId = moves[0]?.post.board_id ?? '';
  for (const [statusId, change] of [...changes].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await addToPostCount(tx, boardId, statusId, change);
  }
}
