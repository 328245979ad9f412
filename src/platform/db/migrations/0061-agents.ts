import type { Engine } from '../db.ts';

export const name = '0061-agents';

/** Budgets of API keys, keys of agents that sign in by OAuth, and what their sign-in needs to remember. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  return [
    'alter table api_keys add column budget text',
    `alter table api_keys add column client_id ${id}`,
    `create table oauth_records (
      model ${id} not null,
      id_hash ${id} not null,
      grant_hash ${id},
      payload text not null,
      date_consumed bigint,
      date_expires bigint not null,
      primary key (model, id_hash)
    ) ${clustered}`,
    'create index oauth_records_grant on oauth_records (grant_hash)',
    'create index oauth_records_expiry on oauth_records (date_expires)',
  ];
}
