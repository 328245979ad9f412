import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { requireUserByRef, type UserRef } from '../../identity/users/users.ts';
import type { Reader } from '../../platform/db/db.ts';
import { prepare, prepareVariants, rowLimit } from '../../platform/db/prepare.ts';
import { badRequest } from '../../platform/errors.ts';
import { encodeCursor, makePage, type Page, parseCursor } from '../../platform/lib/page.ts';
import { type PostRow, requirePostForChange } from '../posts/posts.ts';
import { isTeam } from '../visibility/posts.ts';

/** That somebody of the team takes care of a post. */
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

/** Gives a post to somebody of the team, or takes it from them; nothing happens when that is so already. */
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

/** Which assignments of each post, by the person's id. */
export type AssignmentQuery = { cursor: string | null; limit: number };

/** A page of the assignments of each of the posts, in one statement. */
export async function listAssignments(
  reader: Reader,
  boardId: string,
  postIds: readonly string[],
  { cursor, limit }: AssignmentQuery,
): Promise<Map<string, Page<AssignmentRow>>> {
  const [, after = ''] = parseCursor('assignments', cursor) ?? [];
  const values: Values = { boardId, after, limit: limit + 1 };
  postIds.forEach((postId, n) => {
    values[`post${n}`] = postId;
  });
  const byPost = Map.groupBy(await lists({ posts: postIds.length })(reader, values), (row) => row.post_id);
  const cursorOf = (row: AssignmentRow) => encodeCursor('assignments', [0, row.user_id]);
  return new Map(postIds.map((postId) => [postId, makePage(byPost.get(postId) ?? [], limit, cursorOf)]));
}

type Values = { boardId: string; after: string; limit: number; [postId: `post${number}`]: string };

const lists = prepareVariants<{ posts: number }, Values, AssignmentRow>(({ posts }) =>
  prepare((reader, param) => {
    const pageOf = (n: number) => {
      const page = reader
        .selectFrom('assignments')
        .selectAll()
        .where('board_id', '=', param('boardId'))
        .where('post_id', '=', param(`post${n}`))
        .where('user_id', '>', param('after'))
        .orderBy('user_id')
        .limit(rowLimit(param('limit')));
      return reader.selectFrom(page.as('page')).selectAll();
    };
    let query = pageOf(0);
    for (let n = 1; n < posts; n++) query = query.unionAll(pageOf(n));
    return query;
  }),
);
