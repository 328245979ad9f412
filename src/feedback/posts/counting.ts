import { type Expression, type SqlBool, sql } from 'kysely';
import type { ViewerContext } from '../../identity/users/request-context.ts';
import type { Reader } from '../../platform/db/db.ts';
import { isOneOf, prepare, prepareVariants } from '../../platform/db/prepare.ts';
import type { StatusRow } from '../statuses/statuses.ts';
import {
  HELD,
  isVisiblePost,
  seesStatus,
  type Viewer,
  type ViewerScope,
  viewerFilterOf,
  viewerId,
  viewerScopeOf,
} from '../visibility/posts.ts';

/** Number of posts in these statuses that the viewer may see, from the counts stored with the statuses. */
export async function countPostsIn(
  reader: Reader,
  boardId: string,
  statuses: readonly StatusRow[],
  viewer: Viewer,
): Promise<number> {
  const seen = statuses.filter((status) => seesStatus(viewer, status));
  const sum = (countOf: (status: StatusRow) => number) => seen.reduce((total, status) => total + countOf(status), 0);
  const all = sum((status) => status.post_count);
  const held = sum((status) => status.held_count);
  if (held === 0 || viewerScopeOf(viewer) !== 'MEMBER') return all;
  const statusIds = seen.map((status) => status.id);
  const [own] = await ownHeld(reader, { boardId, viewerId: viewerId(viewer), statusIds });
  return all - held + (own?.count ?? 0);
}

const ownHeld = prepare<{ boardId: string; viewerId: string; statusIds: readonly string[] }, { count: number }>(
  (reader, param) =>
    reader
      .selectFrom('posts')
      .select((e) => e.fn.countAll<number>().as('count'))
      .where('board_id', '=', param('boardId'))
      .where('author_id', '=', param('viewerId'))
      .where('date_deleted', 'is', null)
      .where(sql<boolean>`moderation_status in ${HELD}`)
      .where(isOneOf(reader, 'status_id', param('statusIds'))),
);

/** Posts that are counted one by one, at most. */
const MAX_COUNTED = 10_000;

/** Number of posts that fulfill the conditions and that the viewer may see, up to the maximum. */
export async function countPostsWith(
  reader: Reader,
  boardId: string,
  viewer: Viewer,
  conditions: readonly Expression<SqlBool>[],
): Promise<number> {
  let found = reader.selectFrom('posts').select('posts.id').where('board_id', '=', boardId).limit(MAX_COUNTED);
  for (const condition of [isVisiblePost(viewerFilterOf(viewer, boardId)), ...conditions])
    found = found.where(condition);
  const query = reader.selectFrom(found.as('found')).select((e) => e.fn.countAll<number>().as('count'));
  return (await query.executeTakeFirstOrThrow()).count;
}

/** Number of posts by each user that the viewer may see; users without any are missing. */
export async function countPostsOfAuthors(
  { db, board, actor }: ViewerContext,
  authorIds: readonly string[],
): Promise<Map<string, number>> {
  const values = { boardId: board.id, viewerId: viewerId(actor), authorIds };
  const rows = await countsOfAuthors(viewerScopeOf(actor))(db.read, values);
  return new Map(rows.map(({ author_id, count }) => [author_id, count]));
}

type Values = { boardId: string; viewerId: string; authorIds: readonly string[] };

const countsOfAuthors = prepareVariants<ViewerScope, Values, { author_id: string; count: number }>((scope) =>
  prepare((reader, param) =>
    reader
      .selectFrom('posts')
      .select((e) => [sql<string>`author_id`.as('author_id'), e.fn.countAll<number>().as('count')])
      .where('board_id', '=', param('boardId'))
      .where(isVisiblePost({ scope, boardId: param('boardId'), viewerId: param('viewerId') }))
      .where(isOneOf(reader, 'author_id', param('authorIds')))
      .groupBy('author_id'),
  ),
);
