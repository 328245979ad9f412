export const name = '0020-access';

/** Who may see a board, what needs approval there, and whether moderators trust or block each user. */
export function statements(): readonly string[] {
  return [
    "alter table boards add column access text not null default 'PUBLIC'",
    "alter table boards add column mail_domains text not null default ''",
    "alter table boards add column approval text not null default 'NONE'",
    "alter table users add column standing text not null default 'NORMAL'",
    'alter table users add column is_invited smallint not null default 0',
    "create index users_standing on users (board_id, id) where standing <> 'NORMAL'",
  ];
}
