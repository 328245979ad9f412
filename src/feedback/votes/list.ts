import { type Expression, type SqlBool, sql } from 'kysely';
import type { ViewerContext } from '../../identity/users/request-context.ts';
import { isAfter, listEach } from '../../platform/db/lists.ts';
import { rowLimit } from '../../platform/db/prepare.ts';
import { encodeCursor, makePage, makePages, type Page, type PageArgs, parseCursor } from '../../platform/lib/page.ts';
import { isVisiblePost, type ViewerFilter, type ViewerScope, viewerId, viewerScopeOf } from '../visibility/posts.ts';
import { isLiveVote, type VoteRow } from './votes.ts';

/** Votes on the board, the oldest first: of one post or person, since an instant, or all. */
export async function listVotes(
  context: ViewerContext,
  { postId, userId, since }: { postId: string | null; userId: string | null; since: number | null },
  page: PageArgs,
): Promise<Page<VoteRow>> {
  const shape = { ...shapeOf(context, page), ofPost: postId !== null, ofUser: userId !== null, since: since !== null };
  const values = { ...valuesOf(context, page), postId: postId ?? '', userId: userId ?? '', since: since ?? 0 };
  return makePage(await votes(context.db.read, shape, values, null), page.limit, cursorOf);
}

/** The votes of a user, the newest first. */
export async function listNewestVotes(context: ViewerContext, userId: string, page: PageArgs): Promise<Page<VoteRow>> {
  const shape = { ...shapeOf(context, page), ofUser: true, isNewestFirst: true };
  const values = { ...valuesOf(context, page, NEWEST_FIRST), userId };
  return makePage(await votes(context.db.read, shape, values, null), page.limit, newestCursorOf);
}

/** Pages of the votes on each post, or of each person, by its id. */
export async function listVotesOfEach(
  context: ViewerContext,
  column: 'post_id' | 'user_id',
  ids: readonly string[],
  page: PageArgs,
): Promise<Map<string, Page<VoteRow>>> {
  const shape = { ...shapeOf(context, page), each: column };
  const rows = await votes(context.db.read, shape, valuesOf(context, page), ids);
  return makePages(rows, column, ids, page.limit, cursorOf);
}

/** How cursors call the lists. */
const OLDEST_FIRST = 'votes';
const NEWEST_FIRST = 'votes:NEWEST';

const cursorOf = (row: VoteRow) => encodeCursor(OLDEST_FIRST, [row.date_created, row.id]);
const newestCursorOf = (row: VoteRow) => encodeCursor(NEWEST_FIRST, [row.date_created, row.id]);

function shapeOf({ actor }: ViewerContext, { cursor }: PageArgs): Shape {
  return { after: cursor !== null, scope: viewerScopeOf(actor) };
}

function valuesOf({ board, actor }: ViewerContext, { cursor, limit }: PageArgs, list: string = OLDEST_FIRST): Values {
  const [date, id] = parseCursor(list, cursor) ?? [0, ''];
  const viewing = { boardId: board.id, viewerId: viewerId(actor) };
  return { ...viewing, date, id, limit: limit + 1, postId: '', userId: '', since: 0 };
}

type Shape = {
  each?: 'post_id' | 'user_id';
  ofPost?: boolean;
  ofUser?: boolean;
  since?: boolean;
  isNewestFirst?: boolean;
  after: boolean;
  scope: ViewerScope;
};
type Values = {
  boardId: string;
  viewerId: string;
  postId: string;
  userId: string;
  since: number;
  date: number;
  id: string;
  limit: number;
};

const votes = listEach<Shape, Values, VoteRow>((shape, reader, param, parentId) => {
  const direction = shape.isNewestFirst ? 'desc' : 'asc';
  let list = reader.selectFrom('votes').selectAll().where('board_id', '=', param('boardId'));
  if (shape.each) list = list.where(shape.each, '=', parentId);
  if (shape.ofPost) list = list.where('post_id', '=', param('postId'));
  if (shape.ofUser) list = list.where('user_id', '=', param('userId'));
  if (shape.since) list = list.where('date_created', '>=', param('since'));
  if (shape.after) list = list.where(isAfter('date_created', direction, param('date'), param('id')));
  return list
    .where(isLiveVote)
    .where(isVoteOnVisiblePost({ scope: shape.scope, boardId: param('boardId'), viewerId: param('viewerId') }))
    .orderBy('date_created', direction)
    .orderBy('id', direction)
    .limit(rowLimit(param('limit')));
});

/** In a query on `votes` of many posts: those on posts that the viewer may see. */
export function isVoteOnVisiblePost(viewerFilter: ViewerFilter): Expression<SqlBool> {
  return sql<SqlBool>`exists (
    select 1 from posts
    where posts.board_id = votes.board_id and posts.id = votes.post_id and ${isVisiblePost(viewerFilter)})`;
}
