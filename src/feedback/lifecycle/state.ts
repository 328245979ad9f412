import type { State } from '../../identity/activity/activity.ts';
import type { Tx } from '../../platform/db/db.ts';
import { findAssigneeIds } from '../assignments/assignments.ts';
import { findDescription } from '../comments/comments.ts';
import { fieldOfName, findValues } from '../fields/properties.ts';
import type { PostRow } from '../posts/posts.ts';
import { findTagIds } from '../tags/tagging.ts';

/** Properties of a locked post that operations change, with the names that they have in the API. */
export async function readPostState(tx: Tx, post: PostRow, names: readonly string[]): Promise<State> {
  const state: Record<string, unknown> = {};
  for (const name of names) state[name] = await readProperty(tx, post, name);
  return state;
}

async function readProperty(tx: Tx, post: PostRow, name: string): Promise<unknown> {
  const fieldId = fieldOfName(name);
  if (fieldId !== null) return findValues(tx, post, fieldId);
  switch (name) {
    case 'title':
      return post.title;
    case 'comment':
      return (await findDescription(tx, post))?.text ?? null;
    case 'isLocked':
      return post.is_locked === 1;
    case 'isPinned':
      return post.is_pinned === 1;
    case 'expected':
      return post.expected;
    case 'isDeleted':
      return post.date_deleted !== null;
    case 'statusId':
      return post.status_id;
    case 'moderationStatus':
      return post.moderation_status;
    case 'mergedIntoId':
      return post.merged_into_id;
    case 'triageDate':
      return post.triage_date;
    case 'tagIds':
      return findTagIds(tx, post);
    case 'assigneeIds':
      return findAssigneeIds(tx, post);
    default:
      return null;
  }
}
