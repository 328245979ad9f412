import { hash } from 'node:crypto';
import { listEntriesOfPosts } from '../../../feedback/changelog/list.ts';
import { findReactions } from '../../../feedback/comments/reactions.ts';
import { type Field, listFields } from '../../../feedback/fields/fields.ts';
import { findPosts, type PostRow } from '../../../feedback/posts/posts.ts';
import { INDEX_AFTER_MS } from '../../../feedback/sharing/indexing.ts';
import type { RequestContext, ViewerContext } from '../../../identity/users/request-context.ts';
import { findUsers } from '../../../identity/users/users.ts';
import { mentionedIn } from '../../../platform/lib/mentions.ts';
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
  for await (const entries of readEntries(context, null, { comments: true, votes: false }, fields)) {
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
  const { db, board, clock } = context;
  const all = group.flatMap(({ comments }) => comments.map(({ comment }) => comment));
  const texts = [...group.map(({ entry }) => entry.text ?? ''), ...all.map(({ text }) => text)];
  const userIds = new Set([
    ...group.flatMap(({ entry }) => entry.post.author_id ?? []),
    ...all.flatMap(({ user_id }) => user_id ?? []),
    ...texts.flatMap(mentionedIn),
  ]);
  const users = userIds.size === 0 ? [] : await findUsers(db.read, board.id, [...userIds], USER);
  const named = new Set([
    ...group.flatMap(({ entry }) => entry.mergedIntoId ?? []),
    ...all.flatMap(({ about_id }) => about_id ?? []),
  ]);
  const others = named.size === 0 ? [] : await findPosts(db.read, board.id, [...named], null);
  const reactions =
    all.length === 0
      ? null
      : await findReactions(
          context,
          all.map(({ id }) => id),
        );
  const postIds = group.map(({ entry }) => entry.post.id);
  const shipped = await listEntriesOfPosts(context, postIds, { cursor: null, limit: SHIPPED });
  const people = new Map(users.map((user) => [user.id, user]));
  const postsById = new Map(others.map((post) => [post.id, post]));
  const related: Related = {
    nameOf: (id) => people.get(id ?? '')?.name ?? null,
    postOf: (id) => postsById.get(id ?? '') ?? null,
    reactionsOf: (id) => (reactions?.get(id) ?? []).map(({ reaction, count }) => ({ reaction, count })),
  };
  return group.map((discussion) => {
    const { entry, comments } = discussion;
    const { post } = entry;
    const data = toPublicPost(discussion, related);
    const ids = [post.author_id, ...comments.map(({ comment }) => comment.user_id)];
    const shown = [
      data,
      [post.status_id, post.moderation_status, post.moderated_by !== null, post.is_sample, post.merged_root_id],
      // Only then may search engines see the posts of most users.
      post.date_created <= clock.now() - INDEX_AFTER_MS,
      entry.tags.map(({ id }) => id),
      comments.map(({ comment }) => comment),
      comments.map(({ comment }) => titleOf(related.postOf(comment.about_id))),
      ids.map((id) => people.get(id ?? '') ?? null),
      (shipped.get(post.id)?.nodes ?? []).map(({ number, title, date_published }) => [number, title, date_published]),
    ];
    return { post, data, mark: hash('sha256', JSON.stringify(shown), 'base64url').slice(0, 22) };
  });
}

const USER = ['id', 'name', 'role', 'standing', 'is_api_user'] as const;

function titleOf(post: PostRow | null) {
  return post && [post.number, post.title];
}
