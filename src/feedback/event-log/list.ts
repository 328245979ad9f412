import { type Expression, type SqlBool, sql } from 'kysely';
import { type EventRow, escapeJson } from '../../events/events.ts';
import { type Removed, readRemoved } from '../../events/retention.ts';
import type { ViewerContext } from '../../identity/users/request-context.ts';
import type { Db } from '../../platform/db/db.ts';
import { listEach } from '../../platform/db/lists.ts';
import { isOneOf, rowLimit } from '../../platform/db/prepare.ts';
import { AppError } from '../../platform/errors.ts';
import { makePage, makePages, type Page } from '../../platform/lib/page.ts';
import { isVisibleOrDeletedComment } from '../visibility/comments.ts';
import {
  isVisibleOrDeletedPost,
  type ViewerFilter,
  type ViewerScope,
  viewerId,
  viewerScopeOf,
} from '../visibility/posts.ts';
import { cursorAfter, type LogCursor, seenBy } from './cursor.ts';

/**
 * Which events to read: those after a position, or from the oldest that is kept, of some types or all; `upTo` is the last
 * sequence number to look at, which bounds how many events are examined.
 */
export type EventFilter = {
  after: LogCursor | null;
  types: readonly string[] | null;
  limit: number;
  upTo?: number;
};

/**
 * The next events in commit order that the viewer may see. They are on disk: a reader of event n will find it again,
 * unchanged, for as long as events are kept.
 * @throws CURSOR_EXPIRED if events after the position have been removed that its holder may not have seen
 */
export async function listEvents(context: ViewerContext, filter: EventFilter): Promise<Page<EventRow>> {
  return makePage(await readEvents(context, filter, null), filter.limit, cursorOf);
}

/** The next events of each of the posts, by the post's id; on disk as well. @throws CURSOR_EXPIRED likewise */
export async function listEventsOfPosts(
  context: ViewerContext,
  postIds: readonly string[],
  filter: EventFilter,
): Promise<Map<string, Page<EventRow>>> {
  const rows = await readEvents(context, filter, postIds);
  return makePages(rows, 'post_id', postIds, filter.limit, cursorOf);
}

/** Where the log of a board ends now. It is on disk up to there. */
export async function endOfLog({ db, board, clock }: ViewerContext): Promise<LogCursor> {
  const [since, now] = [db.epoch(), clock.now()];
  const row = db.read.selectFrom('boards').select('event_seq').where('id', '=', board.id);
  const { event_seq: seq } = await row.executeTakeFirstOrThrow();
  if (seq > 0) await db.durable(since, { log: board.id, position: seq });
  return { seq, seenUntil: seenBy(now) };
}

const cursorOf = ({ seq }: EventRow) => cursorAfter(seq);

async function readEvents(
  { db, board, actor }: ViewerContext,
  { after, types, limit, upTo = Number.MAX_SAFE_INTEGER }: EventFilter,
  postIds: readonly string[] | null,
): Promise<EventRow[]> {
  const shape = { scope: viewerScopeOf(actor), byType: types !== null, isBounded: upTo < Number.MAX_SAFE_INTEGER };
  const viewing = { boardId: board.id, viewerId: viewerId(actor) };
  const values = { ...viewing, types: types ?? [], upTo, limit: limit + 1 };
  const since = db.epoch();
  let start = Math.max(after?.seq ?? 0, board.events_removed);
  for (;;) {
    const rows = await events(db.read, shape, { ...values, after: start }, postIds);
    const removed = await readRemoved(db.read, board.id);
    requireKept(after, removed);
    if (removed.seq <= start) {
      await untilDurable(db, since, board.id, rows);
      return rows.map(withoutGone);
    }
    start = removed.seq; // some of these rows may have been removed before they were read
  }
}

function requireKept(after: LogCursor | null, removed: Removed): void {
  if (!after || after.seq >= removed.seq || after.seenUntil >= removed.before) return;
  throw new AppError('CURSOR_EXPIRED', 'Events after this cursor are no longer kept: start again from oldestCursor', {
    field: 'after',
    oldestCursor: cursorAfter(removed.seq),
  });
}

