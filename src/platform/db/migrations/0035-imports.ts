import type { Engine } from '../db.ts';

export const name = '0035-imports';

/** Imports into a board, so that the last one can be undone. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  return [
    `create table imports (
      board_id ${id} not null references boards,
      id ${id} not null,
      source text not null,
      last_id ${id} not null,
      date_last bigint not null,
      date_undone bigint,
      primary key (board_id, id)
    ) ${clustered}`,
  ];
}
