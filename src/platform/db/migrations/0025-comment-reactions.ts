import type { Engine } from '../db.ts';

export const name = '0025-comment-reactions';

/** How users react to comments. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const clustered = engine === 'sqlite' ? 'without rowid' : '';
  return [
    `create table comment_reactions (
      board_id ${id} not null references boards,
      comment_id ${id} not null,
      user_id ${id} not null,
      reaction text not null,
      date_created bigint not null,
      primary key (board_id, comment_id, user_id, reaction)
    ) ${clustered}`,
  ];
}
