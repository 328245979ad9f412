export const name = '0042-half-there';

/** For receivers that fail often: how often, since when, and when the owners were last mailed about it. */
export function statements(): readonly string[] {
  return [
    'alter table webhooks add column failure_share integer not null default 0',
    'alter table webhooks add column troubled_since bigint',
    'alter table webhooks add column date_told bigint',
  ];
}
