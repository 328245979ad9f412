import type { Engine } from '../db.ts';

export const name = '0008-fields';

/** Custom fields on posts, and the values of posts in them. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  const ofEngine = engine === 'sqlite' ? statistics : [];
  return [
    `create table fields (
      board_id ${id} not null references boards,
      id ${id} not null,
      label text not null,
      label_folded ${id} not null,
      description text,
      type text not null,
      is_required integer not null,
      allow_url_prefill integer not null,
      locations text not null,
      options text not null,
      visibility text not null,
      revision integer not null default 0,
      date_created bigint not null,
      primary key (board_id, id)
    ) ${clustered}`,
    'create unique index fields_label on fields (board_id, label_folded)',
    `create table post_properties (
      board_id ${id} not null references boards,
      post_id ${id} not null,
      field_id ${id} not null,
      position integer not null,
      value text not null,
      value_key ${id} not null,
      primary key (board_id, post_id, field_id, position)
    ) ${clustered}`,
    'create index post_properties_value on post_properties (board_id, value_key, post_id)',
    'create index post_properties_field on post_properties (board_id, field_id, post_id)',
    ...ofEngine,
  ];
}

/**
 * What SQLite should assume about the indexes on properties, as for those on posts: without it, it finds the posts with
 * a value by examining every property of the board.
 */
const statistics = [
  `insert into sqlite_stat1 (tbl, idx, stat) values
    ('post_properties', 'post_properties', '1000000 1000000 3 1 1'),
    ('post_properties', 'post_properties_value', '1000000 1000000 1000 1'),
    ('post_properties', 'post_properties_field', '1000000 1000000 100000 1')`,
  'analyze sqlite_schema',
];
