import { defineEvent } from '../../events/events.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import type { UserRow } from '../../identity/users/users.ts';
import { type Attributed, announcedAttributesOf } from '../posts/attributes.ts';
import { type PostRow, postUrl } from '../posts/posts.ts';
import type { StatusRow } from '../statuses/statuses.ts';
import { type TagRow, visibleTags } from '../tags/tags.ts';

/** The columns of a post that events contain. */
type Announced = Pick<PostRow, 'id' | 'number' | 'title' | 'upvotes'> & Attributed;

/** A post to which something happened, and who acted (null: Earshot). */
type PostChange = { context: RequestContext; post: Announced; user: UserRow | null };

/** A post as it is announced, with its description. */
export type PostSubject = PostChange & { text: string | null; status: StatusRow; tags: readonly TagRow[] };

/** A post that moved from one status to another. */
export type StatusChange = PostChange & { status: StatusRow; previousStatus: StatusRow };

/** A post whose tags changed. */
export type TagsChange = PostChange & { tags: readonly TagRow[]; previousTags: readonly TagRow[] };

export const postCreated = defineEvent('post.created', (subject: PostSubject) => ({ post: describePost(subject) }));

export const postDeleted = defineEvent('post.deleted', (subject: PostSubject) => ({ post: describePost(subject) }));

export const postStatusUpdated = defineEvent('post.status.updated', (subject: StatusChange) => ({
  post: describeBriefly(subject),
  status: describeStatus(subject.status),
  previousStatus: describeStatus(subject.previousStatus),
  user: describeUser(subject.user),
}));

export const postTagsUpdated = defineEvent('post.tags.updated', (subject: TagsChange) => ({
  post: describeBriefly(subject),
  tags: describeTags(subject.tags),
  previousTags: describeTags(subject.previousTags),
  user: describeUser(subject.user),
}));

function describePost(subject: PostSubject) {
  const { id, title, url } = describeBriefly(subject);
  return {
    id,
    title,
    text: subject.text,
    url,
    upvoteCount: subject.post.upvotes,
    status: describeStatus(subject.status),
    tags: describeTags(subject.tags),
    user: describeUser(subject.user),
    ...announcedAttributesOf(subject.post),
  };
}

function describeBriefly({ context, post }: PostChange) {
  return { id: post.id, title: post.title, url: postUrl(post, context.board, context.baseUrl) };
}

function describeStatus({ id, name, type }: StatusRow) {
  return { id, name, type };
}

/** Private tags are left out: an event is one text for all, and members read the log as the board's systems do. */
function describeTags(tags: readonly TagRow[]) {
  return visibleTags(tags, null).map(({ id, name }) => ({ id, name }));
}

function describeUser(user: UserRow | null) {
  return user && { id: user.id, name: user.name };
}
