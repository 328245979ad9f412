import type { ActorContext } from '../../identity/users/request-context.ts';
import { isId } from '../../platform/lib/ids.ts';
import { setAssignees } from '../assignments/assignments.ts';
import { moderateComment } from '../comments/moderation.ts';
import { deleteComment, restoreComment, updateComment } from '../comments/writing.ts';
import { fieldOfName } from '../fields/properties.ts';
import { deletePost, restorePost } from '../lifecycle/deleting.ts';
import { type PostChanges, removeDescription, restoreValues, updatePost } from '../lifecycle/editing.ts';
import { lockPosts, mergePosts, unmergePost } from '../lifecycle/merging.ts';
import { moderatePost } from '../lifecycle/moderation.ts';
import { changePostStatus } from '../lifecycle/moving.ts';
import { readPostState } from '../lifecycle/state.ts';
import { setTriage } from '../lifecycle/triage.ts';
import { listStatuses } from '../statuses/statuses.ts';
import type { ModerationStatus } from '../visibility/posts.ts';
import type { Undoable } from './undoable.ts';

/** The properties of a post that are not values in fields, as they were recorded. */
type PostState = Partial<{
  [Name in 'title' | 'isLocked' | 'isPinned' | 'tagIds']: NonNullable<PostChanges[Name]>;
}> &
  Partial<{
    comment: string | null;
    expected: string | null;
    isDeleted: boolean;
    statusId: string;
    moderationStatus: ModerationStatus;
    mergedIntoId: string | null;
    assigneeIds: readonly string[];
    triageDate: number;
  }>;

/** A deleted or merged post is brought back before anything else, and deleted or merged after everything else. */
export const post: Undoable = {
  async read(tx, { board }, id, names) {
    const row = (await lockPosts(tx, board.id, [id])).get(id);
    return row ? readPostState(tx, row, names) : null;
  },
  async write(context, id, state) {
    const { isDeleted, mergedIntoId, moderationStatus, statusId, assigneeIds, triageDate, ...others } =
      state as PostState;
    if (isDeleted === false) await restorePost(context, id);
    if (mergedIntoId === null) await unmergePost(context, id);
    if (moderationStatus) await moderatePost(context, id, moderationStatus);
    if (statusId) await moveBack(context, id, statusId);
    if (assigneeIds) await setAssignees(context, id, assigneeIds);
    if (triageDate !== undefined) await setTriage(context, id, triageDate || null);
    await updateBack(context, id, others);
    if (mergedIntoId) await mergePosts(context, [id], mergedIntoId);
    if (isDeleted) await deletePost(context, id);
  },
};

async function moveBack(context: ActorContext, id: string, statusId: string): Promise<void> {
  const statuses = await listStatuses(context.db.read, context.board.id);
  const type = statuses.find((status) => status.id === statusId)?.type ?? 'CUSTOM';
  await changePostStatus(context, id, { statusType: type, statusId: type === 'CUSTOM' ? statusId : null });
}

async function updateBack(context: ActorContext, id: string, state: PostState): Promise<void> {
  const properties = Object.entries(state).flatMap(([name, values]) => {
    const parent = fieldOfName(name);
    return parent === null ? [] : { parent, values: (values ?? []) as readonly string[] };
  });
  if (properties.length > 0) await restoreValues(context, id, properties);
  if (properties.length === Object.keys(state).length) return;
  const { title, comment, isLocked, isPinned, tagIds } = state;
  const expected = state.expected === null ? '' : state.expected;
  await updatePost(context, id, { title, comment, isLocked, isPinned, expected, tagIds });
  if (comment === null) await removeDescription(context, id);
}

/** Comments; one that the team wrote did not exist before, which is recorded as deleted. */
export const comment: Undoable = {
  async read(tx, { board }, id) {
    if (!isId(id)) return null;
    const query = tx.selectFrom('comments').selectAll().where('board_id', '=', board.id).where('id', '=', id);
    const row = await query.executeTakeFirst();
    if (!row) return null;
    return { text: row.text, isDeleted: row.date_deleted !== null, moderationStatus: row.moderation_status };
  },
  async write(context, id, state) {
    const { text, isDeleted, moderationStatus } = state as { text?: string } & PostState;
    if (isDeleted === false) await restoreComment(context, id);
    if (text !== undefined) await updateComment(context, id, text);
    if (moderationStatus) await moderateComment(context, id, moderationStatus);
    if (isDeleted) await deleteComment(context, id);
  },
};
