import { type Generated, sql } from 'kysely';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext, ViewerContext } from '../../identity/users/request-context.ts';
import { requireUserByRef, type UserRef, type UserRow } from '../../identity/users/users.ts';
import type { Tx } from '../../platform/db/db.ts';
import { listEach } from '../../platform/db/lists.ts';
import { isOneOf, prepare, rowLimit } from '../../platform/db/prepare.ts';
import { encodeCursor, makePages, type Page, type PageArgs, parseCursor } from '../../platform/lib/page.ts';
import { type PostKey, type PostRow, requirePostForChange, requireUnmerged } from '../posts/posts.ts';
import { isTeam, viewerId } from '../visibility/posts.ts';

/** How a user came to follow a post, as bits: users may have done several of these. */
export const WAYS = { WROTE: 1, VOTED: 2, COMMENTED: 4, CHOSE: 8 } as const;
export type Way = (typeof WAYS)[keyof typeof WAYS];

/** That a user follows a post, or no longer does. */
export type SubscriptionRow = {
  board_id: string;
  post_id: string;
  user_id: string;
  date_created: number;
  /** A sum of `WAYS`. */
  ways: number;
  /** When the user stopped following. Only the user can start again. */
  date_ended: number | null;
  /** The merged post that it was taken over from; null for one that was made on this post. */
  merged_from: string | null;
};

type SubscriptionTable = Omit<SubscriptionRow, 'ways'> & { ways: Generated<number> };

declare module '../../platform/db/db.ts' {
  interface Tables {
    subscriptions: SubscriptionTable;
  }
}

/**
 * Makes a user follow a post, which is locked or about to be created, because of an action on it. A user who has
 * stopped following it does not follow it again.
 */
export async function subscribe(tx: Tx, post: PostKey, userId: string, way: Way, now: number): Promise<void> {
  await insertOne(tx, { boardId: post.board_id, postId: post.id, userId, way, now });
}

type Following = { boardId: string; postId: string; userId: string; way: Way; now: number };

const insertOne = prepare<Following, never>((tx, param) =>
  tx
    .insertInto('subscriptions')
    .values({
      board_id: param('boardId'),
      post_id: param('postId'),
      user_id: param('userId'),
      date_created: param('now'),
      ways: param('way'),
      merged_from: null,
    })
    // A user's own action on a post remains valid there when posts merged into it are unmerged.
    .onConflict((c) =>
      c
        .columns(['board_id', 'post_id', 'user_id'])
        .doUpdateSet({ merged_from: null, ways: sql<number>`subscriptions.ways | excluded.ways` }),
    ),
);

/** Removes one of the ways by which a user came to follow a post; after the last one they no longer follow it. */
export async function dropWay(tx: Tx, post: PostKey, userId: string, way: Way): Promise<void> {
  const values = { boardId: post.board_id, postId: post.id, userId, way };
  await clearWay(tx, values);
  await deleteWithout(tx, values);
}

const clearWay = prepare<Omit<Following, 'now'>, never>((tx, param) =>
  tx
    .updateTable('subscriptions')
    .set({ ways: sql<number>`ways & ~ cast(${param('way')} as integer)` })
    .where('board_id', '=', param('boardId'))
    .where('post_id', '=', param('postId'))
    .where('user_id', '=', param('userId')),
);

const deleteWithout = prepare<Omit<Following, 'now'>, never>((tx, param) =>
  tx
    .deleteFrom('subscriptions')
    .where('board_id', '=', param('boardId'))
    .where('post_id', '=', param('postId'))
    .where('user_id', '=', param('userId'))
    .where('ways', '=', 0)
    .where('date_ended', 'is', null),
);

/** Makes a user follow a post or stop doing so: the actor, unless `ref` names another user. */
export async function setSubscription(
  context: ActorContext,
  postId: string,
  isSubscribed: boolean,
  ref: UserRef | null | undefined,
): Promise<PostRow> {
  if (ref) requireRight(context.actor, 'act.for');
  if (isSubscribed) requireRight(context.actor, 'take.part');
  return context.db.transaction(async (tx) => {
    const post = await requirePostForChange(tx, context, postId);
    requireUnmerged(post);
    const user = ref ? await requireUserByRef(tx, context.board.id, ref, 'user') : context.actor;
    if (isSubscribed) requireRight(user, 'take.part');
    const now = context.clock.now();
    if (isSubscribed) {
      await subscribe(tx, post, user.id, WAYS.CHOSE, now);
      await setEnd(tx, post, user.id, null);
    } else await unsubscribe(tx, post, user.id, now);
    return post;
  });
}