/** Numbers grow in the order of commits, so what is on disk up to the newest event is on disk for all. */
async function untilDurable(db: Db, since: number, boardId: string, rows: readonly EventRow[]): Promise<void> {
  if (rows.length === 0) return;
  const position = rows.reduce((newest, { seq }) => Math.max(newest, seq), 0);
  await db.durable(since, { log: boardId, position });
}

type Shape = { scope: ViewerScope; byType: boolean; isBounded: boolean };
type Values = {
  boardId: string;
  viewerId: string;
  after: number;
  upTo: number;
  types: readonly string[];
  limit: number;
};

const events = listEach<Shape, Values, ListedEvent>(({ scope, byType, isBounded }, reader, param, postId) => {
  let list = reader
    .selectFrom('events')
    .selectAll()
    .select(isGone(scope).as('is_gone'))
    .where('board_id', '=', param('boardId'));
  if (postId !== null) list = list.where('post_id', '=', postId);
  if (byType) list = list.where(isOneOf(reader, 'type', param('types')));
  if (isBounded) list = list.where('seq', '<=', param('upTo'));
  return list
    .where('seq', '>', param('after'))
    .where(isVisibleEvent({ scope, boardId: param('boardId'), viewerId: param('viewerId') }))
    .orderBy('seq')
    .limit(rowLimit(param('limit')));
});

/** `is_gone`: whether the viewer can no longer see the event's subject because it was deleted. */
type ListedEvent = EventRow & { is_gone: 0 | 1 };

/**
 * Deleted posts and comments, and changelog entries that are not published: the team, which can bring them back, still
 * sees what was announced about them.
 */
function isGone(scope: ViewerScope) {
  if (scope !== 'MEMBER') return sql<0 | 1>`0`;
  return sql<0 | 1>`case when exists (
      select 1 from posts
      where posts.board_id = events.board_id and posts.id = events.post_id and posts.date_deleted is not null)
    or exists (
      select 1 from comments
      join posts on posts.board_id = comments.board_id and posts.id = comments.post_id
      where comments.board_id = events.board_id and comments.id = events.comment_id
        and (comments.date_deleted is not null or posts.date_deleted is not null))
    or exists (
      select 1 from changelog_entries as entry
      where entry.board_id = events.board_id and entry.id = events.entry_id
        and entry.date_published is null) then 1 else 0 end`;
}

/**
 * Events about deleted or withdrawn content show only ids, permanently once the post is purged. The stored bytes are
 * unchanged: receivers still get them, and so do viewers once it is back.
 */
function withoutGone({ is_gone, ...event }: ListedEvent): EventRow {
  if (!is_gone) return event;
  const body = JSON.parse(event.body);
  if (event.entry_id !== null)
    return { ...event, body: escapeJson({ ...body, data: { entry: { id: event.entry_id } } }) };
  const post = { id: event.post_id };
  const data = body.data.comment ? { comment: { id: body.data.comment.id, post } } : { post };
  return { ...event, body: escapeJson({ ...body, data }) };
}

/**
 * An event is visible to those who see its post and comment now, which may have come to another post by a merge; a
 * deletion, to those who saw what was deleted. Public
 * events of a permanently deleted post refer to no post. "1 = (select 1 …)" instead of "exists": PostgreSQL would read
 * all posts of the board beforehand for the latter.
 */
function isVisibleEvent(viewerFilter: ViewerFilter): Expression<SqlBool> {
  if (viewerFilter.scope === 'ALL') return sql<SqlBool>`1 = 1`;
  return sql<SqlBool>`(events.post_id is null or 1 = (
      select 1 from posts
      where posts.board_id = events.board_id and posts.id = events.post_id and ${isVisibleOrDeletedPost(viewerFilter)}))
    and (events.comment_id is null or 1 = (
      select 1 from comments
      join posts on posts.board_id = comments.board_id and posts.id = comments.post_id
      where comments.board_id = events.board_id and comments.id = events.comment_id
        and ${isVisibleOrDeletedComment(viewerFilter)} and ${isVisibleOrDeletedPost(viewerFilter)}))`;
}
