import { findPosts } from '#src/feedback/posts/posts.ts';
import { listStatuses, type PostVisibility } from '#src/feedback/statuses/statuses.ts';
import { findDeletedTitles } from '#src/feedback/undo/deleted.ts';
import type { ChangeView, OperationView } from '#src/feedback/undo/operations.ts';
import { seesStatus } from '#src/feedback/visibility/posts.ts';
import type { State } from '#src/identity/activity/activity.ts';
import type { ActorContext } from '#src/identity/users/request-context.ts';
import { parseLocale } from '../i18n/format.ts';
import type { Locale } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';
import { postPath } from '../posts/posts.ts';
import { nameOfStatus } from '../posts/statuses.ts';

/** Changes of one operation that the page shows; of many, the first ones. */
const MAX_SHOWN = 5;

/** What an operation did, as the page shows it. */
export type ActivityView = {
  id: string;
  date: number;
  dateUndone: number | null;
  isUndoable: boolean;
  /** Whether no one can undo it, because something is gone permanently. */
  isLasting: boolean;
  lines: { words: string; detail: string | null; title: string | null; path: string | null }[];
  /** Changes beyond those. */
  more: number;
};

/** What can be said of a change. */
type ActivityKind =
  | 'assigned'
  | 'boardSettings'
  | 'commentChanged'
  | 'commentDeleted'
  | 'commentModerated'
  | 'commentWritten'
  | 'deleted'
  | 'done'
  | 'edited'
  | 'entryChanged'
  | 'entryDeleted'
  | 'entryPublished'
  | 'entryUnpublished'
  | 'entryWritten'
  | 'company'
  | 'fieldOrder'
  | 'fieldSettings'
  | 'locked'
  | 'unlocked'
  | 'merged'
  | 'moderated'
  | 'order'
  | 'pinned'
  | 'unpinned'
  | 'restored'
  | 'snoozed'
  | 'status'
  | 'statusSettings'
  | 'segment'
  | 'tagSettings'
  | 'tags'
  | 'triaged'
  | 'unmerged'
  | 'view'
  | 'role'
  | 'standing';

/** The operations of a page of the log, with the titles of posts, also of deleted ones, and the names of statuses. */
export async function viewActivity(
  context: ActorContext,
  operations: readonly OperationView[],
): Promise<ActivityView[]> {
  const { db, board, actor } = context;
  const locale = parseLocale(actor.locale ?? board.locale);
  const shown = operations.flatMap(({ changes }) => mainFirst(changes).slice(0, MAX_SHOWN));
  const postIds = [...new Set(shown.flatMap(({ post_id }) => post_id ?? []))];
  const posts = new Map((await findPosts(db.read, board.id, postIds, actor)).map((post) => [post.id, post]));
  const gone = await findDeletedTitles(
    context,
    postIds.filter((id) => !posts.has(id)),
  );
  const statuses = (await listStatuses(db.read, board.id)).filter((status) => seesStatus(actor, status));
  const names = new Map(statuses.map(({ id, name }) => [id, nameOfStatus(name)]));
  const isSeen = ({ postVisibility }: State) =>
    postVisibility == null || seesStatus(actor, { post_visibility: postVisibility as PostVisibility });
  return operations.map(({ id, dateCreated, dateUndone, isUndoable, changes }) => ({
    id,
    date: dateCreated,
    dateUndone,
    isUndoable,
    more: Math.max(0, changes.length - MAX_SHOWN),
    isLasting: changes.some(({ after }) => 'lost' in after),
    lines: mainFirst(changes)
      .slice(0, MAX_SHOWN)
      .map((change) => {
        const post = posts.get(change.post_id ?? '');
        const words = wordsOf(locale, kindOf(change, dateCreated));
        const detail = detailOf(change, names, isSeen);
        const title = post?.title ?? gone.get(change.post_id ?? '') ?? null;
        return { words, detail, title, path: post ? postPath(post) : null };
      }),
  }));
}

/** A deleted status or field before the ideas that lost it. */
function mainFirst(changes: readonly ChangeView[]): ChangeView[] {
  return changes.toSorted((a, b) => Number(a.post_id !== null) - Number(b.post_id !== null));
}

