import { sql } from 'kysely';
import { everyFile, removeFiles } from '../../feedback/files/removing.ts';
import type { Tx } from '../../platform/db/db.ts';

/** Every table with rows of boards, in an order in which they can be emptied; a test looks for missing ones. */
export const tablesOfBoards = [
  'sandbox_requests',
  'attempts',
  'deliveries',
  'webhooks',
  'notifications',
  'notices',
  'operations',
  'mails',
  'mail_bounces',
  'rate_windows',
  'idempotency_keys',
  'events',
  'votes',
  'subscriptions',
  'assignments',
  'issue_links',
  'trackers',
  'post_tags',
  'post_properties',
  'fields',
  'tags',
  'files',
  'comment_reactions',
  'comments',
  'post_search',
  'search_pending',
  'search_segments',
  'search_blocks',
  'changelog_reactions',
  'changelog_posts',
  'changelog_entries',
  'changelog_mailings',
  'changelog_subscribers',
  'posts',
  'statuses',
  'key_usage',
  'api_keys',
  'visitor_tokens',
  'publishable_keys',
  'invitations',
  'drafts',
  'sso_settings',
  'chat_settings',
  'chat_users',
  'chat_threads',
  'board_sessions',
  'erasures',
  'user_notes',
  'views',
  'imports',
  'import_seen',
  'import_jobs',
  'company_users',
  'companies',
  'segments',
  'users',
  'board_addresses',
] as const;

/** Permanently removes a board with everything that belongs to it. */
export async function deleteBoard(tx: Tx, boardId: string): Promise<void> {
  await removeFiles(tx, boardId, everyFile);
  for (const table of tablesOfBoards) {
    await sql`delete from ${sql.table(table)} where board_id = ${boardId}`.execute(tx);
  }
  await tx.deleteFrom('boards').where('id', '=', boardId).execute();
}
