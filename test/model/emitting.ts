import type { EventType } from '../../src/feedback/event-log/event-types.ts';
import { attributesInEvents } from './attributes.ts';
import { isHeld, liveVotes, seesPost } from './rights.ts';
import type { Comment, Entry, ModelEvent, Person, Post, Status, Tag, World } from './world.ts';

/** What `data` of each type of event is made of, as `emit` gets it; a type that is missing here is an error of types. */
const contents = {
  'post.created': describePost,
  'post.deleted': describePost,
  'post.status.updated': (post: Post, actor: Person, previous: Status) => ({
    ...describeChange(post, actor),
    status: describeStatus(post.status),
    previousStatus: describeStatus(previous),
  }),
  'post.tags.updated': (post: Post, actor: Person, previous: ReadonlySet<Tag>) => ({
    ...describeChange(post, actor),
    tags: describeTags([...post.tags]),
    previousTags: describeTags([...previous]),
  }),
  'comment.created': describeComment,
  'comment.deleted': describeComment,
  'changelog.published': describeEntry,
  'changelog.unpublished': describeEntry,
} satisfies Record<EventType, (...of: never[]) => object>;

/** What an event is about: only who sees all of it is told. */
type About = Pick<ModelEvent, 'actor'> & Partial<Pick<ModelEvent, 'post' | 'comment' | 'entry'>>;

/** Adds an event to the log of the world; `of` is what its content is made of. */
export function emit<Type extends EventType>(
  world: World,
  type: Type,
  { post = null, comment = null, entry = null, actor }: About,
  ...of: Parameters<(typeof contents)[Type]>
): void {
  const describe = contents[type] as (...of: unknown[]) => object;
  world.events.push({ type, post, comment, entry, actor, data: describe(...of) });
}

/** Emits that a post has appeared or disappeared for members, if it has, and then what happened to its comments in the meantime. */
export function emitPost(world: World, post: Post, actor: Person): void {
  const isThere = post.deleted === null && !isHeld(post);
  if (isThere === post.isAnnounced) return;
  post.isAnnounced = isThere;
  emitWholePost(world, post, isThere ? 'post.created' : 'post.deleted', actor, isThere ? post.author : actor);
  if (isThere) emitComments(world, post, actor);
}

export function emitWholePost(
  world: World,
  post: Post,
  type: 'post.created' | 'post.deleted',
  actor: Person,
  user: Person | null,
): void {
  emit(world, type, { post, actor }, world, post, user);
}

export function emitStatus(world: World, post: Post, previous: Status, actor: Person): void {
  if (post.isAnnounced) emit(world, 'post.status.updated', { post, actor }, post, actor, previous);
}

/** Tells of the tags of a post if public ones came or went. */
export function emitTags(world: World, post: Post, previous: ReadonlySet<Tag>, actor: Person): void {
  const changed = [...previous.symmetricDifference(post.tags)];
  if (!post.isAnnounced || changed.every((tag) => tag.isPrivate)) return;
  emit(world, 'post.tags.updated', { post, actor }, post, actor, previous);
}

/** Tells that a comment has come or gone, if it has; `user` is who is said to have done it. */
export function emitComment(world: World, comment: Comment, actor: Person, user: Person | null): void {
  const isThere = isAnnounceable(comment);
  const { post } = comment;
  if (!post.isAnnounced || isThere === comment.isAnnounced) return;
  comment.isAnnounced = isThere;
  emit(world, isThere ? 'comment.created' : 'comment.deleted', { post, comment, actor }, comment, user);
}

/** Catches up with the comments of a post that nothing was told of for a while. */
export function emitComments(world: World, post: Post, actor: Person): void {
  const comments = world.comments.filter((comment) => comment.post === post);
  for (const comment of comments.sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1))) {
    emitComment(world, comment, actor, isAnnounceable(comment) ? comment.author : actor);
  }
}

/** Whether a comment like this is in events: those that people write on posts, for every member to read. */
function isAnnounceable(comment: Comment): boolean {
  const isWritten = comment.type === 'BASIC' || comment.type === 'OFFICIAL';
  return isWritten && !comment.isFirst && !comment.deleted && !isHeld(comment);
}

function describePost(world: World, post: Post, user: Person | null) {
  return {
    post: {
      id: post.id,
      title: post.title,
      text: world.descriptionOf(post)?.text ?? null,
      upvoteCount: liveVotes(post, 'UP'),
      status: describeStatus(post.status),
      tags: describeTags([...post.tags]),
      user: describePerson(user),
      ...attributesInEvents(post),
    },
  };
}

/** What every change of a post tells. */
function describeChange({ id, title }: Post, actor: Person) {
  return { post: { id, title }, user: describePerson(actor) };
}

function describeComment({ id, text, type, post }: Comment, user: Person | null) {
  return { comment: { id, text, type, post: { id: post.id }, user: describePerson(user) } };
}

/** An entry with the posts that every member sees. */
function describeEntry({ id, number, title, text, labels, posts }: Entry, actor: Person) {
  const seen = [...posts].filter((post) => seesPost(null, post)).map((post) => ({ id: post.id }));
  const sorted = seen.sort((a, b) => (a.id < b.id ? -1 : 1));
  return { entry: { id, number, title, text, labels: [...labels], posts: sorted, user: describePerson(actor) } };
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
