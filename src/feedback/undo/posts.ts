import type { ActorContext } from '../../identity/users/request-context.ts';
import { isId } from '../../platform/lib/ids.ts';
import { setAssignees } from '../assignments/assignments.ts';
import { moderateComment } from '../comments/moderation.ts';
import { deleteComment, restoreComment, updateComment } from '../comments/writing.ts';
import { fieldOfName } from '../fields/properties.ts';
import { setLinks } from '../issues/issues.ts';
import { deletePost, restorePost } from '../lifecycle/deleting.ts';
import { type PostChanges, removeDescription, restoreValues, updatePost } from '../lifecycle/editing.ts';
import { lockPosts, mergePosts, unmergePost } from '../lifecycle/merging.ts';
import { moderatePost } from '../lifecycle/moderation.ts';
import { changePostStatus } from '../lifecycle/moving.ts';
import { postParts, readPostState } from '../lifecycle/state.ts';
import { setTriage } from '../lifecycle/triage.ts';
import type { PostState, RecordedPost } from '../posts/recording.ts';
import { listStatuses } from '../statuses/statuses.ts';
import type { Undoable } from './undoable.ts';

/** A deleted or merged post is brought back before anything else, and deleted or merged after everything else. */
export const post: Undoable = {
  words: Object.fromEntries(Object.entries(postParts).map(([name, { words }]) => [name, words])),
  async read(tx, { board }, id, names) {
    const row = (await lockPosts(tx, board.id, [id])).get(id);
    return row ? readPostState(tx, row, names) : null;
  },
  async write(context, id, state) {
    const { isDeleted, mergedIntoId, moderationStatus, statusId, assigneeIds, issueIds, triageDate, ...others } =
      state as RecordedPost;
    if (isDeleted === false) await restorePost(context, id);
    if (mergedIntoId === null) await unmergePost(context, id);
    if (moderationStatus) await moderatePost(context, id, moderationStatus);
    if (statusId) await moveBack(context, id, statusId);
    if (assigneeIds) await setAssignees(context, id, assigneeIds);
    if (issueIds) await setLinks(context, id, issueIds);
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

/** What `updatePost` changes back, and values in fields. */
type Updated = Omit<
  PostState,
  'isDeleted' | 'mergedIntoId' | 'moderationStatus' | 'statusId' | 'assigneeIds' | 'issueIds' | 'triageDate' | 'comment'
>;

async function updateBack(context: ActorContext, id: string, { comment, ...state }: RecordedPost): Promise<void> {
  const properties = Object.entries(state).flatMap(([name, values]) => {
    const parent = fieldOfName(name);
    return parent === null ? [] : { parent, values: (values ?? []) as readonly string[] };
  });
  if (properties.length > 0) await restoreValues(context, id, properties);
  const others = Object.entries(state).filter(([name]) => fieldOfName(name) === null);
  if (others.length === 0 && comment === undefined) return;
  // A text that was not there is removed by an empty one.
  const changes: { [Name in keyof Updated]?: PostChanges[Name] } = Object.fromEntries(
    others.map(([name, value]) => [name, value ?? '']),
  );
  await updatePost(context, id, { ...changes, comment });
  if (comment === null) await removeDescription(context, id);
}

type CommentState = Pick<PostState, 'isDeleted' | 'moderationStatus'> & { text: string };

/** Comments; one that the team wrote did not exist before, which is recorded as deleted. */
export const comment: Undoable<keyof CommentState> = {
  words: { text: 'text', isDeleted: 'deletion', moderationStatus: 'approval' },
  async read(tx, { board }, id) {
    if (!isId(id)) return null;
    const query = tx.selectFrom('comments').selectAll().where('board_id', '=', board.id).where('id', '=', id);
    const row = await query.executeTakeFirst();
    if (!row) return null;
    return { text: row.text, isDeleted: row.date_deleted !== null, moderationStatus: row.moderation_status };
  },
  async write(context, id, state) {
    const { text, isDeleted, moderationStatus } = state as Partial<CommentState>;
    if (isDeleted === false) await restoreComment(context, id);
    if (text !== undefined) await updateComment(context, id, text);
    if (moderationStatus) await moderateComment(context, id, moderationStatus);
    if (isDeleted) await deleteComment(context, id);
  },
};
