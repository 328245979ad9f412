export const name = '0034-event-retention';

/** Up to where the log of events of a board has been removed, and when the newest of these can have happened. */
export function statements(): readonly string[] {
  return [
    'alter table boards add column events_removed bigint not null default 0',
    'alter table boards add column events_removed_before bigint not null default 0',
  ];
}
