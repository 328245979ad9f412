import type { Engine } from '../db.ts';

export const name = '0060-publishable-keys';

/** Keys for browsers and apps, and the visitors who have allowed them to vote in their name. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  return [
    `create table publishable_keys (
      board_id ${id} not null references boards,
      id ${id} not null,
      key ${id} not null unique,
      name text not null,
      origins text not null,
      documents text not null,
      per_network integer not null,
      per_visitor integer not null,
      made_by ${id},
      date_created bigint not null,
      date_revoked bigint,
      date_last_used bigint,
      primary key (board_id, id)
    ) ${clustered}`,
    `create table visitor_tokens (
      board_id ${id} not null references boards,
      token_hash ${id} not null,
      key_id ${id} not null,
      user_id ${id} not null,
      date_created bigint not null,
      date_expires bigint not null,
      primary key (token_hash)
    ) ${clustered}`,
    'create index visitor_tokens_user on visitor_tokens (board_id, user_id)',
    'create index visitor_tokens_key on visitor_tokens (board_id, key_id)',
    'create index visitor_tokens_expiry on visitor_tokens (date_expires)',
  ];
}
