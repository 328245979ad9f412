import { type Expression, type SqlBool, sql } from 'kysely';
import type { Reader } from '../db/db.ts';
import { isOneOf, prepare, prepareVariants } from '../db/prepare.ts';
import type { StatusRow } from '../statuses/statuses.ts';
import { addFilter, type FilterShape, type FilterValues, type PostFilter, shapeOf, valuesOf } from './filter.ts';
import { isVisiblePost, lookingAs, type Sight, seesStatus, sightOf, type Viewer, viewerId } from './visibility.ts';

/** How many posts there are in these statuses that the viewer may see: from the counts that the statuses keep. */
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
  if (held === 0 || sightOf(viewer) !== 'MEMBER') return all;
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
      .where(sql<boolean>`moderation_status in ('PENDING', 'REJECTED')`)
      .where(isOneOf(reader, 'status_id', param('statusIds'))),
);

/** How many posts fit a filter and may be seen by the viewer. They are counted one by one. */
export async function countPosts(reader: Reader, boardId: string, viewer: Viewer, filter: PostFilter): Promise<number> {
  const statement = counts({ sight: sightOf(viewer), filter: shapeOf(filter), byAuthor: false });
  const values = { boardId, viewerId: viewerId(viewer), authorIds: [], ...valuesOf(filter) };
  return (await statement(reader, values))[0]?.count ?? 0;
}

/** Posts of a search that are counted, at most. */
const MAX_COUNTED = 10_000;

/** How many posts the viewer may see that fulfil the conditions, as far as they are counted. */
export async function countPostsWith(
  reader: Reader,
  boardId: string,
  viewer: Viewer,
  conditions: readonly Expression<SqlBool>[],
): Promise<number> {
  let found = reader.selectFrom('posts').select('posts.id').where('board_id', '=', boardId).limit(MAX_COUNTED);
  for (const condition of [isVisiblePost(lookingAs(viewer, boardId)), ...conditions]) found = found.where(condition);
  const query = reader.selectFrom(found.as('found')).select((e) => e.fn.countAll<number>().as('count'));
  return (await query.executeTakeFirstOrThrow()).count;
}

/** How many posts stand in the name of each person and may be seen by the viewer; people without any are missing. */
export async function countPostsOfAuthors(
  reader: Reader,
  boardId: string,
  viewer: Viewer,
  authorIds: readonly string[],
): Promise<Map<string, number>> {
  const statement = counts({ sight: sightOf(viewer), filter: [], byAuthor: true });
  const rows = await statement(reader, { boardId, viewerId: viewerId(viewer), authorIds, ...valuesOf({}) });
  return new Map(rows.map(({ author_id, count }) => [author_id, count]));
}

type Shape = { sight: Sight; filter: FilterShape; byAuthor: boolean };
type Values = FilterValues & { boardId: string; viewerId: string; authorIds: readonly string[] };

const counts = prepareVariants<Shape, Values, { author_id: string; count: number }>(({ sight, filter, byAuthor }) =>
  prepare((reader, param) => {
    const query = reader
      .selectFrom('posts')
      .select((e) => e.fn.countAll<number>().as('count'))
      .where('board_id', '=', param('boardId'))
      .where(isVisiblePost({ sight, boardId: param('boardId'), viewerId: param('viewerId') }));
    const counted = addFilter(reader, query, filter, param);
    if (!byAuthor) return counted.select(sql<string>`''`.as('author_id'));
    return counted
      .select(sql<string>`author_id`.as('author_id'))
      .where(isOneOf(reader, 'author_id', param('authorIds')))
      .groupBy('author_id');
  }),
);
