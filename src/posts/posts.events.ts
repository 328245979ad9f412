import type { BoardCall } from '../call.ts';
import { defineEvent } from '../events/events.ts';
import type { StatusRow } from '../statuses/statuses.ts';
import type { UserRow } from '../users/users.ts';
import { type PostRow, postUrl } from './posts.ts';

/** A post as it is announced: with its description, and with who did it (null: the service). */
export type PostSubject = {
  call: BoardCall;
  post: PostRow;
  text: string | null;
  status: StatusRow;
  user: UserRow | null;
};

/** A post that went from one status to another. */
export type StatusChange = PostSubject & { previousStatus: StatusRow };

export const postCreated = defineEvent('post.created', (subject: PostSubject) => ({ post: describePost(subject) }));

export const postDeleted = defineEvent('post.deleted', (subject: PostSubject) => ({ post: describePost(subject) }));

export const postStatusUpdated = defineEvent('post.status.updated', (subject: StatusChange) => ({
  post: describeBriefly(subject),
  status: describeStatus(subject.status),
  previousStatus: describeStatus(subject.previousStatus),
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
    tags: [],
    user: describeUser(subject.user),
  };
}

function describeBriefly({ call, post }: PostSubject) {
  return { id: post.id, title: post.title, url: postUrl(post, call.board, call.baseUrl) };
}

function describeStatus({ id, name, type }: StatusRow) {
  return { id, name, type };
}

function describeUser(user: UserRow | null) {
  return user && { id: user.id, name: user.name };
}
