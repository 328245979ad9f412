import type { Engine } from '../db.ts';

export const name = '0044-changelog-by-mail';

/** Who gets the changelog by mail, and how far each entry has gone out to them. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  return [
    `create table changelog_subscribers (
      board_id ${id} not null references boards,
      id ${id} not null,
      address ${id} not null,
      labels text not null,
      locale text not null,
      date_created bigint not null,
      primary key (board_id, id)
    ) ${clustered}`,
    'create unique index changelog_subscribers_address on changelog_subscribers (board_id, address)',
    `create table changelog_mailings (
      board_id ${id} not null references boards,
      entry_id ${id} not null,
      date_published bigint not null,
      date_ready bigint,
      done_up_to ${id} not null default '',
      primary key (board_id, entry_id)
    ) ${clustered}`,
    'create index changelog_mailings_ready on changelog_mailings (date_ready) where date_ready is not null',
  ];
}
