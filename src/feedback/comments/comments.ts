import { type Generated, type Selectable, sql } from 'kysely';
import { recordChange, type State } from '../../identity/activity/activity.ts';
import type { ServiceContext } from '../../identity/users/request-context.ts';
import type { Reader, Tx } from '../../platform/db/db.ts';
import { isOneOf, prepare, prepareInsert } from '../../platform/db/prepare.ts';
import { updateRow } from '../../platform/db/rows.ts';
import { isId, makeId } from '../../platform/lib/ids.ts';
import type { PostKey, PostRow } from '../posts/posts.ts';
import { isOnVisiblePost, isPublicComment, isVisibleComment } from '../visibility/comments.ts';
import { type Doubt, type ModerationStatus, type Viewer, viewerId, viewerScopeOf } from '../visibility/posts.ts';
import type { Change } from './changes.ts';

/** BASIC is written by a person, INTERNAL for the team only; the others are written by Earshot itself. */
export type CommentType =
  | 'BASIC'
  | 'INTERNAL'
  | 'OFFICIAL'
  | 'STATUS_CHANGE'
  | 'TITLE_CHANGE'
  | 'MERGE_SOURCE'
  | 'MERGE_TARGET';

type CommentTable = {
  board_id: string;
  id: string;
  post_id: string;
  /** Null once the author is erased. */
  user_id: string | null;
  /** The comment that this one replies to, which is no reply itself. */
  parent_id: string | null;
  type: CommentType;
  text: string;
  /** 1 for the description of the post. */
  is_first: Generated<0 | 1>;
  date_created: number;
  date_updated: number | null;
  date_deleted: number | null;
  moderation_status: Generated<ModerationStatus>;
  /** Why it had to be approved, if it came by mail. */
  doubt: Doubt | null;
  /** Who moderated it last. */
  moderated_by: string | null;
  /** Who deleted it, if it is deleted and they are known. */
  deleted_by: string | null;
  /** Whether the last event about it announced the comment, not its removal. */
  is_announced: Generated<0 | 1>;
  /** The post that it was written on, if that was merged into its current one. */
  origin_id: string | null;
  /** For MERGE_SOURCE and MERGE_TARGET: the other post. */
  about_id: string | null;
  /** What Earshot writes about, as JSON of `Change`. */
  details: string | null;
  /** When the comment was written, edited, moderated or moved, whichever was last. */
  date_changed: Generated<number>;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    comments: CommentTable;
  }
}

export type CommentRow = Selectable<CommentTable>;

export const COMMENT_TEXT = { field: 'text', min: 1, max: 20_000 };

/** A comment that the viewer may see, on a post that they may see. */
export async function findComment(
  reader: Reader,
  boardId: string,
  id: string,
  viewer: Viewer,
): Promise<CommentRow | null> {
  return isId(id) ? ((await findComments(reader, boardId, [id], viewer))[0] ?? null) : null;
}

/** The comments with these ids that the viewer may see, in any order. */
export async function findComments(
  reader: Reader,
  boardId: string,
  ids: readonly string[],
  viewer: Viewer,
): Promise<CommentRow[]> {
  const viewerFilter = { scope: viewerScopeOf(viewer), boardId, viewerId: viewerId(viewer) };
  const query = reader.selectFrom('comments').selectAll().where('board_id', '=', boardId);
  return query
    .where(isOneOf(reader, 'id', ids))
    .where(isVisibleComment(viewerFilter))
    .where(isOnVisiblePost(viewerFilter))
    .execute();
}

/** The first comment of a post, which is its description. */
export async function findDescription(reader: Reader, post: PostRow): Promise<CommentRow | null> {
  const [comment] = await findDescriptions(reader, { boardId: post.board_id, postIds: [post.id] });
  return comment ?? null;
}

/** The descriptions of posts; posts without one are missing. */
export const findDescriptions = prepare<{ boardId: string; postIds: readonly string[] }, CommentRow>((reader, param) =>
  reader
    .selectFrom('comments')
    .selectAll()
    .where('board_id', '=', param('boardId'))
    .where(isOneOf(reader, 'post_id', param('postIds')))
    .where('is_first', '=', 1),
);

