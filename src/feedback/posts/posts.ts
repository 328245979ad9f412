import type { Generated, Selectable } from 'kysely';
import { type BoardRow, boardUrl } from '../../identity/board/board.ts';
import type { ActorContext, ViewerContext } from '../../identity/users/request-context.ts';
import type { Reader, Rows, Tx } from '../../platform/db/db.ts';
import { type Columns, isOneOf, locked, prepare, prepareVariants, selectColumns } from '../../platform/db/prepare.ts';
import { updateRow } from '../../platform/db/rows.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { isId } from '../../platform/lib/ids.ts';
import { andThen, type MaybePromise } from '../../platform/lib/maybe-promise.ts';
import { msg } from '../../platform/messages.ts';
import { makeSlug } from '../../platform/texts/text.ts';
import {
  type Doubt,
  isVisibleAlone,
  isVisiblePost,
  type ModerationStatus,
  type Viewer,
  type ViewerScope,
  viewerId,
  viewerScopeOf,
} from '../visibility/posts.ts';

type PostTable = {
  board_id: string;
  id: string;
  /** Counts up from 1 on each board. */
  number: number;
  title: string;
  /** The beginning of the description; null without one. */
  excerpt: string | null;
  /** The author; null once that user is erased. */
  author_id: string | null;
  status_id: string;
  /** The id of the post in the system that it came from. */
  external_id: string | null;
  /** With those whose voters are not known, see `countUnattributed`. */
  upvotes: Generated<number>;
  downvotes: Generated<number>;
  /** Of its upvotes, without those of posts merged into it: how many came as a number, without their voters. */
  unattributed_upvotes: Generated<number>;
  /** Public comments, without the description. */
  comment_count: Generated<number>;
  /** The other ones that are not deleted: internal, or held back by moderation. */
  hidden_comment_count: Generated<number>;
  /** The order TRENDING, see `hotScore`. */
  hot: number;
  is_locked: Generated<0 | 1>;
  is_pinned: Generated<0 | 1>;
  /** When the team expects it: a quarter, `2026-Q3`, or a month, `2026-09`. */
  expected: string | null;
  is_sample: Generated<0 | 1>;
  date_created: number;
  date_updated: number;
  /** 0 while the post is not completed, so that the column can be sorted by. */
  date_completed: Generated<number>;
  date_deleted: number | null;
  /** Who deleted it; null while it is not deleted, and once that person is erased. */
  deleted_by: string | null;
  moderation_status: Generated<ModerationStatus>;
  /** Why it had to be approved, if it came by mail. */
  doubt: Doubt | null;
  /** Who moderated it last. */
  moderated_by: string | null;
  /** Whether the last event about it announced the post, not its removal. */
  is_announced: Generated<0 | 1>;
  /** The post that this one was merged into; if that one is merged itself, the last of the chain. */
  merged_into_id: string | null;
  merged_root_id: string | null;
  /** The status to go back to when it is unmerged. */
  unmerged_status_id: string | null;
  /** From when on it waits for the team; 0 once they have dealt with it, see `feedback/lifecycle/triage.ts`. */
  triage_date: Generated<number>;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    posts: PostTable;
  }
}

export type PostRow = Selectable<PostTable>;

export type PostKey = Pick<PostRow, 'board_id' | 'id'>;

type Shape = { key: 'id' | 'number'; columns: Columns<PostRow>; scope: ViewerScope };

const postBy = prepareVariants(({ key, columns, scope }: Shape) =>
  prepare<{ boardId: string; value: string | number; viewerId: string }, PostRow>((reader, param) =>
    selectColumns(reader.selectFrom('posts'), columns, ['id'])
      .where('board_id', '=', param('boardId'))
      .where(key, '=', param('value'))
      .where(isVisibleAlone({ scope, boardId: param('boardId'), viewerId: param('viewerId') })),
  ),
);

type Found<Column extends keyof PostRow> = MaybePromise<Pick<PostRow, Column | 'id'> | null>;

function findBy(
  key: Shape['key'],
  reader: Reader,
  boardId: string,
  value: string | number,
  viewer: Viewer,
  columns: Columns<PostRow>,
) {
  const find = postBy({ key, columns, scope: viewerScopeOf(viewer) });
  return andThen(find(reader, { boardId, value, viewerId: viewerId(viewer) }), ([post]) => post ?? null);
}

/** A post of the board that the viewer may see; `columns` are those to read. */
export function findPost<Column extends keyof PostRow>(
  reader: Reader,
  boardId: string,
  id: string,
  viewer: Viewer,
  columns: readonly Column[] | null = null,
): Found<Column> {
  return isId(id) ? findBy('id', reader, boardId, id, viewer, columns) : null;
}

