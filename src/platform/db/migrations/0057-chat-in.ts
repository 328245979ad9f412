import type { Engine } from '../db.ts';

export const name = '0057-chat-in';

/** The chats that may make ideas on a board, and which users of it the people there are. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  return [
    `create table chat_settings (
      board_id ${id} not null references boards,
      chat ${id} not null,
      secret text not null,
      date_updated bigint not null,
      primary key (board_id, chat)
    ) ${clustered}`,
    `create table chat_users (
      board_id ${id} not null references boards,
      identity ${id} not null,
      user_id ${id} not null,
      name text not null,
      date_created bigint not null,
      primary key (board_id, identity)
    ) ${clustered}`,
    'create index chat_users_user on chat_users (board_id, user_id)',
  ];
}
