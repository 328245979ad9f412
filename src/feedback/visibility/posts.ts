import { type Expression, type SqlBool, sql } from 'kysely';
import { type Actor, may } from '../../identity/users/authority.ts';
import type { PostVisibility, StatusRow } from '../statuses/statuses.ts';

/** What moderators think of a post or comment. */
export const moderationStatuses = ['APPROVED', 'REJECTED', 'FLAGGED', 'PENDING'] as const;
export type ModerationStatus = (typeof moderationStatuses)[number];

/**
 * Why it is not certain who wrote something, so that it waits whatever the settings: nothing proves the sender of its mail, or
 * that is someone of whom the team has approved nothing yet.
 */
export type Doubt = 'UNPROVEN' | 'UNKNOWN';

/** Whether moderators hold something back: then only the team and its author see it. Not the same as a hidden status. */
export function isHeld(status: ModerationStatus): boolean {
  return status === 'PENDING' || status === 'REJECTED';
}

/** The statuses of what is held back, in a query. */
export const HELD = sql`('PENDING', 'REJECTED')`;

/** The viewer; null is an anonymous one, who sees what members see. */
export type Viewer = Actor | null;

/**
 * `ALL` is for admins; `TEAM` excludes posts in HIDDEN statuses; `MEMBER` has public posts, and the viewer's own that
 * are held back.
 */
export type ViewerScope = 'ALL' | 'TEAM' | 'MEMBER';

/** The scope of a viewer; every query for posts and comments filters by it. */
export function viewerScopeOf(viewer: Viewer): ViewerScope {
  if (!may(viewer, 'post.see.team')) return 'MEMBER';
  return may(viewer, 'post.see.hidden') ? 'ALL' : 'TEAM';
}

/** Whether a viewer belongs to the team, which sees internal comments, assignments and moderation. */
export function isTeam(viewer: Viewer): boolean {
  return viewerScopeOf(viewer) !== 'MEMBER';
}

/** The viewer as a value in a query; an anonymous one has an empty id, which matches no row. */
export function viewerId(viewer: Viewer): string {
  return viewer?.id ?? '';
}

/** What a query needs to know of the viewer; the values may be parameters of a prepared one. */
export type ViewerFilter = { scope: ViewerScope; boardId: string; viewerId: string };

/** What an unprepared query needs to know of the viewer. */
export function viewerFilterOf(viewer: Viewer, boardId: string): ViewerFilter {
  return { scope: viewerScopeOf(viewer), boardId, viewerId: viewerId(viewer) };
}

/** In a query on `posts`: those that are on the board and that the viewer may see. */
export function isVisiblePost(viewerFilter: ViewerFilter): Expression<SqlBool> {
  return sql<SqlBool>`posts.date_deleted is null and ${isVisibleOrDeletedPost(viewerFilter)}`;
}

/**
 * In a query on `posts`: those that the viewer may see, or might before they were deleted. The statuses are compared
 * with "not in", which no planner uses to find posts: these are read in the order of the list.
 */
export function isVisibleOrDeletedPost({ scope, boardId, viewerId }: ViewerFilter): Expression<SqlBool> {
  if (scope === 'ALL') return sql<SqlBool>`1 = 1`;
  if (scope === 'TEAM') {
    return sql<SqlBool>`posts.status_id not in (
      select id from statuses where board_id = ${boardId} and post_visibility = 'HIDDEN')`;
  }
  return sql<SqlBool>`posts.status_id not in (
      select id from statuses where board_id = ${boardId} and post_visibility <> 'PUBLIC')
    and ${isNotHeld(viewerId)}`;
}

/** As `isVisiblePost`, for one post that is found by its id: checking only its status saves a microsecond. */
export function isVisibleAlone({ scope, viewerId }: ViewerFilter): Expression<SqlBool> {
  const visibility = sql`(
    select post_visibility from statuses where statuses.board_id = posts.board_id and statuses.id = posts.status_id)`;
  if (scope === 'ALL') return sql<SqlBool>`posts.date_deleted is null`;
  if (scope === 'TEAM') return sql<SqlBool>`posts.date_deleted is null and ${visibility} <> 'HIDDEN'`;
  return sql<SqlBool>`posts.date_deleted is null and ${visibility} = 'PUBLIC'
    and ${isNotHeld(viewerId)}`;
}

/** In a query on `posts`: those that moderation does not hold back, and the viewer's own. */
function isNotHeld(viewerId: string): Expression<SqlBool> {
  return sql<SqlBool>`(posts.moderation_status not in ${HELD} or posts.author_id = ${viewerId})`;
}

const seenBy: Record<ViewerScope, readonly PostVisibility[]> = {
  ALL: ['PUBLIC', 'TEAM', 'HIDDEN'],
  TEAM: ['PUBLIC', 'TEAM'],
  MEMBER: ['PUBLIC'],
};

/** Whether the viewer may see posts in this status. */
export function seesStatus(viewer: Viewer, status: Pick<StatusRow, 'post_visibility'>): boolean {
  return seenBy[viewerScopeOf(viewer)].includes(status.post_visibility);
}

/** Whether everyone who sees posts of one visibility sees those of another, too. */
export function isAsOpenAs(one: PostVisibility, other: PostVisibility): boolean {
  return Object.values(seenBy).every((seen) => seen.includes(one) || !seen.includes(other));
}

/** What decides who may see a post, besides its status. */
type Post = { author_id: string | null; moderation_status: ModerationStatus; date_deleted: number | null };

/** As `isVisiblePost`, for a row. */
export function seesPost(viewer: Viewer, post: Post, status: Pick<StatusRow, 'post_visibility'>): boolean {
  if (post.date_deleted !== null || !seesStatus(viewer, status)) return false;
  return !isHeld(post.moderation_status) || isTeam(viewer) || post.author_id === viewer?.id;
}
