import { type RawBuilder, sql } from 'kysely';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { Reader } from '../../platform/db/db.ts';
import { conditionsOfPeople } from '../people/filter.ts';
import { conditionsOf } from '../posts/filter.ts';
import { isVisiblePost, viewerFilterOf } from '../visibility/posts.ts';
import { narrowPeople, narrowPosts, type Reading } from './parameters.ts';
import { readReading, type View } from './views.ts';

/** Counting ends here: there are at least as many, or one more. */
export const MAX_IN_VIEW = 1_000;

/** Number of ideas or users in each view that the viewer may see, up to one more than the maximum: one statement. */
export async function countViews(context: ActorContext, views: readonly View[]): Promise<Map<string, number>> {
  const { db, board, actor } = context;
  const [first] = views;
  if (!first) return new Map();
  const reading = await readReading(
    context,
    first.known,
    views.map(({ conditions }) => conditions),
  );
  const viewer = viewerFilterOf(actor, board.id);
  const counts = views.map((view) => {
    const rows = rowsOf(db.slow, view, reading, viewer);
    return sql`select ${view.row.id} as id, (
      select cast(count(*) as integer) from (${rows} limit ${sql.lit(MAX_IN_VIEW + 1)}) as found) as count`;
  });
  const { rows } = await sql<{ id: string; count: number }>`${sql.join(counts, sql` union all `)}`.execute(db.slow);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

function rowsOf(
  reader: Reader,
  { row, conditions }: View,
  reading: Reading,
  viewer: ReturnType<typeof viewerFilterOf>,
): RawBuilder<unknown> {
  const all =
    row.kind === 'PEOPLE'
      ? conditionsOfPeople(reader, narrowPeople(conditions, reading), viewer)
      : [isVisiblePost(viewer), ...conditionsOf(reader, viewer.boardId, narrowPosts(row.kind, conditions, reading))];
  const table = row.kind === 'PEOPLE' ? 'users' : 'posts';
  const ofBoard = sql`${sql.ref(table)}.board_id = ${viewer.boardId}`;
  return sql`select 1 from ${sql.table(table)} where ${sql.join([ofBoard, ...all], sql` and `)}`;
}
