import { sql } from 'kysely';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { Role } from '../../identity/users/users.ts';
import { notFound } from '../../platform/errors.ts';
import { kinds, type NoticeKind, REASONS } from '../notices/kinds.ts';
import { type Audience, reasonsFor } from '../notices/notices.ts';
import { findPost } from '../posts/posts.ts';
import { listStatuses, type StatusRow } from '../statuses/statuses.ts';
import { seesPost } from '../visibility/posts.ts';
import { reasonsOf, selectFollowers } from './expanding.ts';
import { isMailed } from './schedule.ts';

/**
 * How many users a change would notify, how many of them by mail, and how many for each of its reasons; a user may count
 * for several.
 */
export type AudienceCount = {
  total: number;
  mailed: number;
  byReason: Record<keyof Audience, number>;
};

const reasonFor = {
  author: REASONS.WROTE,
  commenters: REASONS.COMMENTED,
  upvoters: REASONS.UPVOTED,
  downvoters: REASONS.DOWNVOTED,
  followers: REASONS.FOLLOWS,
} as const satisfies Record<keyof Audience, number>;

/**
 * Counts whom a change of a post would notify, before it is made.
 * @param to the status that the post would have, which decides who may see it
 * @throws FORBIDDEN, NOT_FOUND
 */
export async function countAudience(
  context: ActorContext,
  postId: string,
  kind: NoticeKind,
  { audience, to }: { audience?: Audience; to?: StatusRow } = {},
): Promise<AudienceCount> {
  const { db, board, actor } = context;
  requireRight(actor, 'post.status');
  const post = await findPost(db.read, board.id, postId, actor);
  if (!post) throw notFound('Post');
  const status = to ?? (await listStatuses(db.read, board.id)).find(({ id }) => id === post.status_id);
  const groups = await readGroups(context, postId, kind);
  const seen = groups.filter(
    ({ role, id }) => status && seesPost({ id: id ?? '', role, is_api_user: 0, standing: 'NORMAL' }, post, status),
  );
  const reasons = reasonsFor(kinds[kind].recipients, audience);
  const count = (bits: number, groups = seen) =>
    groups.reduce((sum, group) => sum + (reasonsOf(group) & bits ? group.count : 0), 0);
  // Sandboxes send no mail.
  const mailed = board.sandbox_visitor === null ? seen.filter((group) => group.mailed === 1) : [];
  const byReason = Object.fromEntries(
    Object.entries(reasonFor).map(([name, bit]) => [name, count(bit & kinds[kind].recipients)]),
  );
  return { total: count(reasons), mailed: count(reasons, mailed), byReason: byReason as AudienceCount['byReason'] };
}

/** Followers grouped by everything that decides whether they are notified; the author, who may see more, separately. */
type Group = { ways: number; vote: 'UP' | 'DOWN' | null; role: Role; id: string | null; mailed: 0 | 1; count: number };

async function readGroups({ db, board, actor }: ActorContext, postId: string, kind: NoticeKind): Promise<Group[]> {
  const author = sql<string | null>`case when subscriptions.ways & 1 = 1 then subscriptions.user_id end`;
  const rows = await selectFollowers(db.slow, board.id, postId)
    .innerJoin('users', (join) =>
      join.onRef('users.board_id', '=', 'subscriptions.board_id').onRef('users.id', '=', 'subscriptions.user_id'),
    )
    .clearSelect()
    .select(['subscriptions.ways', 'votes.type as vote', 'users.role', author.as('id'), isMailed(kind).as('mailed')])
    .select((e) => e.cast<number>(e.fn.countAll(), 'integer').as('count'))
    .where('subscriptions.user_id', '<>', actor.id)
    .groupBy(['subscriptions.ways', 'votes.type', 'users.role', author, isMailed(kind)])
    .execute();
  return rows;
}
