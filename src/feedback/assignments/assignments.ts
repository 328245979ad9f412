import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext, RequestContext } from '../../identity/users/request-context.ts';
import { requireUserByRef, type UserRef } from '../../identity/users/users.ts';
import { listEach } from '../../platform/db/lists.ts';
import { rowLimit } from '../../platform/db/prepare.ts';
import { badRequest } from '../../platform/errors.ts';
import { encodeCursor, makePages, type Page, type PageArgs, parseCursor } from '../../platform/lib/page.ts';
import { type PostRow, requirePostForChange } from '../posts/posts.ts';
import { isTeam } from '../visibility/posts.ts';

/** That a team member takes care of a post. */
export type AssignmentRow = {
  board_id: string;
  post_id: string;
  user_id: string;
  assigned_by: string | null;
  date_created: number;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    assignments: AssignmentRow;
  }
}

/** Assigns a post to a team member, or unassigns it; does nothing if that is already the case. */
export async function setAssignment(
  context: ActorContext,
  postId: string,
  ref: UserRef,
  isAssigned: boolean,
): Promise<PostRow> {
  requireRight(context.actor, 'post.assign');
  return context.db.transaction(async (tx) => {
    const post = await requirePostForChange(tx, context, postId);
    const user = await requireUserByRef(tx, context.board.id, ref, 'user');
    const key = { board_id: post.board_id, post_id: post.id, user_id: user.id };
    if (!isAssigned) {
      const query = tx.deleteFrom('assignments').where('board_id', '=', key.board_id);
      await query.where('post_id', '=', key.post_id).where('user_id', '=', key.user_id).execute();
      return post;
    }
    if (!isTeam(user)) throw badRequest('Posts are assigned to the team: moderators, admins and owners', 'user');
    await tx
      .insertInto('assignments')
      .values({ ...key, assigned_by: context.actor.id, date_created: context.clock.now() })
      .onConflict((c) => c.columns(['board_id', 'post_id', 'user_id']).doNothing())
      .execute();
    return post;
  });
}

/** Pages of the assignments of each post, by the person's id. */
export async function listAssignments(
  { db, board }: RequestContext,
  postIds: readonly string[],
  { cursor, limit }: PageArgs,
): Promise<Map<string, Page<AssignmentRow>>> {
  const [, after = ''] = parseCursor('assignments', cursor) ?? [];
  const rows = await assignmentsOfEach(db.read, {}, { boardId: board.id, after, limit: limit + 1 }, postIds);
  return makePages(rows, 'post_id', postIds, limit, (row) => encodeCursor('assignments', [0, row.user_id]));
}

type Values = { boardId: string; after: string; limit: number };

const assignmentsOfEach = listEach<object, Values, AssignmentRow>((_, reader, param, postId) =>
  reader
    .selectFrom('assignments')
    .selectAll()
    .where('board_id', '=', param('boardId'))
    .where('post_id', '=', postId)
    .where('user_id', '>', param('after'))
    .orderBy('user_id')
    .limit(rowLimit(param('limit'))),
);
