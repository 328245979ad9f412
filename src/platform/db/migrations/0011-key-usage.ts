import type { Engine } from '../db.ts';

export const name = '0011-key-usage';

/** The results of the requests with each API key, one row per hour. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  return [
    `create table key_usage (
      board_id ${id} not null references boards,
      api_key_id ${id} not null,
      hour bigint not null,
      answered bigint not null,
      unauthenticated bigint not null,
      forbidden bigint not null,
      limited bigint not null,
      mistaken bigint not null,
      failed bigint not null,
      primary key (board_id, api_key_id, hour)
    ) ${clustered}`,
    'create index key_usage_hour on key_usage (board_id, hour)',
  ];
}
