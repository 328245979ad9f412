import { hash } from 'node:crypto';
import { listEntriesOfPosts } from '../../../feedback/changelog/list.ts';
import { findReactions } from '../../../feedback/comments/reactions.ts';
import { type Field, listFields } from '../../../feedback/fields/fields.ts';
import { findPosts, type PostRow } from '../../../feedback/posts/posts.ts';
import { INDEX_AFTER_MS } from '../../../feedback/sharing/indexing.ts';
import type { RequestContext, ViewerContext } from '../../../identity/users/request-context.ts';
import { findUsers } from '../../../identity/users/users.ts';
import { mentionedIn } from '../../../platform/texts/mentions.ts';
import { readEntries } from '../read.ts';
import { type Discussion, type PublicPost, type Related, toPublicPost } from './public-post.ts';

/** A post as anonymous visitors see it. */
export type SitePost = {
  post: PostRow;
  data: PublicPost;
  /** Another one if anything that its page shows is different. */
  mark: string;
};

/** Posts and comments that are described at a time. */
const POSTS = 100;
const COMMENTS = 1_000;
/** Changelog entries that the page of a post names. */
const SHIPPED = 3;

/** All posts that anonymous visitors see, in the order of creation; few at a time are in memory. */
export async function* readSitePosts(context: RequestContext): AsyncGenerator<SitePost> {
  const { db } = context;
  const reading: ViewerContext = { ...context, db: { ...db, read: db.slow }, actor: null };
  const fields = await listFields(db.slow, context.board.id, null);
  for await (const group of readGroups(context, fields)) yield* await describe(reading, group);
}

async function* readGroups(context: RequestContext, fields: readonly Field[]): AsyncGenerator<Discussion[]> {
  let group: Discussion[] = [];
  let comments = 0;
  for await (const entries of readEntries(context, null, { comments: true, votes: false, reactions: false }, fields)) {
    for (const entry of entries) {
      if (entry.kind === 'comment') comments += group.at(-1)?.comments.push(entry) ? 1 : 0;
      if (entry.kind !== 'post') continue;
      if (group.length === POSTS || comments >= COMMENTS) {
        yield group;
        [group, comments] = [[], 0];
      }
      group.push({ entry, comments: [] });
    }
  }
  if (group.length > 0) yield group;
}

async function describe(context: ViewerContext, group: readonly Discussion[]): Promise<SitePost[]> {
  const { related, people } = await readRelated(context, group);
  const postIds = group.map(({ entry }) => entry.post.id);
  const shipped = await listEntriesOfPosts(context, postIds, { cursor: null, limit: SHIPPED });
  const now = context.clock.now();
  return group.map((discussion) => {
    const { entry, comments } = discussion;
    const { hot, triage_date, is_announced, hidden_comment_count, ...columns } = entry.post;
    const data = toPublicPost(discussion, related);
    const rows = comments.map(({ comment }) => comment);
    const userIds = [columns.author_id, ...rows.map(({ user_id }) => user_id)];
    const shown = [
      ...[data, columns, rows],
      // Only then may search engines see the posts of most users.
      columns.date_created <= now - INDEX_AFTER_MS,
      entry.tags.map(({ id }) => id),
      rows.map(({ about_id }) => titleOf(related.postOf(about_id))),
      userIds.map((id) => people.get(id ?? '') ?? null),
      shipped.get(columns.id)?.nodes.map(({ number, title, date_published }) => [number, title, date_published]),
    ];
    return { post: entry.post, data, mark: hash('sha256', JSON.stringify(shown), 'base64url').slice(0, 22) };
  });
}

const USER = ['id', 'name', 'role', 'standing', 'is_api_user'] as const;

async function readRelated(context: ViewerContext, group: readonly Discussion[]) {
  const { db, board } = context;
  const entries = group.map(({ entry }) => entry);
  const rows = group.flatMap(({ comments }) => comments.map(({ comment }) => comment));
  const mentioned = [...entries, ...rows].flatMap(({ text }) => mentionedIn(text ?? ''));
  const authors = [...entries.map(({ post }) => post.author_id), ...rows.map(({ user_id }) => user_id)];
  const userIds = [...new Set([...authors.filter((id) => id !== null), ...mentioned])];
  const named = [...entries.map(({ mergedIntoId }) => mergedIntoId), ...rows.map(({ about_id }) => about_id)];
  const namedIds = [...new Set(named.filter((id) => id !== null))];
  const commentIds = rows.map(({ id }) => id);
  const users = userIds.length === 0 ? [] : await findUsers(db.read, board.id, userIds, USER);
  const posts = namedIds.length === 0 ? [] : await findPosts(db.read, board.id, namedIds, null);
  const reactions = commentIds.length === 0 ? null : await findReactions(context, commentIds);
  const people = new Map(users.map((user) => [user.id, user]));
  const postsById = new Map(posts.map((post) => [post.id, post]));
  const related: Related = {
    nameOf: (id) => people.get(id ?? '')?.name ?? null,
    postOf: (id) => postsById.get(id ?? '') ?? null,
    reactionsOf: (id) => (reactions?.get(id) ?? []).map(({ reaction, count }) => ({ reaction, count })),
  };
  return { related, people };
}

function titleOf(post: PostRow | null) {
  return post && [post.number, post.title];
}
