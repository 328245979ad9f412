import type { Engine } from '../db.ts';

export const name = '0062-chat-threads';

/** What replies to messages in a chat become, and which ideas the messages are linked with. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  return [
    `alter table chat_settings add column threads ${id} not null default 'OFF'`,
    `create table chat_threads (
      board_id ${id} not null references boards,
      thread ${id} not null,
      post_id ${id} not null,
      date_created bigint not null,
      primary key (board_id, thread)
    ) ${clustered}`,
    'create index chat_threads_post on chat_threads (board_id, post_id)',
  ];
}
