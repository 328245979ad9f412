import { recordChange } from '../../identity/activity/activity.ts';
import type { ServiceContext } from '../../identity/users/request-context.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { ModerationStatus } from '../visibility/posts.ts';
import type { PostAttributes } from './attributes.ts';
import type { PostKey } from './posts.ts';

/** What operations change of a post, by the names of the API. */
export type PostState = PostAttributes & {
  title: string;
  /** The description. */
  comment: string | null;
  isDeleted: boolean;
  statusId: string;
  moderationStatus: ModerationStatus;
  mergedIntoId: string | null;
  /** 0 once the team has dealt with it. */
  triageDate: number;
  tagIds: readonly string[];
  assigneeIds: readonly string[];
  /** Links to issues, see `issues/issues.ts`. */
  issueIds: readonly string[];
};

/** Some of it, and values in fields by the names of `nameOfField`. */
export type RecordedPost = Partial<PostState> & { [field: `field:${string}`]: readonly string[] | null };

/** Records what a change of the team did to a post, see `recordChange`. */
export function recordPostChange(
  tx: Tx,
  context: ServiceContext,
  { id }: PostKey,
  before: RecordedPost,
  after: RecordedPost,
): Promise<void> {
  return recordChange(tx, context, { thing: 'POST', id, postId: id, before, after });
}
