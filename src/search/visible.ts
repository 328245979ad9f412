import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Tables } from '../db/db.ts';
import { may } from '../users/authority.ts';
import type { UserRow } from '../users/users.ts';

/** A condition on rows of `posts`. */
export type PostCondition = (e: ExpressionBuilder<Tables, 'posts'>) => Expression<SqlBool>;

/**
 * Which posts somebody may find. Searches, similar posts, their counts and the export ask here and nowhere else;
 * `viewer` is null where nobody acts, who may find what every member may.
 */
export function findableBy(_viewer: UserRow | null): PostCondition {
  return (e) => e('posts.date_deleted', 'is', null);
}

/** A condition on rows of `comments`. */
export type CommentCondition = (e: ExpressionBuilder<Tables, 'comments'>) => Expression<SqlBool>;

/** Which comments of a post that somebody may find they may read: those of the team are for the team. */
export function readableBy(viewer: UserRow | null): CommentCondition {
  const isTeam = viewer !== null && may(viewer, 'tag.private');
  return (e) =>
    e.and([e('comments.date_deleted', 'is', null), ...(isTeam ? [] : [e('comments.type', '<>', 'INTERNAL')])]);
}
