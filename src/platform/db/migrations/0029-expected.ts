export const name = '0029-expected';

/** When posts are expected. */
export function statements(): readonly string[] {
  return ['alter table posts add column expected text'];
}
