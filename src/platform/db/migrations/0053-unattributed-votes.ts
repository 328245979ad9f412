export const name = '0053-unattributed-votes';

/** Upvotes of which an import had only the number. */
export function statements(): readonly string[] {
  return ['alter table posts add column unattributed_upvotes integer not null default 0'];
}
