export const name = '0043-bound-keys';

/** Whether a key acts only as its default user, whatever user a request names. */
export function statements(): readonly string[] {
  return ['alter table api_keys add column is_bound integer not null default 0'];
}