function wordsOf(l: Locale, kind: ActivityKind): string {
  const words: Record<ActivityKind, (l: Locale) => string> = {
    assigned: m.activityAssigned,
    boardSettings: m.activityBoardSettings,
    commentChanged: m.activityCommentChanged,
    commentDeleted: m.activityCommentDeleted,
    commentModerated: m.activityCommentModerated,
    commentWritten: m.activityCommentWritten,
    deleted: m.activityDeleted,
    done: m.activityDone,
    edited: m.activityEdited,
    entryChanged: m.activityEntryChanged,
    entryDeleted: m.activityEntryDeleted,
    entryPublished: m.activityEntryPublished,
    entryUnpublished: m.activityEntryUnpublished,
    entryWritten: m.activityEntryWritten,
    company: m.activityCompany,
    fieldOrder: m.activityFieldOrder,
    fieldSettings: m.activityFieldSettings,
    locked: m.activityLocked,
    unlocked: m.activityUnlocked,
    merged: m.activityMerged,
    moderated: m.activityModerated,
    order: m.activityOrder,
    pinned: m.activityPinned,
    unpinned: m.activityUnpinned,
    restored: m.activityRestored,
    snoozed: m.activitySnoozed,
    status: m.activityStatus,
    statusSettings: m.activityStatusSettings,
    segment: m.activitySegment,
    tagSettings: m.activityTagSettings,
    tags: m.activityTags,
    triaged: m.activityTriaged,
    unmerged: m.activityUnmerged,
    view: m.activityView,
    role: m.activityRole,
    standing: m.activityStanding,
  };
  return words[kind](l);
}

function kindOf({ thing, before, after }: ChangeView, date: number): ActivityKind {
  switch (thing) {
    case 'POST':
      return kindOfPost(after, date);
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
    case 'FIELD':
      return 'fieldSettings';
    case 'COMPANY':
      return 'company';
    case 'SEGMENT':
      return 'segment';
    case 'FIELD_ORDER':
      return 'fieldOrder';
    case 'CHANGELOG_ENTRY':
      return kindOfEntry(after);
    case 'BOARD':
      return 'boardSettings';
    case 'VIEW':
    case 'OWN_VIEW':
      return 'view';
    case 'USER':
      return 'role' in before ? 'role' : 'standing';
    default:
      return thing satisfies never;
  }
}

function kindOfEntry(after: State): ActivityKind {
  if ('exists' in after) return after.exists ? 'entryWritten' : 'entryDeleted';
  if ('datePublished' in after) return after.datePublished === null ? 'entryUnpublished' : 'entryPublished';
  return 'entryChanged';
}

/** @param date when it was changed */
function kindOfPost(after: State, date: number): ActivityKind {
  if ('statusId' in after) return 'status';
  if ('isDeleted' in after) return after.isDeleted ? 'deleted' : 'restored';
  if ('mergedIntoId' in after) return after.mergedIntoId ? 'merged' : 'unmerged';
  if ('moderationStatus' in after) return 'moderated';
  if ('tagIds' in after) return 'tags';
  if ('assigneeIds' in after) return 'assigned';
  if ('isLocked' in after) return after.isLocked ? 'locked' : 'unlocked';
  if ('isPinned' in after) return after.isPinned ? 'pinned' : 'unpinned';
  if ('triageDate' in after) {
    if (after.triageDate === 0) return 'done';
    return Number(after.triageDate) > date ? 'snoozed' : 'triaged';
  }
  return 'edited';
}

/** What a change is about, in words of the team: names of statuses only as far as the viewer sees these. */
function detailOf(
  { thing, thing_id: id, before, after }: ChangeView,
  names: ReadonlyMap<string, string>,
  isSeen: (status: State) => boolean,
): string | null {
  const name = (statusId: unknown) => names.get(String(statusId)) ?? '–';
  if (thing === 'POST' && 'statusId' in after) return `${name(before.statusId)} → ${name(after.statusId)}`;
  if (thing !== 'STATUS') return changeOf(before, after);
  const isSeenNow = names.has(id);
  if (!isSeenNow && after.exists !== false) return null;
  return isSeen(before) && isSeen(after) ? (changeOf(before, after) ?? names.get(id) ?? null) : null;
}

/** The name that something had, got, or changed. */
function changeOf(before: State, after: State): string | null {
  const of = ({ name, label, title }: State) => [name, label, title].find((text) => typeof text === 'string');
  const [was, is] = [of(before), of(after)];
  return was && is ? `${was} → ${is}` : (was ?? is ?? null);
}
