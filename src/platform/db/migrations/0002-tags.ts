import type { Engine } from '../db.ts';

export const name = '0002-tags';

/** Tags, and which posts have them. Folded names compare byte by byte, as ids do. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  return [
    `create table tags (
      board_id ${id} not null references boards,
      id ${id} not null,
      name text not null,
      name_folded ${id} not null,
      color text,
      is_private integer not null,
      post_count bigint not null default 0,
      date_created bigint not null,
      primary key (board_id, id)
    ) ${clustered}`,
    'create unique index tags_name on tags (board_id, name_folded)',
    `create table post_tags (
      board_id ${id} not null references boards,
      post_id ${id} not null,
      tag_id ${id} not null,
      primary key (board_id, post_id, tag_id)
    ) ${clustered}`,
    'create index post_tags_tag on post_tags (board_id, tag_id, post_id)',
  ];
}
