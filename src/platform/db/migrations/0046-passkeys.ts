import type { Engine } from '../db.ts';

export const name = '0046-passkeys';

/** Keys in devices that people sign in with, each for one domain. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  return [
    `create table passkeys (
      id ${id} primary key,
      account_id ${id} not null references accounts on delete cascade,
      credential ${id} not null unique,
      domain ${id} not null,
      public_key text not null,
      counter bigint not null,
      transports text not null,
      user_agent text,
      date_created bigint not null,
      date_used bigint
    )`,
    'create index passkeys_account on passkeys (account_id, id)',
  ];
}
