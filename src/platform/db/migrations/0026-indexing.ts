export const name = '0026-indexing';

/** Whether search engines may find a board. */
export function statements(): readonly string[] {
  return ['alter table boards add column is_indexed smallint not null default 1'];
}
