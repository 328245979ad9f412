export const name = '0019-inbox';

/** When users last opened the page of what changed on posts that they follow. */
export function statements(): readonly string[] {
  return ['alter table users add column date_inbox_seen bigint'];
}
