import { attributeNames, attributesOf } from './attributes.ts';
import { byName } from './emitting.ts';
import { INVITATION_MS } from './operations/team.ts';
import { seesField, showProperties } from './properties.ts';
import {
  countedComments,
  isAdmin,
  isOwn,
  isTeam,
  liveVotes,
  mightSeeComment,
  mightSeePost,
  publicComments,
  rootOf,
  seesComment,
  seesPost,
  seesStatus,
  type Viewer,
} from './rights.ts';
import {
  type Comment,
  commentReactions,
  followersOf,
  type ModelEvent,
  type Person,
  type Post,
  type Status,
  type Tag,
  type World,
} from './world.ts';

export const iso = (instant: number | null) => (instant === null ? null : new Date(instant).toISOString());
const idOf = (thing: { id: string } | null | undefined) => (thing ? { id: thing.id } : null);
/** The person, unless they are erased. */
export const known = (person: Person | null) => (person?.isErased ? null : person);
const personRef = (person: Person | null) => {
  const found = known(person);
  return found && { ssoId: found.ssoId };
};

export const POST_FIELDS = `id title number content externalId dateCreated dateUpdated dateCompleted
  ${attributeNames.join(' ')} moderationStatus moderatedBy statusId tags { id } properties { parent type values } upvoteCount downvoteCount commentCount viewerVote isSubscribed
  author { ssoId } mergedInto { id } mergedPosts { id }`;

/** A post as a viewer sees it. */
export function showPost(world: World, viewer: Viewer, post: Post) {
  const root = rootOf(post);
  const live = post.mergedInto === null;
  const merged = world.posts.filter((other) => rootOf(other) === post && seesPost(viewer, other));
  const comments = isTeam(viewer) ? countedComments(world, post) : publicComments(world, post);
  return {
    id: post.id,
    title: post.title,
    number: post.number,
    content: world.descriptionOf(post)?.text ?? null,
    externalId: post.externalId,
    dateCreated: iso(post.created),
    dateUpdated: iso(post.updated),
    dateCompleted: iso(post.completed),
    ...attributesOf(post),
    moderationStatus: post.moderation,
    moderatedBy: isTeam(viewer) ? (known(post.moderator)?.id ?? null) : null,
    statusId: post.status.id,
    tags: visibleTags(viewer, [...post.tags]).map(({ id }) => ({ id })),
    properties: showProperties(world, viewer, post),
    upvoteCount: liveVotes(post, 'UP'),
    downvoteCount: liveVotes(post, 'DOWN'),
    commentCount: comments.length,
    viewerVote: (live && viewer && post.votes.get(viewer)?.type) || null,
    isSubscribed: live && viewer !== null && followersOf(post).includes(viewer),
    author: personRef(post.author),
    mergedInto: root && seesPost(viewer, root) ? idOf(root) : null,
    mergedPosts: byId(merged).map(({ id }) => ({ id })),
  };
}

export const COMMENT_FIELDS = `id type text isFirst dateCreated dateUpdated moderationStatus moderator { ssoId }
  user { ssoId } post { id } parent { id } reactions { reaction count } viewerReactions`;

/** A comment as a viewer sees it; what the server wrote has its own words. */
export function showComment(viewer: Viewer, comment: Comment) {
  const { parent, reactions } = comment;
  const countOf = (reaction: (typeof commentReactions)[number]) =>
    [...reactions.values()].filter((own) => own.has(reaction)).length;
  return {
    id: comment.id,
    type: comment.type,
    text: comment.text,
    isFirst: comment.isFirst,
    dateCreated: iso(comment.created),
    dateUpdated: iso(comment.updated),
    moderationStatus: comment.moderation,
    moderator: isTeam(viewer) ? personRef(comment.moderator) : null,
    user: personRef(comment.author),
    post: { id: comment.post.id },
    parent: parent && seesComment(viewer, parent) ? idOf(parent) : null,
    reactions: commentReactions
      .map((reaction) => ({ reaction, count: countOf(reaction) }))
      .filter(({ count }) => count > 0),
    viewerReactions: commentReactions.filter((reaction) => viewer && reactions.get(viewer)?.has(reaction)),
  };
}

export const VOTE_FIELDS = 'type dateCreated user { ssoId } addedBy { ssoId } post { id }';

/** The votes on the posts that a viewer sees. */
export function showVotes(world: World, viewer: Viewer) {
  const posts = world.posts.filter((post) => seesPost(viewer, post) && !post.mergedInto);
  return posts.flatMap((post) =>
    [...post.votes].map(([person, { type, date, addedBy }]) => ({
      type,
      dateCreated: iso(date),
      user: personRef(person),
      addedBy: personRef(addedBy),
      post: { id: post.id },
    })),
  );
}

export const EVENT_FIELDS = 'type data actor { ssoId } post { id }';

/** The events of what a viewer sees, or might have before it was deleted. */
export function showEvents(world: World, viewer: Viewer) {
  const isSeen = ({ post, comment }: ModelEvent) =>
    (post === null || mightSeePost(viewer, post)) &&
    (comment === null || (mightSeeComment(viewer, comment) && mightSeePost(viewer, comment.post)));
  return world.events.filter(isSeen).map((event) => ({
    type: event.type,
    data: isTeam(viewer) || !isGone(event) ? event.data : withoutWords(event),
    actor: personRef(event.actor),
    post: event.post && seesPost(viewer, event.post) ? idOf(event.post) : null,
  }));
}

