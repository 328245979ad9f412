import { attributesInEvents } from './attributes.ts';
import { isHeld, liveVotes } from './rights.ts';
import type { Comment, Person, Post, Status, Tag, World } from './world.ts';

/** Tells that a post has come or gone for everybody, if it has, and then what came of its comments in the meantime. */
export function emitPost(world: World, post: Post, actor: Person): void {
  const isThere = post.deleted === null && !isHeld(post);
  if (isThere === post.isAnnounced) return;
  post.isAnnounced = isThere;
  emitWholePost(world, post, isThere ? 'post.created' : 'post.deleted', actor, isThere ? post.author : actor);
  if (isThere) emitComments(world, post, actor);
}

export function emitWholePost(world: World, post: Post, type: string, actor: Person, user: Person | null): void {
  const data = {
    id: post.id,
    title: post.title,
    text: world.descriptionOf(post)?.text ?? null,
    upvoteCount: liveVotes(post, 'UP'),
    status: describeStatus(post.status),
    tags: describeTags([...post.tags]),
    user: describePerson(user),
    ...attributesInEvents(post),
  };
  world.events.push({ type, post, comment: null, entry: null, actor, data: { post: data } });
}

export function emitStatus(world: World, post: Post, previous: Status, actor: Person): void {
  if (!post.isAnnounced) return;
  const data = {
    post: { id: post.id, title: post.title },
    status: describeStatus(post.status),
    previousStatus: describeStatus(previous),
    user: describePerson(actor),
  };
  world.events.push({ type: 'post.status.updated', post, comment: null, entry: null, actor, data });
}

/** Tells of the tags of a post if public ones came or went. */
export function emitTags(world: World, post: Post, previous: ReadonlySet<Tag>, actor: Person): void {
  const changed = [...previous.symmetricDifference(post.tags)];
  if (!post.isAnnounced || changed.every((tag) => tag.isPrivate)) return;
  const data = {
    post: { id: post.id, title: post.title },
    tags: describeTags([...post.tags]),
    previousTags: describeTags([...previous]),
    user: describePerson(actor),
  };
  world.events.push({ type: 'post.tags.updated', post, comment: null, entry: null, actor, data });
}

/** Tells that a comment has come or gone, if it has; `user` is who is said to have done it. */
export function emitComment(world: World, comment: Comment, actor: Person, user: Person | null): void {
  const isThere = isAnnounceable(comment);
  if (!comment.post.isAnnounced || isThere === comment.isAnnounced) return;
  comment.isAnnounced = isThere;
  const { id, text, type, post } = comment;
  const data = { comment: { id, text, type, post: { id: post.id }, user: describePerson(user) } };
  world.events.push({ type: isThere ? 'comment.created' : 'comment.deleted', post, comment, entry: null, actor, data });
}

/** Catches up with the comments of a post that nothing was told of for a while. */
export function emitComments(world: World, post: Post, actor: Person): void {
  const comments = world.comments.filter((comment) => comment.post === post);
  for (const comment of comments.sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1))) {
    emitComment(world, comment, actor, isAnnounceable(comment) ? comment.author : actor);
  }
}

/** Whether events tell of a comment like this: what people write on the posts of others, for everybody to read. */
function isAnnounceable(comment: Comment): boolean {
  const isWritten = comment.type === 'BASIC' || comment.type === 'OFFICIAL';
  return isWritten && !comment.isFirst && !comment.deleted && !isHeld(comment);
}

function describeStatus({ id, name, type }: Status) {
  return { id, name, type };
}

function describeTags(tags: readonly Tag[]) {
  return byName(tags.filter((tag) => !tag.isPrivate)).map(({ id, name }) => ({ id, name }));
}

function describePerson(person: Person | null) {
  return person && !person.isErased ? { id: person.id, name: person.name } : null;
}

/** Tags by name, upper and lower case being the same. */
export function byName(tags: readonly Tag[]): Tag[] {
  return tags.toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
}
