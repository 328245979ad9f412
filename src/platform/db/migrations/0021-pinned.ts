import type { Engine } from '../db.ts';

export const name = '0021-pinned';

/** Lists show pinned posts first, so they are looked up separately. */
export function statements(engine: Engine): readonly string[] {
  const index = 'create index posts_pinned on posts (board_id, id) where date_deleted is null and is_pinned = 1';
  // Statistics for the planner of SQLite, as for the other indexes on posts.
  const statistics = [
    "insert into sqlite_stat1 (tbl, idx, stat) values ('posts', 'posts_pinned', '100 100 1')",
    'analyze sqlite_schema',
  ];
  return engine === 'sqlite' ? [index, ...statistics] : [index];
}
