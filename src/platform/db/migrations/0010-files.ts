import type { Engine } from '../db.ts';

export const name = '0010-files';

/** Files of posts, comments and boards; and the bytes on disk to be removed. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  return [
    `create table files (
      board_id ${id} not null references boards,
      id ${id} not null,
      uploader_id ${id},
      name text not null,
      content_type text not null,
      size bigint not null,
      public_token text not null,
      held_token text not null,
      post_id ${id},
      comment_id ${id},
      look text,
      date_created bigint not null,
      primary key (board_id, id)
    ) ${clustered}`,
    'create index files_post on files (board_id, post_id, id) where post_id is not null',
    'create index files_comment on files (board_id, comment_id, id) where comment_id is not null',
    `create index files_unused on files (board_id, date_created)
      where post_id is null and comment_id is null and look is null`,
    'create index files_uploader on files (board_id, uploader_id) where uploader_id is not null',
    `create table file_removals (
      file_id ${id} not null primary key,
      date_due bigint not null
    ) ${clustered}`,
    'create index file_removals_due on file_removals (date_due)',
  ];
}
