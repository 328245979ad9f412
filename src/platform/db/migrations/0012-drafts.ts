import type { Engine } from '../db.ts';

export const name = '0012-drafts';

/**
 * What anonymous visitors have started on the pages, until they have signed in; and an index for content awaiting the
 * team.
 */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  return [
    `create table drafts (
      board_id ${id} not null references boards,
      id ${id} not null,
      browser ${id} not null,
      content text not null,
      refusal text,
      date_created bigint not null,
      date_expires bigint not null,
      primary key (board_id, id)
    )`,
    'create index drafts_browser on drafts (board_id, browser, id)',
    'create index drafts_expiry on drafts (date_expires)',
    `create index comments_unapproved on comments (board_id, id)
      where date_deleted is null and moderation_status <> 'APPROVED'`,
  ];
}
