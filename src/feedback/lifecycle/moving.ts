import { emit } from '../../events/events.ts';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { badRequest } from '../../platform/errors.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { requireTextOr } from '../../platform/texts/text.ts';
import { type Change, describeChange } from '../comments/changes.ts';
import { insertComment, recordNewComment } from '../comments/comments.ts';
import { type Notifying, recordNotice } from '../notices/notices.ts';
import { POST_TEXT, type PostRow, requirePostForChange, requireUnmerged, setPost } from '../posts/posts.ts';
import { recordPostChange } from '../posts/recording.ts';
import { listStatuses, requireStatus, requireStatusOf, type StatusRow, type StatusType } from '../statuses/statuses.ts';
import { nameStatus } from '../visibility/statuses.ts';
import { countMoves } from './counting.ts';
import { postStatusUpdated } from './posts.events.ts';
import { requireSeen } from './state.ts';

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

/** The status that a post gets. */
export type NewStatus = {
  statusType: StatusType;
  statusId?: string | null | undefined;
  /** A message to go with the change. */
  comment?: string | null | undefined;
  notifying?: Notifying | undefined;
  /** The status that the change was made from: it is refused if the post has another one. */
  seenStatusId?: string | undefined;
};

/** Moves a post to another status; does nothing if it already has it. */
export async function changePostStatus(context: ActorContext, id: string, input: NewStatus): Promise<PostRow> {
  requireRight(context.actor, 'post.status');
  if (input.statusType === 'MERGED') throw badRequest('Only mergePosts can set the status MERGED', 'statusType');
  const text = requireTextOr(input.comment ?? null, POST_TEXT);
  const message = text === null ? null : { id: makeId(), text };
  return context.db.transaction(async (tx) => {
    const post = await requirePostForChange(tx, context, id);
    const status = await requireStatus(tx, context.board.id, input.statusType, input.statusId);
    if (status.id === post.status_id) return post;
    if (input.seenStatusId !== undefined) await requireSeen(tx, post, { statusId: input.seenStatusId });
    requireUnmerged(post);
    const previousStatus = await requireStatusOf(tx, post);
    const [changed] = await movePosts(tx, context, [post], status, message);
    await recordNotice(tx, context, {
      ...input.notifying,
      kind: 'STATUS',
      postId: post.id,
      commentId: message?.id ?? null,
      actorId: context.actor.id,
      details: {
        from: { ...nameStatus(previousStatus), color: previousStatus.color },
        to: { ...nameStatus(status), color: status.color },
      },
    });
    if (message) await recordNewComment(tx, context, { id: message.id, post_id: post.id });
    return changed as PostRow;
  });
}
