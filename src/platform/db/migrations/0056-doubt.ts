export const name = '0056-doubt';

/** Why it is not certain who wrote what came by mail. */
export function statements(): readonly string[] {
  return ['alter table posts add column doubt text', 'alter table comments add column doubt text'];
}
