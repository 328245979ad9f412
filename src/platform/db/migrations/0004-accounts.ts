import type { Engine } from '../db.ts';

export const name = '0004-accounts';

/**
 * Accounts that people sign in with, invitations to teams, and what the set-up of a board decides.
 *
 * An account belongs to the server, not to a board: one person signs in once for all their boards, and `users` says
 * what they may do on each. The tables down to `second_factors` are filled by better-auth.
 */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  return [
    `create table accounts (
      id ${id} primary key,
      email ${id} not null unique,
      name text not null,
      image text,
      is_email_verified integer not null,
      is_second_factor_on integer,
      date_created bigint not null,
      date_updated bigint not null
    )`,
    `create table credentials (
      id ${id} primary key,
      account_id ${id} not null references accounts on delete cascade,
      provider ${id} not null,
      subject ${id} not null,
      password text,
      access_token text,
      refresh_token text,
      id_token text,
      date_access_expires bigint,
      date_refresh_expires bigint,
      scope text,
      date_created bigint not null,
      date_updated bigint not null
    )`,
    'create unique index credentials_account on credentials (account_id, provider)',
    `create table sessions (
      id ${id} primary key,
      account_id ${id} not null references accounts on delete cascade,
      token ${id} not null unique,
      address text,
      user_agent text,
      date_created bigint not null,
      date_updated bigint not null,
      date_expires bigint not null
    )`,
    'create index sessions_account on sessions (account_id, id)',
    'create index sessions_expiry on sessions (date_expires)',
    `create table verifications (
      id ${id} primary key,
      identifier ${id} not null,
      value text not null,
      date_created bigint not null,
      date_updated bigint not null,
      date_expires bigint not null
    )`,
    'create index verifications_identifier on verifications (identifier)',
    'create index verifications_expiry on verifications (date_expires)',
    `create table second_factors (
      id ${id} primary key,
      account_id ${id} not null references accounts on delete cascade,
      secret text not null,
      backup_codes text not null,
      is_verified integer,
      failures integer,
      date_locked_until bigint
    )`,
    'create index second_factors_account on second_factors (account_id)',
    `create table throttles (
      subject ${id} primary key,
      used integer not null,
      date_ends bigint not null
    )`,
    'create index throttles_end on throttles (date_ends)',
    `create table invitations (
      board_id ${id} not null references boards,
      id ${id} not null,
      hash ${id} not null unique,
      email text,
      role text not null,
      invited_by ${id},
      date_created bigint not null,
      date_expires bigint not null,
      date_used bigint,
      primary key (board_id, id)
    )`,
    `alter table users add column account_id ${id}`,
    'create unique index users_account on users (board_id, account_id) where account_id is not null',
    `create index users_team on users (board_id, role, id) where role <> 'MEMBER'`,
    'alter table boards add column brand_color text',
    'alter table boards add column setup_step integer not null default 0',
    'alter table boards add column is_checklist_hidden integer not null default 0',
    'create index boards_domain on boards (domain)',
  ];
}
