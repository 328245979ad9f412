import {
  type Comment,
  type Entry,
  type Person,
  type Post,
  type Role,
  roles,
  type Status,
  type World,
} from './world.ts';

/** Who looks or acts; null is a request without user headers. */
export type Viewer = Person | null;

function isAtLeast(viewer: Viewer, role: Role): boolean {
  return viewer !== null && roles.indexOf(viewer.role) >= roles.indexOf(role);
}

export function isTeam(viewer: Viewer): boolean {
  return isAtLeast(viewer, 'MODERATOR');
}

export function isAdmin(viewer: Viewer): boolean {
  return isAtLeast(viewer, 'ADMIN');
}

/** Whether a person may act for others, or in the past. */
export function actsForOthers(viewer: Viewer): boolean {
  return isAdmin(viewer) || viewer?.isApiUser === true;
}

/** Whether the role of a person is as high as that of another. */
export function isNotBelow(viewer: Viewer, person: Person): boolean {
  return isAtLeast(viewer, person.role);
}

export function isHeld({ moderation }: Post | Comment): boolean {
  return moderation === 'PENDING' || moderation === 'REJECTED';
}

export function seesStatus(viewer: Viewer, status: Status): boolean {
  if (status.postVisibility === 'PUBLIC') return true;
  return status.postVisibility === 'TEAM' ? isTeam(viewer) : isAdmin(viewer);
}

/** Whether a viewer sees the post, or did before it was deleted. */
export function mightSeePost(viewer: Viewer, post: Post): boolean {
  return seesStatus(viewer, post.status) && (!isHeld(post) || isTeam(viewer) || isOwn(viewer, post.author));
}

export function seesPost(viewer: Viewer, post: Post): boolean {
  return post.deleted === null && mightSeePost(viewer, post);
}

export function seesEntry(viewer: Viewer, { published }: Entry): boolean {
  return published !== null || isTeam(viewer);
}

/** Whether a viewer sees the comment wherever they see its post, or did before it was deleted. */
export function mightSeeComment(viewer: Viewer, comment: Comment): boolean {
  if (isTeam(viewer)) return true;
  return comment.type !== 'INTERNAL' && (!isHeld(comment) || isOwn(viewer, comment.author));
}

export function seesComment(viewer: Viewer, comment: Comment): boolean {
  return !comment.deleted && mightSeeComment(viewer, comment) && seesPost(viewer, comment.post);
}

/** Whether it is the person's own; what a deleted person left has no owner. */
export function isOwn(viewer: Viewer, author: Person | null): boolean {
  return viewer !== null && viewer === author;
}

/** The comments that count for every viewer of the post. */
export function publicComments(world: World, post: Post): Comment[] {
  return countedComments(world, post).filter((comment) => comment.type !== 'INTERNAL' && !isHeld(comment));
}

/** The comments of a post that users wrote and that are there, without its description. */
export function countedComments(world: World, post: Post): Comment[] {
  const written = ['BASIC', 'OFFICIAL', 'INTERNAL'];
  return world.comments.filter(
    (comment) => comment.post === post && !comment.isFirst && !comment.deleted && written.includes(comment.type),
  );
}

/** The votes that count on a post: those of a merged one count where it was merged into. */
export function liveVotes(post: Post, type: 'UP' | 'DOWN'): number {
  return post.mergedInto ? 0 : [...post.votes.values()].filter((vote) => vote.type === type).length;
}

/** Where a chain of merged posts ends; null for a post that is not merged. */
export function rootOf(post: Post): Post | null {
  return post.mergedInto && (rootOf(post.mergedInto) ?? post.mergedInto);
}
