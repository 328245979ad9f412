import { sql } from 'kysely';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext, ViewerContext } from '../../identity/users/request-context.ts';
import type { Reader, Tx } from '../../platform/db/db.ts';
import { isOneOf, prepare } from '../../platform/db/prepare.ts';
import { conflict } from '../../platform/errors.ts';
import { msg } from '../../platform/messages.ts';
import { requireOpen } from '../posts/posts.ts';
import { viewerId } from '../visibility/posts.ts';
import { type CommentRow, isWritten } from './comments.ts';
import { requireCommentForChange } from './writing.ts';

/** The ways to react to a comment, in the order in which they are shown. */
export const commentReactions = ['THUMBS_UP', 'HEART', 'LAUGH', 'PARTY', 'EYES'] as const;
export type CommentReaction = (typeof commentReactions)[number];

/** That a user reacts to a comment in one way; each user can in each way once. */
export type CommentReactionRow = {
  board_id: string;
  comment_id: string;
  user_id: string;
  reaction: CommentReaction;
  date_created: number;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    comment_reactions: CommentReactionRow;
  }
}

/** How many users react to a comment in one way, and whether the viewer does. */
export type ReactionCount = { reaction: CommentReaction; count: number; isOwn: boolean };

/** The reactions to each of the comments, by its id; comments without any are missing. */
export async function findReactions(
  { db, board, actor }: ViewerContext,
  commentIds: readonly string[],
): Promise<Map<string, ReactionCount[]>> {
  const rows = await reactionCounts(db.read, { boardId: board.id, viewerId: viewerId(actor), commentIds });
  const place = ({ reaction }: ReactionCount) => commentReactions.indexOf(reaction);
  const counts = Map.groupBy(rows, (row) => row.comment_id);
  return new Map(
    [...counts].map(([id, each]) => [
      id,
      each
        .map(({ reaction, count, is_own }) => ({ reaction, count, isOwn: is_own === 1 }))
        .sort((a, b) => place(a) - place(b)),
    ]),
  );
}

type Counted = { comment_id: string; reaction: CommentReaction; count: number; is_own: 0 | 1 };

const reactionCounts = prepare<{ boardId: string; viewerId: string; commentIds: readonly string[] }, Counted>(
  (reader, param) =>
    reader
      .selectFrom('comment_reactions')
      .select(['comment_id', 'reaction'])
      .select((e) => e.cast<number>(e.fn.countAll(), 'integer').as('count'))
      .select(sql<0 | 1>`max(case when user_id = ${param('viewerId')} then 1 else 0 end)`.as('is_own'))
      .where('board_id', '=', param('boardId'))
      .where(isOneOf(reader, 'comment_id', param('commentIds')))
      .groupBy(['comment_id', 'reaction']),
);

/**
 * Makes the actor react to a comment in one way, or no longer. Repeating the call changes nothing.
 * @throws FORBIDDEN, NOT_FOUND; CONFLICT on a locked or merged post, and for what is no comment of a user
 */
export function setCommentReaction(
  context: ActorContext,
  commentId: string,
  reaction: CommentReaction,
  isSet: boolean,
): Promise<CommentRow> {
  const { actor, clock, db } = context;
  if (isSet) requireRight(actor, 'take.part');
  return db.transaction(async (tx) => {
    const comment = await requireCommentForReaction(tx, context, commentId);
    const own = { board_id: comment.board_id, comment_id: commentId, user_id: actor.id, reaction };
    if (isSet) {
      const insert = tx.insertInto('comment_reactions').values({ ...own, date_created: clock.now() });
      await insert.onConflict((c) => c.doNothing()).execute();
    } else {
      const remove = tx.deleteFrom('comment_reactions').where('board_id', '=', own.board_id);
      await remove
        .where('comment_id', '=', commentId)
        .where('user_id', '=', actor.id)
        .where('reaction', '=', reaction)
        .execute();
    }
    return comment;
  });
}

/**
 * A comment that takes reactions; its post is locked until the transaction ends.
 * @throws NOT_FOUND; CONFLICT on a locked or merged post, and for what is no comment of a user
 */
export async function requireCommentForReaction(tx: Tx, context: ActorContext, id: string): Promise<CommentRow> {
  const { post, comment } = await requireCommentForChange(tx, context, id);
  if (comment.is_first === 1 || !isWritten(comment)) throw conflict(msg('commentTakesNoReactions'));
  requireOpen(post);
  return comment;
}

/** The reactions to some comments one by one, by their keys: those after one of them, up to a limit. */
export function listReactions(
  reader: Reader,
  { boardId, commentIds, after, limit }: ReactionsAsked,
): Promise<CommentReactionRow[]> {
  const ofBoard = reader.selectFrom('comment_reactions').selectAll().where('board_id', '=', boardId);
  const ofComments = ofBoard.where(isOneOf(reader, 'comment_id', commentIds));
  const further = after
    ? ofComments.where((e) =>
        e(
          e.refTuple('comment_id', 'user_id', 'reaction'),
          '>',
          e.tuple(after.comment_id, after.user_id, after.reaction),
        ),
      )
    : ofComments;
  return further.orderBy('comment_id').orderBy('user_id').orderBy('reaction').limit(limit).execute();
}

type ReactionsAsked = {
  boardId: string;
  commentIds: readonly string[];
  after: CommentReactionRow | null;
  limit: number;
};
