import { type Expression, type SqlBool, sql } from 'kysely';
import { HELD, isHeld, isTeam, isVisiblePost, type ModerationStatus, type Viewer, type ViewerFilter } from './posts.ts';

/** In a query on `comments`: those that the viewer may see wherever they may see the post. */
export function isVisibleComment(viewerFilter: ViewerFilter): Expression<SqlBool> {
  return sql<SqlBool>`comments.date_deleted is null and ${isVisibleOrDeletedComment(viewerFilter)}`;
}

/** In a query on `comments`: those that the viewer may see, or might before they were deleted. */
export function isVisibleOrDeletedComment({ scope, viewerId }: ViewerFilter): Expression<SqlBool> {
  if (scope !== 'MEMBER') return sql<SqlBool>`1 = 1`;
  return sql<SqlBool>`comments.type <> 'INTERNAL'
    and (comments.moderation_status not in ${HELD} or comments.user_id = ${viewerId})`;
}

/** In a query on `comments` of many posts: those on posts that the viewer may see. */
export function isOnVisiblePost(viewerFilter: ViewerFilter): Expression<SqlBool> {
  return sql<SqlBool>`exists (
    select 1 from posts
    where posts.board_id = comments.board_id and posts.id = comments.post_id and ${isVisiblePost(viewerFilter)})`;
}

/** What decides who may see a comment on a post that they see. */
type Comment = {
  type: string;
  user_id: string | null;
  moderation_status: ModerationStatus;
  date_deleted: number | null;
};

/** As `isVisibleComment`, for a row on a post that the viewer sees. */
export function seesComment(viewer: Viewer, comment: Comment): boolean {
  if (comment.date_deleted !== null) return false;
  if (isTeam(viewer)) return true;
  return comment.type !== 'INTERNAL' && (!isHeld(comment.moderation_status) || comment.user_id === viewer?.id);
}

/** Whether every viewer of the post may see the comment. */
export function isPublicComment({ type, moderation_status }: Pick<Comment, 'type' | 'moderation_status'>): boolean {
  return type !== 'INTERNAL' && !isHeld(moderation_status);
}
