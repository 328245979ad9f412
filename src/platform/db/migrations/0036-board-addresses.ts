import type { Engine } from '../db.ts';

export const name = '0036-board-addresses';

/** The former addresses of boards, so that links with them keep working. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  return [
    `create table board_addresses (
      pid ${id} not null primary key,
      board_id ${id} not null references boards,
      date_created bigint not null
    ) ${clustered}`,
    'create index board_addresses_board on board_addresses (board_id, date_created)',
  ];
}