/** As `findPost`, by the post's number, which is part of its URL. */
export function findPostByNumber<Column extends keyof PostRow>(
  reader: Reader,
  boardId: string,
  number: number,
  viewer: Viewer,
  columns: readonly Column[] | null = null,
): Found<Column> {
  return Number.isSafeInteger(number) && number > 0 ? findBy('number', reader, boardId, number, viewer, columns) : null;
}

const postsBy = prepareVariants(({ column, scope }: { column: 'id' | 'merged_root_id'; scope: ViewerScope }) =>
  prepare<{ boardId: string; ids: readonly string[]; viewerId: string }, PostRow>((reader, param) =>
    reader
      .selectFrom('posts')
      .selectAll()
      .where('board_id', '=', param('boardId'))
      .where(isOneOf(reader, column, param('ids')))
      .where(isVisiblePost({ scope, boardId: param('boardId'), viewerId: param('viewerId') })),
  ),
);

/** The posts with these ids that the viewer may see, in any order. */
export function findPosts(reader: Reader, boardId: string, ids: readonly string[], viewer: Viewer): Rows<PostRow> {
  const find = postsBy({ column: 'id', scope: viewerScopeOf(viewer) });
  return find(reader, { boardId, ids, viewerId: viewerId(viewer) });
}

/** The posts merged into each of these that the viewer may see, oldest first. */
export async function findMergedPosts(
  { db, board, actor }: ViewerContext,
  ids: readonly string[],
): Promise<Map<string, PostRow[]>> {
  const find = postsBy({ column: 'merged_root_id', scope: viewerScopeOf(actor) });
  const posts = await find(db.read, { boardId: board.id, ids, viewerId: viewerId(actor) });
  const sorted = posts.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return Map.groupBy(sorted, (post) => post.merged_root_id ?? '');
}

/**
 * A post to change, locked until the transaction ends. A post that the actor may not see is treated as not found.
 * @throws NOT_FOUND
 */
export async function requirePostForChange(tx: Tx, { board, actor }: ActorContext, id: string): Promise<PostRow> {
  const viewerFilter = { scope: viewerScopeOf(actor), boardId: board.id, viewerId: actor.id };
  const query = tx.selectFrom('posts').selectAll().where('board_id', '=', board.id).where('id', '=', id);
  const post = isId(id) ? await locked(tx, query.where(isVisiblePost(viewerFilter))).executeTakeFirst() : undefined;
  if (!post) throw notFound('Post');
  return post;
}

/** As `requirePostForChange`, for what locked and merged posts do not accept: comments and votes. */
export async function requireOpenPost(tx: Tx, context: ActorContext, id: string): Promise<PostRow> {
  const post = await requirePostForChange(tx, context, id);
  requireOpen(post);
  return post;
}

/** @throws CONFLICT if the post accepts no comments or votes */
export function requireOpen(post: PostRow): void {
  if (post.is_locked) throw conflict(msg('postIsLocked'));
  requireUnmerged(post);
}

/** @throws CONFLICT if the post was merged into another one, which replaces it */
export function requireUnmerged(post: PostRow): void {
  if (post.merged_into_id === null) return;
  throw conflict(msg('postIsMerged'));
}

/** Changes columns of one post and returns the new row. */
export function setPost(tx: Tx, post: PostRow, set: Partial<PostRow>): Promise<PostRow> {
  return updateRow(tx, 'posts', post, set);
}

/** The URL of the post. */
export function postUrl(post: Pick<PostRow, 'number' | 'title'>, board: BoardRow, baseUrl: string): string {
  return `${boardUrl(board, baseUrl)}/posts/${post.number}/${encodeURIComponent(makeSlug(post.title))}`;
}

/** How long a deleted post or comment can be restored. */
export const RESTORE_DAYS = 30;

/** What was deleted then or earlier cannot be restored any more. */
export function lastPurged(now: number): number {
  return now - RESTORE_DAYS * DAY_MS;
}

export const POST_TITLE = { field: 'title', min: 1, max: 200 };
export const POST_TEXT = { field: 'comment', min: 1, max: 20_000 };

/** The age at which a post needs ten times the votes to rank level with a new one. */
const TRENDING_DECADE_MS = 14 * DAY_MS;

/**
 * The score of a post in the order TRENDING: votes count by their order of magnitude, and a later start weighs as much
 * as more votes. It changes only with a vote, never with the clock (after Reddit's "hot").
 */
export function hotScore(upvotes: number, downvotes: number, dateCreated: number): number {
  const net = upvotes - downvotes;
  return Math.sign(net) * Math.log10(Math.max(Math.abs(net), 1)) + dateCreated / TRENDING_DECADE_MS;
}
