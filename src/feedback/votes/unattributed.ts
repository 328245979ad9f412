import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext, RequestContext } from '../../identity/users/request-context.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import { badRequest } from '../../platform/errors.ts';
import { hotScore, requireOpenPost, setPost } from '../posts/posts.ts';

/** Maximum number of votes of a post whose voters are not known: far more than any board has, and sums stay integers. */
export const MAX_UNATTRIBUTED = 1_000_000;

/** SQL for how many upvotes of a post, and of those merged into it, came as a number. */
export function unattributedOf(boardId: RawBuilder<unknown>, postId: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(
    select cast(coalesce(sum(u.unattributed_upvotes), 0) as integer) from posts u
    where u.board_id = ${boardId} and (u.id = ${postId} or u.merged_root_id = ${postId}))`;
}

/**
 * How many of the upvotes on posts came as a number with an import, without their voters, by the posts' ids; posts
 * without any are missing.
 */
export async function countUnattributed(
  { db, board }: RequestContext,
  postIds: readonly string[],
): Promise<Map<string, number>> {
  const ofPosts = sql<SqlBool>`(merged_root_id is null and ${isOneOf(db.read, 'id', postIds)}
    or ${isOneOf(db.read, 'merged_root_id', postIds)})`;
  const rows = await db.read
    .selectFrom('posts')
    .select((e) => e.fn.coalesce('merged_root_id', 'id').as('id'))
    .select((e) => e.cast<number>(e.fn.sum('unattributed_upvotes'), 'integer').as('count'))
    .where('board_id', '=', board.id)
    .where(ofPosts)
    .where('unattributed_upvotes', '>', 0)
    .groupBy((e) => e.fn.coalesce('merged_root_id', 'id'))
    .execute();
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/**
 * Sets how many upvotes of a post have no voters, because another product said only how many there were.
 * @returns how many more these are than before
 * @throws CONFLICT if the post takes no votes
 */
export async function setUnattributed(context: ActorContext, postId: string, count: number): Promise<number> {
  requireRight(context.actor, 'act.for');
  if (!Number.isInteger(count) || count < 0 || count > MAX_UNATTRIBUTED) {
    throw badRequest(`The number of votes must be 0 to ${MAX_UNATTRIBUTED.toLocaleString('en')}`);
  }
  return changeUnattributed(context, postId, () => count);
}

/**
 * Takes votes off those of a post that have no voters, because their voters have become known and have votes of their own.
 * @throws CONFLICT if the post takes no votes
 */
export async function nameUnattributed(context: ActorContext, postId: string, named: number): Promise<void> {
  requireRight(context.actor, 'act.for');
  await changeUnattributed(context, postId, (count) => Math.max(count - named, 0));
}

/** @returns how many more votes without voters the post has than before */
function changeUnattributed(context: ActorContext, postId: string, change: (count: number) => number): Promise<number> {
  return context.db.transaction(async (tx) => {
    const post = await requireOpenPost(tx, context, postId);
    const count = change(post.unattributed_upvotes);
    const more = count - post.unattributed_upvotes;
    if (more === 0) return 0;
    const upvotes = post.upvotes + more;
    const hot = hotScore(upvotes, post.downvotes, post.date_created);
    await setPost(tx, post, { unattributed_upvotes: count, upvotes, hot });
    return more;
  });
}
