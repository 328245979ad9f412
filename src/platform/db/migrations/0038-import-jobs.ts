import type { Engine } from '../db.ts';

export const name = '0038-import-jobs';

/** What the pages are doing with an uploaded export: one for each board. What was imported is in `imports`. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  return [
    `create table import_jobs (
      board_id ${id} not null references boards,
      id ${id} not null,
      task text not null,
      outcome text,
      file_id ${id},
      file_name text,
      source text,
      items bigint not null,
      total bigint,
      report text,
      problems text,
      message text,
      date_seen bigint not null,
      primary key (board_id)
    ) ${clustered}`,
  ];
}
