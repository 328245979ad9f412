import { isDeepStrictEqual } from 'node:util';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext, RequestContext } from '../../identity/users/request-context.ts';
import { findUsers, requireUserByRef, type UserRef } from '../../identity/users/users.ts';
import type { Reader, Tx } from '../../platform/db/db.ts';
import { listEach } from '../../platform/db/lists.ts';
import { rowLimit } from '../../platform/db/prepare.ts';
import { badRequest, conflict } from '../../platform/errors.ts';
import { isId } from '../../platform/lib/ids.ts';
import { encodeCursor, makePages, type Page, type PageArgs, parseCursor } from '../../platform/lib/page.ts';
import { msg } from '../../platform/messages.ts';
import { type PostKey, type PostRow, requirePostForChange } from '../posts/posts.ts';
import { recordPostChange } from '../posts/recording.ts';
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
    if (isAssigned && !isTeam(user)) throw badRequest(FOR_TEAM, 'user');
    const before = await findAssigneeIds(tx, post);
    const others = before.filter((id) => id !== user.id);
    await replaceAssignees(tx, context, post, before, isAssigned ? [...others, user.id] : others);
    return post;
  });
}

const FOR_TEAM = msg('postAssignedToTeam');

/**
 * Assigns a post to exactly these users.
 * @param seen to whom it was assigned when that was decided
 * @throws CONFLICT when one of them is no longer on the team, or the post is assigned to others now
 */
export async function setAssignees(
  context: ActorContext,
  postId: string,
  ids: readonly string[],
  seen?: readonly string[],
): Promise<void> {
  requireRight(context.actor, 'post.assign');
  await context.db.transaction(async (tx) => {
    const post = await requirePostForChange(tx, context, postId);
    const before = await findAssigneeIds(tx, post);
    if (seen && !isDeepStrictEqual(before, seen)) throw conflict(msg('changedMeanwhile'));
    const users = await findUsers(tx, context.board.id, ids.filter(isId), null);
    if (users.length < ids.length || !users.every((user) => isTeam(user))) throw conflict(FOR_TEAM);
    await replaceAssignees(tx, context, post, before, ids);
  });
}

async function replaceAssignees(
  tx: Tx,
  context: ActorContext,
  post: PostKey,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const { board_id, id: post_id } = post;
  const ofPost = tx.deleteFrom('assignments').where('board_id', '=', board_id).where('post_id', '=', post_id);
  for (const user_id of before) {
    if (!after.includes(user_id)) await ofPost.where('user_id', '=', user_id).execute();
  }
  for (const user_id of after) {
    if (before.includes(user_id)) continue;
    const row = { board_id, post_id, user_id, assigned_by: context.actor.id, date_created: context.clock.now() };
    await tx.insertInto('assignments').values(row).execute();
  }
  await recordPostChange(tx, context, post, { assigneeIds: before }, { assigneeIds: after.toSorted() });
}

/** Ids of the users to whom a post is assigned, in order. */
export async function findAssigneeIds(reader: Reader, post: PostKey): Promise<string[]> {
  const query = reader.selectFrom('assignments').select('user_id').where('board_id', '=', post.board_id);
  return (await query.where('post_id', '=', post.id).orderBy('user_id').execute()).map((row) => row.user_id);
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
