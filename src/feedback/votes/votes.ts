import { type SqlBool, sql } from 'kysely';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { requireUserByRef, type UserRef } from '../../identity/users/users.ts';
import type { Tx } from '../../platform/db/db.ts';
import { isOneOf, locked, prepare } from '../../platform/db/prepare.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { requireLineOr } from '../../platform/texts/text.ts';
import { hotScore, type PostRow, requireOpenPost, setPost } from '../posts/posts.ts';
import { dropWay, subscribe, WAYS } from '../subscriptions/subscriptions.ts';

export type VoteType = 'UP' | 'DOWN';

/** Maximum length of the evidence of a vote. */
export const EVIDENCE_LENGTH = 500;

/** A person's vote on a post, of which there is at most one. */
export type VoteRow = {
  board_id: string;
  post_id: string;
  user_id: string;
  id: string;
  type: VoteType;
  /** Who voted on behalf of the user; null if they voted themselves. */
  added_by: string | null;
  /** Where they asked for it, a link or a few words by who voted on their behalf; for the team. */
  evidence: string | null;
  /** When the person voted, or changed the vote. */
  date_created: number;
  /** In a copied vote: the merged post that it was cast on. */
  merged_from: string | null;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    votes: VoteRow;
  }
}

/**
 * A vote on behalf of a user: whose, where they asked for it, and whether the team casts it for a customer on its own pages or in
 * a chat, which takes less than the API, where anyone can be named.
 */
export type VoterRef = UserRef & { evidence?: string | null; isCustomer?: boolean };

/**
 * Sets or removes (null) the vote of a person on a post, and counts it in the post; the actor's own unless `voter`
 * names another user. The voter follows the post until they withdraw the vote. Repeating the call changes nothing but the
 * evidence, if there is one.
 */
export async function vote(
  context: ActorContext,
  postId: string,
  type: VoteType | null,
  voter?: VoterRef | null,
): Promise<PostRow> {
  if (voter) requireRight(context.actor, voter.isCustomer ? 'ask.for' : 'act.for');
  if (type !== null) requireRight(context.actor, 'take.part');
  const evidence = requireLineOr(voter?.evidence || null, { field: 'evidence', min: 1, max: EVIDENCE_LENGTH });
  return context.db.transaction(async (tx) => {
    const post = await requireOpenPost(tx, context, postId);
    const user = voter ? await requireUserByRef(tx, context.board.id, voter, 'voter') : context.actor;
    if (type !== null) requireRight(user, 'take.part');
    const before = await findVote(tx, post, user.id);
    // A vote that came with a merged post becomes this post's own when it is cast again.
    if ((before?.type ?? null) === type && !before?.merged_from) {
      if (before && evidence !== null) await setEvidence(tx, before, evidence);
      return post;
    }
    await writeVote(tx, context, post, { userId: user.id, type, evidence });
    const upvotes = post.upvotes + oneIf(type, 'UP') - oneIf(before?.type, 'UP');
    const downvotes = post.downvotes + oneIf(type, 'DOWN') - oneIf(before?.type, 'DOWN');
    return setVotes(tx, post, upvotes, downvotes);
  });
}

/** Adds the vote of the actor, as the first one, in the transaction that adds a post. */
export async function voteOnNew(tx: Tx, context: ActorContext, post: PostRow): Promise<PostRow> {
  await writeVote(tx, context, post, { userId: context.actor.id, type: 'UP', evidence: null });
  return setVotes(tx, post, 1, 0);
}

/** Counts the votes of a locked post as these, and returns the row. */
export function setVotes(tx: Tx, post: PostRow, upvotes: number, downvotes: number): Promise<PostRow> {
  return setPost(tx, post, { upvotes, downvotes, hot: hotScore(upvotes, downvotes, post.date_created) });
}

/**
 * In a query on `votes`: not those of merged posts, which are kept but count on the posts that these were merged into.
 */
export const isLiveVote = sql<SqlBool>`not exists (
  select 1 from posts
  where posts.board_id = votes.board_id and posts.id = votes.post_id and posts.merged_into_id is not null)`;

/** How a person voted on each of the posts; posts without their vote are missing. */
export const findVotesOfUser = prepare<{ boardId: string; userId: string; postIds: readonly string[] }, VoteRow>(
  (reader, param) =>
    reader
      .selectFrom('votes')
      .selectAll()
      .where('board_id', '=', param('boardId'))
      .where('user_id', '=', param('userId'))
      .where(isOneOf(reader, 'post_id', param('postIds')))
      .where(isLiveVote),
);

async function findVote(tx: Tx, post: PostRow, userId: string): Promise<VoteRow | undefined> {
  const query = tx.selectFrom('votes').selectAll().where('board_id', '=', post.board_id);
  return locked(tx, query.where('post_id', '=', post.id).where('user_id', '=', userId)).executeTakeFirst();
}

async function writeVote(
  tx: Tx,
  context: ActorContext,
  post: PostRow,
  { userId, type, evidence }: { userId: string; type: VoteType | null; evidence: string | null },
): Promise<void> {
  if (type === null) {
    const query = tx.deleteFrom('votes').where('board_id', '=', post.board_id);
    await query.where('post_id', '=', post.id).where('user_id', '=', userId).execute();
    await dropWay(tx, post, userId, WAYS.VOTED);
    return;
  }
  const row = {
    board_id: post.board_id,
    post_id: post.id,
    user_id: userId,
    id: makeId(),
    type,
    added_by: userId === context.actor.id ? null : context.actor.id,
    evidence,
    date_created: context.clock.now(),
    merged_from: null,
  };
  await tx
    .insertInto('votes')
    .values(row)
    .onConflict((c) => c.columns(['board_id', 'post_id', 'user_id']).doUpdateSet(row))
    .execute();
  await subscribe(tx, post, userId, WAYS.VOTED, row.date_created);
}

async function setEvidence(tx: Tx, vote: VoteRow, evidence: string): Promise<void> {
  const query = tx.updateTable('votes').set({ evidence }).where('board_id', '=', vote.board_id);
  await query.where('post_id', '=', vote.post_id).where('user_id', '=', vote.user_id).execute();
}

function oneIf(type: VoteType | null | undefined, counted: VoteType): 0 | 1 {
  return type === counted ? 1 : 0;
}
