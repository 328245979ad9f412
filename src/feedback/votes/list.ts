import { type Expression, type SqlBool, sql } from 'kysely';
import type { Reader } from '../../platform/db/db.ts';
import { prepare, prepareVariants, rowLimit } from '../../platform/db/prepare.ts';
import { encodeCursor, makePage, type Page, parseCursor } from '../../platform/lib/page.ts';
import {
  isVisiblePost,
  type Viewer,
  type ViewerFilter,
  type ViewerScope,
  viewerId,
  viewerScopeOf,
} from '../visibility/posts.ts';
import { isLiveVote, type VoteRow } from './votes.ts';

/** From where on, and since when. */
export type VoteQuery = { cursor: string | null; limit: number; since?: number | null | undefined };

/** Votes on the board, the oldest first: of one post or person, or of all. */
export async function listVotes(
  reader: Reader,
  boardId: string,
  viewer: Viewer,
  { postId, userId }: { postId: string | null; userId: string | null },
  query: VoteQuery,
): Promise<Page<VoteRow>> {
  const by = [...(postId === null ? [] : ['post_id' as const]), ...(userId === null ? [] : ['user_id' as const])];
  const shape = {
    by,
    lists: 1,
    after: query.cursor !== null,
    since: query.since != null,
    scope: viewerScopeOf(viewer),
  };
  const values = { ...valuesOf(boardId, viewer, query), post0: postId ?? '', user0: userId ?? '' };
  return makePage(await statements(shape)(reader, values), query.limit, cursorOf);
}

/** A page of the votes on each post, or of each person, by its id, in one statement. */
export async function listVotesOfEach(
  reader: Reader,
  boardId: string,
  viewer: Viewer,
  column: 'post_id' | 'user_id',
  ids: readonly string[],
  query: VoteQuery,
): Promise<Map<string, Page<VoteRow>>> {
  const shape = {
    by: [column],
    lists: ids.length,
    after: query.cursor !== null,
    since: false,
    scope: viewerScopeOf(viewer),
  };
  const values = valuesOf(boardId, viewer, query);
  ids.forEach((id, n) => {
    values[`${column === 'post_id' ? 'post' : 'user'}${n}`] = id;
  });
  const lists = Map.groupBy(await statements(shape)(reader, values), (row) => row[column]);
  return new Map(ids.map((id) => [id, makePage(lists.get(id) ?? [], query.limit, cursorOf)]));
}

function cursorOf(row: VoteRow): string {
  return encodeCursor('votes', [row.date_created, row.id]);
}

function valuesOf(boardId: string, viewer: Viewer, { cursor, limit, since }: VoteQuery): Values {
  const [date, id] = parseCursor('votes', cursor) ?? [0, ''];
  return { boardId, viewerId: viewerId(viewer), date, id, since: since ?? 0, limit: limit + 1 };
}

type Shape = {
  by: readonly ('post_id' | 'user_id')[];
  lists: number;
  after: boolean;
  since: boolean;
  scope: ViewerScope;
};
type Values = {
  boardId: string;
  viewerId: string;
  date: number;
  id: string;
  since: number;
  limit: number;
  [id: `${'post' | 'user'}${number}`]: string;
};

const statements = prepareVariants<Shape, Values, VoteRow>(({ by, lists, after, since, scope }) =>
  prepare((reader, param) => {
    const viewerFilter = { scope, boardId: param('boardId'), viewerId: param('viewerId') };
    const listOf = (n: number) => {
      let list = reader.selectFrom('votes').selectAll().where('board_id', '=', param('boardId'));
      if (by.includes('post_id')) list = list.where('post_id', '=', param(`post${n}`));
      if (by.includes('user_id')) list = list.where('user_id', '=', param(`user${n}`));
      if (since) list = list.where('date_created', '>=', param('since'));
      if (after) {
        list = list.where((e) => e(e.refTuple('date_created', 'id'), '>', e.tuple(param('date'), param('id'))));
      }
      return list
        .where(isLiveVote)
        .where(isOnVisiblePost(viewerFilter))
        .orderBy('date_created')
        .orderBy('id')
        .limit(rowLimit(param('limit')));
    };
    const pageOf = (n: number) => reader.selectFrom(listOf(n).as('page')).selectAll();
    let query = pageOf(0);
    for (let n = 1; n < lists; n++) query = query.unionAll(pageOf(n));
    return query;
  }),
);

function isOnVisiblePost(viewerFilter: ViewerFilter): Expression<SqlBool> {
  return sql<SqlBool>`exists (
    select 1 from posts
    where posts.board_id = votes.board_id and posts.id = votes.post_id and ${isVisiblePost(viewerFilter)})`;
}
