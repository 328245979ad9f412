import type { Engine } from '../db.ts';

export const name = '0031-user-notes';

/** What the team notes about users. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  return [
    `create table user_notes (
      board_id ${id} not null references boards,
      user_id ${id} not null,
      id ${id} not null,
      author_id ${id},
      text text not null,
      date_created bigint not null,
      primary key (board_id, user_id, id)
    ) ${clustered}`,
  ];
}
