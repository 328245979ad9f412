import type { Engine } from '../db.ts';

export const name = '0022-own-account';

/** Pictures of accounts, mails whose row is deleted once they are done, and an index of the users of an account. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  return [
    `create table account_pictures (
      id ${id} primary key,
      account_id ${id} not null unique references accounts,
      token text not null,
      content_type text not null,
      size bigint not null,
      date_created bigint not null
    )`,
    'alter table mails add column is_unlogged integer not null default 0',
    'create index users_of_account on users (account_id, board_id) where account_id is not null',
  ];
}
