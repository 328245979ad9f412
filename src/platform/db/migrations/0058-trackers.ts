import type { Engine } from '../db.ts';

export const name = '0058-trackers';

/** The issue trackers of boards, and the issues that ideas are linked to. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  return [
    `create table trackers (
      board_id ${id} not null references boards,
      id ${id} not null,
      kind ${id} not null,
      project text not null,
      project_key ${id} not null,
      account ${id} not null,
      api_url text not null,
      token text not null,
      secret text not null,
      rule ${id} not null,
      tells_issues integer not null,
      date_created bigint not null,
      date_read bigint not null,
      date_due bigint not null,
      failures integer not null default 0,
      failure text,
      primary key (board_id, id)
    ) ${clustered}`,
    `create table issue_links (
      board_id ${id} not null references boards,
      id ${id} not null,
      post_id ${id} not null,
      tracker_id ${id} not null,
      issue ${id},
      url text,
      title text,
      state ${id},
      date_changed bigint not null default 0,
      release text,
      date_opened bigint not null,
      asks integer not null default 0,
      is_removed integer not null default 0,
      is_read integer not null default 0,
      comment_id text,
      told text,
      attempts integer not null default 0,
      failures integer not null default 0,
      failure text,
      date_due bigint not null,
      date_created bigint not null,
      added_by ${id},
      primary key (board_id, id)
    ) ${clustered}`,
    'create index issue_links_post on issue_links (board_id, post_id)',
    'create index issue_links_issue on issue_links (board_id, tracker_id, issue)',
  ];
}
