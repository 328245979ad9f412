import { type SqlBool, sql } from 'kysely';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { withinTransaction } from '../../platform/db/db.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import type { EntryRow } from '../changelog/entries.ts';
import { findLinkedIds } from '../changelog/linking.ts';
import { publishEntry } from '../changelog/publishing.ts';
import { lockPosts } from '../lifecycle/merging.ts';
import { changePostStatus } from '../lifecycle/moving.ts';
import { audiences, MAX_HOLD_MS } from '../notices/notices.ts';
import { isMailed } from '../notifying/schedule.ts';
import { findPosts, type PostRow } from '../posts/posts.ts';
import { listStatuses, type StatusRow } from '../statuses/statuses.ts';
import { WAYS } from '../subscriptions/subscriptions.ts';

/** What publishing an entry does beyond showing it. */
export type PublishingPlan = {
  /** Linked posts that are not completed yet. */
  open: readonly PostRow[];
  /** The status that they can get. */
  completed: StatusRow | undefined;
  /** How many users it notifies by mail. */
  mailed: number;
};

/** What publishing an entry would do, before it is done. */
export async function planPublishing(context: ActorContext, entry: Pick<EntryRow, 'id'>): Promise<PublishingPlan> {
  const { db, board, actor } = context;
  const completed = (await listStatuses(db.read, board.id)).find(({ type }) => type === 'COMPLETED');
  const linked = await findPosts(db.read, board.id, await findLinkedIds(db.read, board.id, entry.id), actor);
  const open = linked.filter((post) => post.merged_into_id === null && post.status_id !== completed?.id);
  return { open, completed, mailed: await countMailed(context, linked) };
}

/** How many users get mail because posts are released: each once, of posts that everyone sees. */
async function countMailed({ db, board, actor }: ActorContext, posts: readonly PostRow[]): Promise<number> {
  const ids = posts.map(({ id, merged_root_id }) => merged_root_id ?? id);
  const shown = (await findPosts(db.read, board.id, ids, null)).map(({ id }) => id);
  // Sandboxes send no mail.
  if (shown.length === 0 || board.sandbox_visitor !== null) return 0;
  const ways = WAYS.WROTE | WAYS.COMMENTED | WAYS.CHOSE;
  const { count } = await db.slow
    .selectFrom('subscriptions')
    .innerJoin('users', (join) =>
      join.onRef('users.board_id', '=', 'subscriptions.board_id').onRef('users.id', '=', 'subscriptions.user_id'),
    )
    .leftJoin('votes', (join) =>
      join
        .onRef('votes.board_id', '=', 'subscriptions.board_id')
        .onRef('votes.post_id', '=', 'subscriptions.post_id')
        .onRef('votes.user_id', '=', 'subscriptions.user_id'),
    )
    .select((e) => e.cast<number>(e.fn.count('users.id').distinct(), 'integer').as('count'))
    .where('subscriptions.board_id', '=', board.id)
    .where(isOneOf(db.slow, 'subscriptions.post_id', shown))
    .where('subscriptions.date_ended', 'is', null)
    .where('users.id', '<>', actor.id)
    .where(sql<SqlBool>`((subscriptions.ways & ${sql.lit(ways)}) <> 0 or votes.type = 'UP')`)
    .where(sql<SqlBool>`${isMailed('SHIPPED')} = 1`)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Publishes an entry, and sets the posts that it links to completed, in one transaction. Their followers are notified of
 * the entry, and not of the status as well; until then there is a minute to stop it.
 */
export async function publishAndComplete(context: ActorContext, id: string): Promise<void> {
  const { db, board } = context;
  await db.transaction(async (tx) => {
    const inside = { ...context, db: withinTransaction(db, tx) };
    const { open } = await planPublishing(inside, { id });
    const openIds = open.map((post) => post.id).toSorted();
    // Before the board, which events lock.
    await lockPosts(tx, board.id, openIds);
    await publishEntry(inside, id, null, MAX_HOLD_MS);
    const notifying = { audience: Object.fromEntries(audiences.map((name) => [name, false])) };
    for (const postId of openIds) await changePostStatus(inside, postId, { statusType: 'COMPLETED', notifying });
  });
}
