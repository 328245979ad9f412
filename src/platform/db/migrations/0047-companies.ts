import type { Engine } from '../db.ts';

export const name = '0047-companies';

/** Companies that users belong to, and segments: saved filters over the attributes of both. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  return [
    `create table companies (
      board_id ${id} not null references boards,
      id ${id} not null,
      external_id ${id} not null,
      name text not null,
      name_folded ${id} not null,
      plan text,
      monthly_revenue double precision,
      attributes text,
      date_created bigint not null,
      date_updated bigint not null,
      primary key (board_id, id)
    )`,
    'create unique index companies_external on companies (board_id, external_id)',
    'create index companies_name on companies (board_id, name_folded, id)',
    `create table company_users (
      board_id ${id} not null,
      user_id ${id} not null,
      company_id ${id} not null,
      primary key (board_id, user_id, company_id),
      foreign key (board_id, user_id) references users (board_id, id) on delete cascade,
      foreign key (board_id, company_id) references companies (board_id, id) on delete cascade
    ) ${clustered}`,
    'create index company_users_company on company_users (board_id, company_id, user_id)',
    `create table segments (
      board_id ${id} not null references boards,
      id ${id} not null,
      name text not null,
      name_folded ${id} not null,
      filter text not null,
      date_created bigint not null,
      primary key (board_id, id)
    ) ${clustered}`,
    'create unique index segments_name on segments (board_id, name_folded)',
  ];
}
