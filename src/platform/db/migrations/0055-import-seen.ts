import type { Engine } from '../db.ts';

export const name = '0055-import-seen';

/** What imported ideas were at their source when that was last looked at, and what they became here, in short. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  return [
    `create table import_seen (
      board_id ${id} not null references boards,
      post_id ${id} not null,
      seen text not null,
      primary key (board_id, post_id)
    ) ${clustered}`,
  ];
}
