import { listPendingVotes } from '#src/feedback/drafts/drafts.ts';
import { isHeld } from '#src/feedback/visibility/posts.ts';
import { findVotesOfUser } from '#src/feedback/votes/votes.ts';
import { makeSlug } from '#src/platform/lib/text.ts';
import type { PostRow } from '../../src/feedback/posts/posts.ts';
import type { StatusRow } from '../../src/feedback/statuses/statuses.ts';
import type { View } from './joining.ts';

/** Why a post accepts no votes and comments. */
export type Closed = 'locked' | 'merged';

/** What a vote button needs to know of a post. */
export type Votable = {
  number: number;
  title: string;
  votes: number;
  isVoted: boolean;
  /** Whether the vote counts only once the visitor has signed in. It is not among `votes`. */
  isPending: boolean;
  closed: Closed | null;
};

/** A post as lists show it. */
export type PostView = Votable & {
  id: string;
  path: string;
  excerpt: string | null;
  comments: number;
  date: number;
  isPinned: boolean;
  isHeld: boolean;
  status: { name: string; color: string } | null;
};

/** The URL of a post, relative to its board. */
export function postPath({ number, title }: Pick<PostRow, 'number' | 'title'>) {
  return `posts/${number}/${encodeURIComponent(makeSlug(title))}`;
}

/** Posts as lists show them. */
export async function viewPosts(
  { visit: { db }, context, browser }: View,
  posts: readonly PostRow[],
  statuses: readonly StatusRow[],
): Promise<PostView[]> {
  const { board, actor } = context;
  const pending = browser === null ? null : await listPendingVotes(context, browser);
  const own = actor && { boardId: board.id, userId: actor.id, postIds: posts.map((post) => post.id) };
  const votes = own && posts.length > 0 ? await findVotesOfUser(db.read, own) : [];
  const voted = new Set(votes.filter(({ type }) => type === 'UP').map((vote) => vote.post_id));
  return posts.map((post) => {
    const status = statuses.find(({ id }) => id === post.status_id);
    return {
      ...viewVotes(post, voted.has(post.id), pending?.has(post.id) ?? false),
      id: post.id,
      path: postPath(post),
      excerpt: post.excerpt,
      comments: post.comment_count,
      date: post.date_created,
      isPinned: post.is_pinned === 1,
      isHeld: isHeld(post.moderation_status),
      status: status ? { name: status.name, color: status.color } : null,
    };
  });
}

/** The state of a post's vote button. */
function viewVotes(post: PostRow, isVoted: boolean, isPending: boolean): Votable {
  const { number, title, upvotes: votes } = post;
  const closed = post.merged_into_id !== null ? 'merged' : post.is_locked === 1 ? 'locked' : null;
  return { number, title, votes, isVoted, isPending: isPending && !isVoted, closed };
}
