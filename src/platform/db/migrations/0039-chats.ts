export const name = '0039-chats';

/**
 * Webhooks of chats, and webhooks that want only the events of posts with some statuses or tags. The URL of a chat is
 * a secret: `url` shows only a part of it.
 */
export function statements(): readonly string[] {
  return [
    `alter table webhooks add column kind text not null default 'PLAIN'`,
    'alter table webhooks add column secret_url text',
    'alter table webhooks add column status_ids text',
    'alter table webhooks add column tag_ids text',
  ];
}
