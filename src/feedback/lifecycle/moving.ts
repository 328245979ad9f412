import { emit } from '../../events/events.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { type Change, describeChange } from '../comments/changes.ts';
import { insertComment } from '../comments/comments.ts';
import { type PostRow, recordPostChange, setPost } from '../posts/posts.ts';
import { addToPostCount, listStatuses, type StatusRow } from '../statuses/statuses.ts';
import { isHeld } from '../visibility/posts.ts';
import { nameStatus } from '../visibility/statuses.ts';
import { postStatusUpdated } from './posts.events.ts';

/** What a user says about a change, and the id of the comment that it becomes. */
type Message = { id?: string; text: string };

/**
 * Moves locked posts to another status: one post for a moderator, all of its posts when a status is deleted.
 * @param message replaces the generated description of the change, as a comment with this id
 */
export async function movePosts(
  tx: Tx,
  context: ActorContext,
  posts: readonly PostRow[],
  status: StatusRow,
  message: Message | null,
): Promise<PostRow[]> {
  const statuses = new Map((await listStatuses(tx, context.board.id)).map((row) => [row.id, row]));
  const moves: { before: PostRow; after: PostRow; previousStatus: StatusRow }[] = [];
  for (const before of posts) {
    const previousStatus = statuses.get(before.status_id);
    if (!previousStatus) throw new Error(`The status ${before.status_id} of a post does not exist`);
    moves.push({
      before,
      previousStatus,
      after: await moveOne(tx, context, before, { previousStatus, status, message }),
    });
    await recordPostChange(tx, context, before, { statusId: before.status_id }, { statusId: status.id });
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
  { previousStatus, status, message }: { previousStatus: StatusRow; status: StatusRow; message: Message | null },
): Promise<PostRow> {
  const [from, to] = [nameStatus(previousStatus), nameStatus(status)];
  const change = { type: 'STATUS_CHANGE' as const, from, to, hasMessage: message !== null };
  await insertChange(tx, context, post, change, { message });
  const now = context.clock.now();
  const dateCompleted = status.type === 'COMPLETED' ? now : 0;
  return setPost(tx, post, {
    status_id: status.id,
    date_completed: dateCompleted,
    date_updated: now,
  });
}

/** Writes a comment about a change of a post. Another post that it refers to is `aboutId`. */
export async function insertChange(
  tx: Tx,
  context: ActorContext,
  post: PostRow,
  change: Change,
  { message, aboutId }: { message?: Message | null; aboutId?: string } = {},
): Promise<void> {
  const { id, text } = message ?? { text: describeChange(change) };
  const author = { userId: context.actor.id, dateCreated: context.clock.now() };
  await insertComment(tx, { ...author, id, post, text, type: change.type, change, aboutId });
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