/** Stops a user from following a post, and records it, so that no action there makes them follow it again. */
export async function unsubscribe(tx: Tx, post: PostKey, userId: string, now: number): Promise<void> {
  const ended = { board_id: post.board_id, post_id: post.id, user_id: userId, date_created: now, merged_from: null };
  await tx
    .insertInto('subscriptions')
    .values({ ...ended, ways: 0, date_ended: now })
    .onConflict((c) =>
      c.columns(['board_id', 'post_id', 'user_id']).doUpdateSet({ merged_from: null, date_ended: now }),
    )
    .execute();
}

/** Records when a user stopped following a post; null when they follow it. Does nothing without a row of theirs. */
export async function setEnd(tx: Tx, post: PostKey, userId: string, end: number | null): Promise<void> {
  const query = tx.updateTable('subscriptions').set({ date_ended: end }).where('board_id', '=', post.board_id);
  await query.where('post_id', '=', post.id).where('user_id', '=', userId).execute();
}

/** In a query on `subscriptions`: not those that ended, nor those of merged posts, which the target has taken over. */
const isLive = sql<boolean>`subscriptions.date_ended is null and not exists (
  select 1 from posts
  where posts.board_id = subscriptions.board_id and posts.id = subscriptions.post_id
    and posts.merged_into_id is not null)`;

/** The subscriptions of a person to any of these posts. */
export const findSubscriptions = prepare<
  { boardId: string; userId: string; postIds: readonly string[] },
  Pick<SubscriptionRow, 'post_id'>
>((reader, param) =>
  reader
    .selectFrom('subscriptions')
    .select('post_id')
    .where('board_id', '=', param('boardId'))
    .where('user_id', '=', param('userId'))
    .where(isOneOf(reader, 'post_id', param('postIds')))
    .where(isLive),
);

type Follower = UserRow & { post_id: string };

/**
 * Pages of the people who follow each post, in the order of their registration. Viewers outside the team see only
 * themselves.
 */
export async function listSubscribers(
  { db, board, actor }: ViewerContext,
  postIds: readonly string[],
  { cursor, limit }: PageArgs,
): Promise<Map<string, Page<Follower>>> {
  const [, after = ''] = parseCursor('subscribers', cursor) ?? [];
  const values = { boardId: board.id, viewerId: viewerId(actor), after, limit: limit + 1 };
  const rows = await subscribersOfEach(db.read, { seesAll: isTeam(actor) }, values, postIds);
  return makePages(rows, 'post_id', postIds, limit, ({ id }) => encodeCursor('subscribers', [0, id]));
}

type Values = { boardId: string; viewerId: string; after: string; limit: number };

const subscribersOfEach = listEach<{ seesAll: boolean }, Values, Follower>(({ seesAll }, reader, param, postId) => {
  const list = reader
    .selectFrom('subscriptions')
    .innerJoin('users', (join) =>
      join.onRef('users.board_id', '=', 'subscriptions.board_id').onRef('users.id', '=', 'subscriptions.user_id'),
    )
    .selectAll('users')
    .select('subscriptions.post_id')
    .where('subscriptions.board_id', '=', param('boardId'))
    .where('subscriptions.post_id', '=', postId)
    .where('subscriptions.user_id', '>', param('after'))
    .where(isLive)
    .orderBy('subscriptions.user_id')
    .limit(rowLimit(param('limit')));
  return seesAll ? list : list.where('subscriptions.user_id', '=', param('viewerId'));
});

/** Number of followers of each post that the viewer may see; posts without any are missing. */
export async function countSubscribers(
  { db, board, actor }: ViewerContext,
  postIds: readonly string[],
): Promise<Map<string, number>> {
  let query = db.read
    .selectFrom('subscriptions')
    .select((e) => ['post_id', e.fn.countAll<number>().as('count')])
    .where('board_id', '=', board.id)
    .where(isOneOf(db.read, 'post_id', postIds))
    .where(isLive);
  if (!isTeam(actor)) query = query.where('user_id', '=', viewerId(actor));
  const rows = await query.groupBy('post_id').execute();
  return new Map(rows.map(({ post_id, count }) => [post_id, count]));
}
