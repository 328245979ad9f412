import type { Engine } from '../db.ts';

export const name = '0009-people';

/** Who deleted a post, users in the order of their changes, and erased users. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  return [
    `create table erasures (
      board_id ${id} not null references boards,
      id ${id} not null,
      takes_content integer not null,
      erased_by ${id},
      traces text not null,
      date_created bigint not null,
      primary key (board_id, id)
    )`,
    `alter table mails add column named_id ${id}`,
    'create index users_changed on users (board_id, date_updated, id)',
    `alter table posts add column deleted_by ${id}`,
    `update posts set deleted_by = (
      select e.actor_id from events e
      where e.board_id = posts.board_id and e.post_id = posts.id and e.type = 'post.deleted'
      order by e.seq desc limit 1
    ) where date_deleted is not null`,
  ];
}
