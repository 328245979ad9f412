import { findPosts } from '#src/feedback/posts/posts.ts';
import { listStatuses } from '#src/feedback/statuses/statuses.ts';
import { seesStatus } from '#src/feedback/visibility/posts.ts';
import type { ChangeView, OperationView } from '../../src/feedback/undo/operations.ts';
import type { State } from '../../src/identity/activity/activity.ts';
import type { ActorContext } from '../../src/identity/users/request-context.ts';
import { parseLocale } from '../i18n/format.ts';
import type { Locale } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';
import { postPath } from './posts.ts';

/** Changes of one operation that the page shows; of many, the first ones. */
const MAX_SHOWN = 5;

/** What an operation did, as the page shows it. */
export type ActivityView = {
  id: string;
  date: number;
  dateUndone: number | null;
  isUndoable: boolean;
  lines: { words: string; detail: string | null; title: string | null; path: string | null }[];
  /** Changes beyond those. */
  more: number;
};

/** What can be said of a change. */
type ActivityKind =
  | 'assigned'
  | 'commentChanged'
  | 'commentDeleted'
  | 'commentModerated'
  | 'commentWritten'
  | 'deleted'
  | 'edited'
  | 'locked'
  | 'unlocked'
  | 'merged'
  | 'moderated'
  | 'order'
  | 'pinned'
  | 'unpinned'
  | 'restored'
  | 'status'
  | 'statusSettings'
  | 'tagSettings'
  | 'tags'
  | 'unmerged'
  | 'role'
  | 'standing';

/** The operations of a page of the log, with the titles of the posts that still exist and the names of statuses. */
export async function viewActivity(
  { db, board, actor }: ActorContext,
  operations: readonly OperationView[],
): Promise<ActivityView[]> {
  const locale = parseLocale(actor.locale ?? board.locale);
  const shown = operations.flatMap(({ changes }) => changes.slice(0, MAX_SHOWN));
  const postIds = [...new Set(shown.flatMap(({ post_id }) => post_id ?? []))];
  const posts = new Map((await findPosts(db.read, board.id, postIds, actor)).map((post) => [post.id, post]));
  const statuses = (await listStatuses(db.read, board.id)).filter((status) => seesStatus(actor, status));
  const names = new Map(statuses.map(({ id, name }) => [id, name]));
  return operations.map(({ id, dateCreated, dateUndone, isUndoable, changes }) => ({
    ...{ id, date: dateCreated, dateUndone, isUndoable, more: Math.max(0, changes.length - MAX_SHOWN) },
    lines: changes.slice(0, MAX_SHOWN).map((change) => {
      const post = posts.get(change.post_id ?? '');
      const words = wordsOf(locale, kindOf(change));
      const detail = detailOf(change, names);
      return { words, detail, title: post?.title ?? null, path: post ? postPath(post) : null };
    }),
  }));
}

function wordsOf(l: Locale, kind: ActivityKind): string {
  const words: Record<ActivityKind, (l: Locale) => string> = {
    assigned: m.activityAssigned,
    commentChanged: m.activityCommentChanged,
    commentDeleted: m.activityCommentDeleted,
    commentModerated: m.activityCommentModerated,
    commentWritten: m.activityCommentWritten,
    deleted: m.activityDeleted,
    edited: m.activityEdited,
    locked: m.activityLocked,
    unlocked: m.activityUnlocked,
    merged: m.activityMerged,
    moderated: m.activityModerated,
    order: m.activityOrder,
    pinned: m.activityPinned,
    unpinned: m.activityUnpinned,
    restored: m.activityRestored,
    status: m.activityStatus,
    statusSettings: m.activityStatusSettings,
    tagSettings: m.activityTagSettings,
    tags: m.activityTags,
    unmerged: m.activityUnmerged,
    role: m.activityRole,
    standing: m.activityStanding,
  };
  return words[kind](l);
}

function kindOf({ thing, before, after }: ChangeView): ActivityKind {
  switch (thing) {
    case 'POST':
      return kindOfPost(after);
    case 'COMMENT':
      if ('text' in after) return 'commentChanged';
      if ('moderationStatus' in after) return 'commentModerated';
      return after.isDeleted ? 'commentDeleted' : 'commentWritten';
    case 'STATUS':
      return 'statusSettings';
    case 'STATUS_ORDER':
      return 'order';
    case 'TAG':
      return 'tagSettings';
    case 'USER':
      return 'role' in before ? 'role' : 'standing';
    default:
      return thing satisfies never;
  }
}

function kindOfPost(after: State): ActivityKind {
  if ('statusId' in after) return 'status';
  if ('isDeleted' in after) return after.isDeleted ? 'deleted' : 'restored';
  if ('mergedIntoId' in after) return after.mergedIntoId ? 'merged' : 'unmerged';
  if ('moderationStatus' in after) return 'moderated';
  if ('tagIds' in after) return 'tags';
  if ('assigneeIds' in after) return 'assigned';
  if ('isLocked' in after) return after.isLocked ? 'locked' : 'unlocked';
  if ('isPinned' in after) return after.isPinned ? 'pinned' : 'unpinned';
  return 'edited';
}

/** The values of a change that say something by themselves; a status that is deleted, or not for the viewer, has no name. */
function detailOf({ thing, before, after }: ChangeView, names: ReadonlyMap<string, string>): string | null {
  const name = (id: unknown) => names.get(String(id)) ?? '–';
  if (thing === 'POST' && 'statusId' in after) return `${name(before.statusId)} → ${name(after.statusId)}`;
  const known = before.name ?? after.name;
  return typeof known === 'string' ? known : null;
}
