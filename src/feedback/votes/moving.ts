import { sql } from 'kysely';
import type { Tx } from '../../platform/db/db.ts';
import { isOneOf, locked } from '../../platform/db/prepare.ts';
import { setVotes, type VoteType } from './votes.ts';

/** Two users of a board who turn out to be the same person. */
export type SamePerson = { boardId: string; fromId: string; toId: string };

/** A post on which both of them may have voted. */
type OnPost = SamePerson & { postId: string };

/**
 * Gives the votes of one user, and what they follow, to another. Where both have voted, one vote counts: that of the other,
 * unless it only stands for a merged post.
 */
export async function moveVotes(tx: Tx, same: SamePerson): Promise<void> {
  const ids = new Set([...(await listPosts(tx, 'votes', same)), ...(await listPosts(tx, 'subscriptions', same))]);
  const posts = tx.selectFrom('posts').selectAll().where('board_id', '=', same.boardId);
  // In the same order for all, so that no two wait for each other.
  for (const post of await locked(tx, posts.where(isOneOf(tx, 'id', [...ids])).orderBy('id')).execute()) {
    const onPost = { ...same, postId: post.id };
    const dropped = await moveVote(tx, onPost);
    await moveSubscription(tx, onPost);
    // The votes of a merged post count on the one that it was merged into.
    if (!dropped || post.merged_into_id !== null) continue;
    const isUp = dropped === 'UP';
    await setVotes(tx, post, post.upvotes - Number(isUp), post.downvotes - Number(!isUp));
  }
}

async function listPosts(tx: Tx, table: 'votes' | 'subscriptions', { boardId, fromId }: SamePerson) {
  const query = tx.selectFrom(table).select('post_id').where('board_id', '=', boardId);
  return (await query.where('user_id', '=', fromId).execute()).map(({ post_id }) => post_id);
}

/** @returns the type of the vote that no longer counts; null if there were no two */
async function moveVote(tx: Tx, onPost: OnPost): Promise<VoteType | null> {
  const { boardId, fromId, toId, postId } = onPost;
  const ofBoth = tx.selectFrom('votes').selectAll().where('board_id', '=', boardId).where('post_id', '=', postId);
  const rows = await ofBoth.where('user_id', 'in', [fromId, toId]).execute();
  const from = rows.find(({ user_id }) => user_id === fromId);
  const to = rows.find(({ user_id }) => user_id === toId);
  if (!from) return null;
  const [kept, dropped] = to && (!to.merged_from || from.merged_from) ? [to, from] : [from, to];
  const evidence = kept.evidence ?? dropped?.evidence ?? null;
  await dropBoth(tx, 'votes', onPost);
  await tx
    .insertInto('votes')
    .values({ ...kept, user_id: toId, evidence })
    .execute();
  return dropped?.type ?? null;
}

async function moveSubscription(tx: Tx, onPost: OnPost): Promise<void> {
  const { boardId, fromId, toId, postId } = onPost;
  const ofBoth = tx.selectFrom('subscriptions').selectAll().where('board_id', '=', boardId);
  const rows = await ofBoth.where('post_id', '=', postId).where('user_id', 'in', [fromId, toId]).execute();
  const from = rows.find(({ user_id }) => user_id === fromId);
  const to = rows.find(({ user_id }) => user_id === toId);
  if (!from) return;
  const ways = from.ways | (to?.ways ?? 0);
  const merged_from = to && !to.merged_from ? null : from.merged_from && (to ?? from).merged_from;
  await dropBoth(tx, 'subscriptions', onPost);
  await tx
    .insertInto('subscriptions')
    .values({ ...(to ?? from), user_id: toId, ways, merged_from })
    .execute();
}

async function dropBoth(tx: Tx, table: 'votes' | 'subscriptions', { boardId, fromId, toId, postId }: OnPost) {
  await sql`
    delete from ${sql.table(table)}
    where board_id = ${boardId} and post_id = ${postId} and user_id in (${fromId}, ${toId})`.execute(tx);
}
