export const name = '0050-roadmap-columns';

/** Which statuses are columns of the roadmap: so far, those of the board and COMPLETED. */
export function statements(): readonly string[] {
  return [
    'alter table statuses add column is_on_roadmap integer not null default 0',
    "update statuses set is_on_roadmap = 1 where type in ('CUSTOM', 'COMPLETED')",
  ];
}
