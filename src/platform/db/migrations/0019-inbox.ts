export const name = '0019-inbox';

/** When users last opened their inbox. */
export function statements(): readonly string[] {
  return ['alter table users add column date_inbox_seen bigint'];
}
