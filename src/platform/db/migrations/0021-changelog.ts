import type { Engine } from '../db.ts';

export const name = '0021-changelog';

/** The changelog of a board: its entries, the posts that they link, and how visitors react to them. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  return [...columns(id), ...tables(id, clustered), ...indexes];
}

function columns(id: string): string[] {
  return [
    'alter table boards add column changelog_number bigint not null default 0',
    'alter table boards add column changelog_count bigint not null default 0',
    'alter table users add column email_on_changelog integer not null default 1',
    'alter table users add column follows_changelog integer not null default 0',
    `alter table files add column entry_id ${id}`,
    `alter table events add column entry_id ${id}`,
  ];
}

function tables(id: string, clustered: string): string[] {
  return [
    `create table changelog_entries (
      board_id ${id} not null references boards,
      id ${id} not null,
      number bigint not null,
      title text not null,
      text text not null,
      labels text not null,
      author_id ${id},
      date_scheduled bigint,
      date_published bigint,
      thumbs_up_count bigint not null default 0,
      heart_count bigint not null default 0,
      party_count bigint not null default 0,
      eyes_count bigint not null default 0,
      date_created bigint not null,
      date_updated bigint not null,
      primary key (board_id, id)
    ) ${clustered}`,
    `create table changelog_posts (
      board_id ${id} not null references boards,
      entry_id ${id} not null,
      post_id ${id} not null,
      primary key (board_id, entry_id, post_id)
    ) ${clustered}`,
    `create table changelog_reactions (
      board_id ${id} not null references boards,
      entry_id ${id} not null,
      user_id ${id} not null,
      reaction text not null,
      date_created bigint not null,
      primary key (board_id, entry_id, user_id, reaction)
    ) ${clustered}`,
  ];
}

const indexes = [
  'create unique index changelog_entries_number on changelog_entries (board_id, number)',
  `create index changelog_entries_published on changelog_entries (board_id, date_published, id)
    where date_published is not null`,
  `create index changelog_entries_unpublished on changelog_entries (board_id, date_created, id)
    where date_published is null`,
  'create index changelog_entries_scheduled on changelog_entries (date_scheduled) where date_scheduled is not null',
  'create index changelog_posts_post on changelog_posts (board_id, post_id, entry_id)',
  'create index files_entry on files (board_id, entry_id, id) where entry_id is not null',
  'create index events_entry on events (board_id, entry_id) where entry_id is not null',
  'create index users_changelog on users (board_id, id) where follows_changelog = 1',
];
