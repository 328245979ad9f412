import type { Engine } from '../db.ts';

export const name = '0029-triage';

/** On PostgreSQL, every post was updated in each of its indexes before: 40 seconds for 100,000. */
export const earlierChecksums = ['uDInbtoiO_DZgNA5dXZJ_yxKA3PsXiUjsCygqMQHwSA'];

const answered = `exists (
      select 1 from comments c where c.board_id = posts.board_id and c.post_id = posts.id and c.type = 'OFFICIAL')`;

/** All posts, then those that do not wait: PostgreSQL writes the table and its indexes anew. */
const filled: Record<Engine, readonly string[]> = {
  sqlite: [`update posts set triage_date = date_created where not ${answered}`],
  postgres: [
    'alter table posts alter column triage_date type bigint using date_created',
    `update posts set triage_date = 0 where ${answered}`,
  ],
};

/** From when on a post waits for the team: 0 once they have dealt with it, a later time while it is snoozed. */
export function statements(engine: Engine): readonly string[] {
  const all = [
    'alter table posts add column triage_date bigint not null default 0',
    ...filled[engine],
    `create index posts_waiting on posts (board_id, status_id, date_created, id)
      where date_deleted is null and triage_date > 0`,
  ];
  // Statistics for the planner of SQLite, as for the other indexes on posts.
  const statistics = [
    "insert into sqlite_stat1 (tbl, idx, stat) values ('posts', 'posts_waiting', '100 100 50 1 1')",
    'analyze sqlite_schema',
  ];
  return engine === 'sqlite' ? [...all, ...statistics] : all;
}
