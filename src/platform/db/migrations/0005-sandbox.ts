import type { Engine } from '../db.ts';

export const name = '0005-sandbox';

/** Marks the boards that are sandboxes, and stores what their webhooks were sent. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  return [
    'alter table boards add column sandbox_visitor text',
    `create table sandbox_requests (
      board_id ${id} not null references boards,
      id ${id} not null,
      method text not null,
      url text not null,
      headers text not null,
      body text not null,
      status integer not null,
      date_received bigint not null,
      primary key (board_id, id)
    )`,
  ];
}
