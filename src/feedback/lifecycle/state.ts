import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../platform/db/db.ts';
import { conflict } from '../../platform/errors.ts';
import { msg } from '../../platform/messages.ts';
import { findAssigneeIds } from '../assignments/assignments.ts';
import { findDescription } from '../comments/comments.ts';
import { fieldOfName, findValues } from '../fields/properties.ts';
import { findIssueIds } from '../issues/issues.ts';
import { mapAttributes, readAttribute } from '../posts/attributes.ts';
import type { PostRow } from '../posts/posts.ts';
import type { PostState, RecordedPost } from '../posts/recording.ts';
import { findTagIds } from '../tags/tagging.ts';

/** What errors call a part of the state of a post, and how it is read of a locked one. */
type Part = { words: string; read(post: PostRow, tx: Tx): unknown };

/** Everything that operations change of a post, except values in fields. */
export const postParts: Record<keyof PostState, Part> = {
  ...mapAttributes((attribute) => ({ words: attribute.words, read: (post) => readAttribute(post, attribute) })),
  title: { words: 'title', read: (post) => post.title },
  comment: { words: 'description', read: async (post, tx) => (await findDescription(tx, post))?.text ?? null },
  isDeleted: { words: 'deletion', read: (post) => post.date_deleted !== null },
  statusId: { words: 'status', read: (post) => post.status_id },
  moderationStatus: { words: 'approval', read: (post) => post.moderation_status },
  mergedIntoId: { words: 'merge', read: (post) => post.merged_into_id },
  triageDate: { words: 'triage', read: (post) => post.triage_date },
  tagIds: { words: 'tags', read: (post, tx) => findTagIds(tx, post) },
  assigneeIds: { words: 'assignment', read: (post, tx) => findAssigneeIds(tx, post) },
  issueIds: { words: 'linked issues', read: (post, tx) => findIssueIds(tx, post) },
};

/** Properties of a locked post that operations change, with the names that they have in the API. */
export async function readPostState(tx: Tx, post: PostRow, names: readonly string[]): Promise<RecordedPost> {
  const state: Record<string, unknown> = {};
  for (const name of names) state[name] = await readPart(tx, post, name);
  return state as RecordedPost;
}

/** @throws CONFLICT if one of these properties of a locked post is different now */
export async function requireSeen(tx: Tx, post: PostRow, seen: RecordedPost): Promise<void> {
  const current = await readPostState(tx, post, Object.keys(seen));
  if (!isDeepStrictEqual(current, seen)) throw conflict(msg('changedMeanwhile'));
}

function readPart(tx: Tx, post: PostRow, name: string): unknown {
  const fieldId = fieldOfName(name);
  if (fieldId !== null) return findValues(tx, post, fieldId);
  return name in postParts ? postParts[name as keyof PostState].read(post, tx) : null;
}
