import type { Engine } from '../db.ts';

export const name = '0028-operations';

/** What the team changed, so that it can be undone, which notices belong to it, and the comments that were deleted. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  return [
    `create table operations (
      board_id ${id} not null references boards,
      operation_id ${id} not null,
      id ${id} not null,
      thing text not null,
      thing_id ${id} not null,
      post_id ${id},
      actor_id ${id},
      state_before text not null,
      state_after text not null,
      date_created bigint not null,
      date_undone bigint,
      undone_by ${id},
      primary key (board_id, operation_id, id)
    ) ${clustered}`,
    'create index operations_post on operations (board_id, post_id) where post_id is not null',
    'create index comments_deleted on comments (board_id, date_deleted, id) where date_deleted is not null',
    `alter table notices add column operation_id ${id}`,
    'create index notices_operation on notices (board_id, operation_id) where operation_id is not null',
  ];
}
