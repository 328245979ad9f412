import { sql } from 'kysely';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { requireOpenPost } from '../posts/posts.ts';
import { WAYS } from '../subscriptions/subscriptions.ts';
import { setVotes, type VoteType } from './votes.ts';

/** A vote that was cast elsewhere, with the id of its row. */
export type PastVote = { id: string; userId: string; type: VoteType; dateCreated: number };

/**
 * Adds up to some hundreds of votes that were cast elsewhere, with their dates, and counts them in the post; the voters
 * follow it. Users who have voted on it already keep that vote.
 * @returns how many were added
 */
export async function addPastVotes(context: ActorContext, postId: string, votes: readonly PastVote[]): Promise<number> {
  requireRight(context.actor, 'act.for');
  if (votes.length === 0) return 0;
  const byUser = new Map(votes.map((vote) => [vote.userId, vote]));
  return context.db.transaction(async (tx) => {
    const post = await requireOpenPost(tx, context, postId);
    const place = { board_id: post.board_id, post_id: post.id, merged_from: null };
    const rows = [...byUser.values()].map(({ id, userId, type, dateCreated }) => ({
      ...place,
      user_id: userId,
      id,
      type,
      added_by: null,
      evidence: null,
      date_created: dateCreated,
    }));
    const insert = tx
      .insertInto('votes')
      .values(rows)
      .onConflict((c) => c.doNothing());
    const added = await insert.returning(['user_id', 'type', 'date_created']).execute();
    if (added.length === 0) return 0;
    await tx
      .insertInto('subscriptions')
      .values(added.map(({ type: _, ...row }) => ({ ...place, ...row, ways: WAYS.VOTED })))
      .onConflict((c) =>
        c
          .columns(['board_id', 'post_id', 'user_id'])
          .doUpdateSet({ merged_from: null, ways: sql<number>`subscriptions.ways | excluded.ways` }),
      )
      .execute();
    const ups = added.filter(({ type }) => type === 'UP').length;
    await setVotes(tx, post, post.upvotes + ups, post.downvotes + added.length - ups);
    return added.length;
  });
}