/** Changes columns of one comment and returns the new row. */
export function setComment(tx: Tx, comment: CommentRow, set: Partial<CommentRow>): Promise<CommentRow> {
  return updateRow(tx, 'comments', comment, set);
}

/** Records what a change of the team did to a comment, see `recordChange`. */
export function recordCommentChange(
  tx: Tx,
  context: ServiceContext,
  { id, post_id: postId }: Pick<CommentRow, 'id' | 'post_id'>,
  before: State,
  after: State,
): Promise<void> {
  return recordChange(tx, context, { thing: 'COMMENT', id, postId, before, after });
}

/** Records that the team wrote a comment: undoing that deletes it. */
export function recordNewComment(
  tx: Tx,
  context: ServiceContext,
  comment: Pick<CommentRow, 'id' | 'post_id'>,
): Promise<void> {
  return recordCommentChange(tx, context, comment, { isDeleted: true }, { isDeleted: false });
}

/** The two counts that a post keeps of its comments. */
export type CommentCounts = Pick<PostRow, 'comment_count' | 'hidden_comment_count'>;

/** The counts of a post when a comment comes (`before` null), goes (`after` null) or changes. */
export function countComment(post: CommentCounts, before: CommentRow | null, after: CommentRow | null): CommentCounts {
  const change = (isPublic: boolean) => Number(isCounted(after, isPublic)) - Number(isCounted(before, isPublic));
  return {
    comment_count: post.comment_count + change(true),
    hidden_comment_count: post.hidden_comment_count + change(false),
  };
}

/** Whether a comment counts: what Earshot writes is the history of a post, not a part of its discussion. */
function isCounted(comment: CommentRow | null, isPublic: boolean): boolean {
  if (comment === null || comment.date_deleted !== null || !isWritten(comment)) return false;
  return isPublicComment(comment) === isPublic;
}

/** The types of comments that people write. */
export const writtenTypes = ['BASIC', 'OFFICIAL', 'INTERNAL'] as const satisfies readonly CommentType[];

/** The types of comments that people write, in a query. */
export const WRITTEN = sql`('BASIC', 'OFFICIAL', 'INTERNAL')`;

/** Whether a person wrote the comment. */
export function isWritten({ type }: Pick<CommentRow, 'type'>): boolean {
  return writtenTypes.some((written) => written === type);
}

/** The row of a new comment; counting and announcing it is the caller's. */
export type CommentValues = {
  id?: string | undefined;
  post: PostKey;
  userId: string | null;
  text: string;
  type?: CommentType;
  parent?: CommentRow | null;
  originId?: string | null;
  aboutId?: string | undefined;
  change?: Change;
  isFirst?: boolean;
  isAnnounced?: boolean;
  moderation?: ModerationStatus;
  doubt?: Doubt | null | undefined;
  dateCreated: number;
  /** If it differs from the time of creation: for imports. */
  now?: number;
};

/** Writes the row of a comment. */
export async function insertComment(tx: Tx, values: CommentValues): Promise<CommentRow> {
  const { post, parent, dateCreated } = values;
  const [comment] = await insertOne(tx, {
    board_id: post.board_id,
    id: values.id ?? makeId(),
    post_id: post.id,
    user_id: values.userId,
    parent_id: parent?.id ?? null,
    origin_id: values.originId ?? null,
    about_id: values.aboutId ?? null,
    details: values.change ? JSON.stringify(values.change) : null,
    type: values.type ?? 'BASIC',
    text: values.text,
    is_first: values.isFirst ? 1 : 0,
    is_announced: values.isAnnounced ? 1 : 0,
    moderation_status: values.moderation ?? 'APPROVED',
    doubt: values.doubt ?? null,
    date_created: dateCreated,
    date_changed: values.now ?? dateCreated,
  });
  return comment as CommentRow;
}

const insertOne = prepareInsert(
  'comments',
  [
    'board_id',
    'id',
    'post_id',
    'user_id',
    'parent_id',
    'origin_id',
    'about_id',
    'details',
    'type',
    'text',
    'is_first',
    'is_announced',
    'moderation_status',
    'doubt',
    'date_created',
    'date_changed',
  ],
  (insert) => insert.returningAll(),
);
