export const name = '0054-mail-in';

/** Whether a board takes ideas by mail, and the address that people are shown for it, if it is another one. */
export function statements(): readonly string[] {
  return [
    'alter table boards add column is_mail_in_enabled smallint not null default 0',
    "alter table boards add column mail_address text not null default ''",
  ];
}
