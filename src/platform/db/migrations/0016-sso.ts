import type { Engine } from '../db.ts';

export const name = '0016-sso';

/** Single sign-on by tokens: how each board checks them, and the sessions of users who signed in with one. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  return [
    `create table sso_settings (
      board_id ${id} not null references boards,
      algorithm text not null,
      secret text,
      previous_secret text,
      jwks_url text,
      login_url text,
      is_role_allowed smallint not null,
      is_expiry_optional smallint not null,
      attribute_claims text not null,
      date_updated bigint not null,
      primary key (board_id)
    )`,
    `create table board_sessions (
      board_id ${id} not null references boards,
      token_hash ${id} not null,
      user_id ${id} not null,
      date_created bigint not null,
      date_used bigint not null,
      date_expires bigint not null,
      primary key (token_hash)
    )`,
    'create index board_sessions_user on board_sessions (board_id, user_id)',
    'create index board_sessions_expiry on board_sessions (date_expires)',
  ];
}
