import { listPendingVotes } from '#src/feedback/drafts/drafts.ts';
import { findPosts, type PostRow } from '#src/feedback/posts/posts.ts';
import type { StatusRow } from '#src/feedback/statuses/statuses.ts';
import { findTagsOfPosts } from '#src/feedback/tags/tagging.ts';
import type { TagRow } from '#src/feedback/tags/tags.ts';
import { isHeld } from '#src/feedback/visibility/posts.ts';
import { findVotesOfUser } from '#src/feedback/votes/votes.ts';
import { findUsers } from '#src/identity/users/users.ts';
import { makeSlug } from '#src/platform/texts/text.ts';
import { parseLocale } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import type { View } from '../parts/requests/joining.ts';
import { type AuthorView, peopleOf } from '../parts/requests/people.ts';
import { type StatusView, statusViewOf } from './statuses.ts';
import { hueOfTag } from './tags.ts';

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
  /** The quarter or month in which it is expected. */
  expected: string | null;
  isHeld: boolean;
  /** Null if the user was deleted or has no name. */
  author: AuthorView | null;
  status: StatusView | null;
  tags: TagView[];
  /** The post that replaced it, if it was merged. */
  mergedInto: { title: string; path: string } | null;
};

/** The title and the excerpt of a post in parts, of which every second one was searched for. */
export type Marked = { title: string[]; excerpt: string[] };

/** A tag on a post. */
export type TagView = { name: string; hue: number };

/** Maximum number of tags that lists show of a post. */
const SHOWN_TAGS = 3;

/** The URL of a post, relative to its board. */
export function postPath({ number, title }: Pick<PostRow, 'number' | 'title'>) {
  return `posts/${number}/${encodeURIComponent(makeSlug(title))}`;
}

/** Posts as lists show them. */
export async function viewPosts(
  view: View,
  posts: readonly PostRow[],
  statuses: readonly StatusRow[],
): Promise<PostView[]> {
  const { visit, context, browser } = view;
  const { db } = visit;
  const { board, actor } = context;
  const pending = browser === null ? null : await listPendingVotes(context, browser);
  const own = actor && { boardId: board.id, userId: actor.id, postIds: posts.map((post) => post.id) };
  const votes = own && posts.length > 0 ? await findVotesOfUser(db.read, own) : [];
  const voted = new Set(votes.filter(({ type }) => type === 'UP').map((vote) => vote.post_id));
  const ids = posts.map((post) => post.id);
  const tags = posts.length > 0 ? await findTagsOfPosts(db.read, board.id, ids, actor) : null;
  const authorOf = await peopleOf(
    view,
    posts.map((post) => post.author_id),
  );
  const viewOf = statusViewOf(statuses);
  const views = new Map(statuses.map((status) => [status.id, viewOf(status)]));
  const targetOf = await findTargets(context, posts);
  return posts.map((post) => ({
    ...viewVotes(post, voted.has(post.id), pending?.has(post.id) ?? false),
    id: post.id,
    path: postPath(post),
    excerpt: post.excerpt,
    comments: post.comment_count,
    date: post.date_created,
    isPinned: post.is_pinned === 1,
    expected: post.expected,
    isHeld: isHeld(post.moderation_status),
    author: authorOf(post.author_id),
    status: views.get(post.status_id) ?? null,
    tags: (tags?.get(post.id) ?? []).slice(0, SHOWN_TAGS).map(viewTag),
    mergedInto: targetOf(post),
  }));
}

type Doubtful = Pick<PostRow, 'doubt' | 'moderation_status'>;

/** Who wrote an idea or a comment. */
type Writer = string | null;

/**
 * Why ideas and comments that came by email wait, with the address that they came from, for moderators: returns a function
 * that gives it for a row, null for all else.
 */
export async function doubtsOf<Row extends Doubtful>(
  { visit, context: { board } }: Pick<View, 'visit' | 'context'>,
  rows: readonly Row[],
  writerOf: (row: Row) => Writer,
): Promise<(row: Row) => string | null> {
  const l = parseLocale(visit.language());
  const waits = (row: Row) => row.doubt !== null && row.moderation_status === 'PENDING';
  const ids = [...new Set(rows.filter(waits).flatMap((row) => writerOf(row) ?? []))];
  const users = ids.length > 0 ? await findUsers(visit.db.read, board.id, ids, ['email']) : [];
  const senders = new Map(users.map(({ id, email }) => [id, email]));
  return (row) => {
    if (!waits(row)) return null;
    const sender = senders.get(writerOf(row) ?? '') ?? '–';
    return row.doubt === 'UNPROVEN' ? m.doubtUnproven(l, { sender }) : m.doubtUnknown(l, { sender });
  };
}

/** The posts that merged ones were merged into, as far as the viewer may see them. */
async function findTargets({ db, board, actor }: View['context'], posts: readonly PostRow[]) {
  const ids = [...new Set(posts.flatMap(({ merged_root_id }) => merged_root_id ?? []))];
  const targets = ids.length > 0 ? await findPosts(db.read, board.id, ids, actor) : [];
  return ({ merged_root_id }: PostRow) => {
    const target = targets.find(({ id }) => id === merged_root_id);
    return target ? { title: target.title, path: postPath(target) } : null;
  };
}

function viewTag(tag: TagRow): TagView {
  return { name: tag.name, hue: hueOfTag(tag) };
}

/** The state of a post's vote button. */
function viewVotes(post: PostRow, isVoted: boolean, isPending: boolean): Votable {
  const { number, title, upvotes: votes } = post;
  const closed = post.merged_into_id !== null ? 'merged' : post.is_locked === 1 ? 'locked' : null;
  return { number, title, votes, isVoted, isPending: isPending && !isVoted, closed };
}
