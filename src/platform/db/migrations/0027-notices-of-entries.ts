import type { Engine } from '../db.ts';

export const name = '0027-notices-of-entries';

/** Users are notified of changelog entries that complete posts. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  return [
    `alter table notices add column entry_id ${id}`,
    'create index notices_entry on notices (board_id, entry_id) where entry_id is not null',
  ];
}