/** Whether what an event tells of is deleted, or withdrawn; a comment may have come to a deleted post by a merge. */
function isGone({ post, comment, entry }: ModelEvent): boolean {
  const isDeleted = [post, comment?.post].some((of) => of && of.deleted !== null) || comment?.deleted;
  return isDeleted || (entry !== null && entry.published === null);
}

/** What members read of an event about what is gone. */
function withoutWords({ data, post, entry }: ModelEvent) {
  if (entry) return { entry: { id: entry.id } };
  const of = { id: post?.id };
  const { comment } = data as { comment?: { id: string } };
  return comment ? { comment: { id: comment.id, post: of } } : { post: of };
}

export const USER_FIELDS = 'id ssoId name email role isAPIUser';

export function showPerson(viewer: Viewer, person: Person) {
  const { id, ssoId, name, email, role, isApiUser } = person;
  const seesEmail = isTeam(viewer) || viewer?.isApiUser || isOwn(viewer, person);
  return { id, ssoId, name, email: seesEmail ? email : null, role, isAPIUser: isApiUser };
}

export const TEAM_FIELDS = 'role isInvitationPending email ssoId';

/** The team, and for admins who is invited to it. */
export function showTeam(world: World, viewer: Viewer) {
  if (viewer === null) return [];
  const people = world.people.filter(({ role }) => role !== 'MEMBER');
  const open = [...world.invitations].filter(([, { date }]) => date > world.now() - INVITATION_MS);
  return [
    ...people.map(({ role, ssoId }) => ({ role, isInvitationPending: false, email: null, ssoId })),
    ...(isAdmin(viewer) ? open : []).map(([email, { role }]) => ({
      role,
      isInvitationPending: true,
      email,
      ssoId: null,
    })),
  ];
}

export const FIELD_FIELDS = 'id label type isRequired visibility options { id name }';

/** The fields that a viewer sees, the oldest first. */
export function showFields(world: World, viewer: Viewer) {
  return world.fields.filter((field) => seesField(viewer, field)).map(({ key: _, ...field }) => field);
}

export const TAG_FIELDS = 'id name color isPrivate postCount';

export function showTag(world: World, viewer: Viewer, tag: Tag) {
  const { id, name, color, isPrivate } = tag;
  const posts = world.posts.filter((post) => post.tags.has(tag) && seesPost(viewer, post));
  return { id, name, color, isPrivate, postCount: posts.length };
}

export function visibleTags(viewer: Viewer, tags: readonly Tag[]): Tag[] {
  return byName(tags.filter((tag) => !tag.isPrivate || isTeam(viewer)));
}

export const STATUS_FIELDS = 'id name color type postVisibility isOnRoadmap position';

export function showStatus(world: World, status: Status) {
  const { id, name, color, type, postVisibility, isOnRoadmap } = status;
  return { id, name, color, type, postVisibility, isOnRoadmap, position: world.statuses.indexOf(status) };
}

/** The columns of the roadmap. */
export function roadmapOf(world: World, viewer: Viewer): Status[] {
  return world.statuses.filter((status) => status.isOnRoadmap && seesStatus(viewer, status));
}

export function visiblePosts(world: World, viewer: Viewer): Post[] {
  return world.posts.filter((post) => seesPost(viewer, post));
}

export function visibleComments(world: World, viewer: Viewer): Comment[] {
  return world.comments.filter((comment) => seesComment(viewer, comment));
}

export function byId<T extends { id: string }>(things: readonly T[]): T[] {
  return things.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

const values: Record<string, (world: World, post: Post) => number> = {
  TOP: (_, post) => -liveVotes(post, 'UP'),
  NEWEST: (_, post) => -post.created,
  OLDEST: (_, post) => post.created,
  RECENTLY_UPDATED: (_, post) => -post.updated,
  MOST_COMMENTED: (world, post) => -publicComments(world, post).length,
  COMPLETED: (_, post) => -(post.completed ?? 0),
};
export const orders = Object.keys(values);

/** Posts in an order of the API; posts that it has no difference for come by their ids, in the same direction. */
export function inOrder(world: World, order: string, posts: readonly Post[]): Post[] {
  const direction = order === 'OLDEST' ? 1 : -1;
  const keyOf = (post: Post) => values[order]?.(world, post) ?? 0;
  const valued = posts.map((post) => ({ post, value: keyOf(post) }));
  return valued
    .toSorted((a, b) => a.value - b.value || (a.post.id < b.post.id ? -direction : direction))
    .map(({ post }) => post);
}

/** The posts that a viewer sees and that fit. */
export function postsIn(world: World, viewer: Viewer, isChosen: (post: Post) => boolean): Post[] {
  return visiblePosts(world, viewer).filter(isChosen);
}

/** Posts as the first page of a list has them. */
export function firstHundred(posts: readonly Post[]) {
  return { nodes: posts.slice(0, 100).map(({ id }) => ({ id })), hasMore: posts.length > 100 };
}

/** Comments with the oldest first. */
export function byDate(comments: readonly Comment[], date: 'created' | 'changed' = 'created'): Comment[] {
  return comments.toSorted((a, b) => a[date] - b[date] || (a.id < b.id ? -1 : 1));
}
