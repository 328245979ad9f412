import type { Engine } from '../db.ts';

export const name = '0048-views';

/** Filters of the lists of the team, kept under a name: a private one is its owner's alone. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  return [
    `create table views (
      board_id ${id} not null references boards,
      id ${id} not null,
      kind ${id} not null,
      name text not null,
      conditions text not null,
      owner_id ${id},
      is_shared integer not null,
      position integer not null,
      date_created bigint not null,
      date_updated bigint not null,
      primary key (board_id, id)
    ) ${clustered}`,
  ];
}
