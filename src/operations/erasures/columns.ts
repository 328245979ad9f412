/**
 * Columns with the id of a user, and what erasing the user does to them: null, the placeholder, or no row at all.
 * `key` is the column by which rows of the table are found, in order. A test finds columns that are missing here and below.
 */
export const columnsOfPeople = [
  {
    table: 'posts',
    key: 'id',
    columns: { author_id: 'null', moderated_by: 'null', deleted_by: 'null' },
  },
  { table: 'comments', key: 'id', columns: { user_id: 'null', moderated_by: 'null', deleted_by: 'null' } },
  { table: 'comment_reactions', key: 'comment_id', columns: { user_id: 'no row' } },
  { table: 'files', key: 'id', columns: { uploader_id: 'null' } },
  { table: 'changelog_entries', key: 'id', columns: { author_id: 'null' } },
  { table: 'votes', key: 'post_id', columns: { user_id: 'stand-in', added_by: 'null' } },
  { table: 'subscriptions', key: 'post_id', columns: { user_id: 'no row' } },
  { table: 'notices', key: 'id', columns: { actor_id: 'null' } },
  { table: 'operations', key: 'operation_id', columns: { actor_id: 'null', undone_by: 'null' } },
  { table: 'notifications', key: 'notice_id', columns: { user_id: 'no row' } },
  { table: 'board_sessions', key: 'token_hash', columns: { user_id: 'no row' } },
  { table: 'visitor_tokens', key: 'token_hash', columns: { user_id: 'no row' } },
  { table: 'chat_users', key: 'identity', columns: { user_id: 'no row' } },
  { table: 'user_notes', key: 'user_id', columns: { user_id: 'no row', author_id: 'null' } },
  { table: 'company_users', key: 'user_id', columns: { user_id: 'no row' } },
  { table: 'assignments', key: 'post_id', columns: { user_id: 'no row', assigned_by: 'null' } },
  { table: 'issue_links', key: 'id', columns: { added_by: 'null' } },
] as const satisfies readonly TableOfPeople[];

/** Further columns with the id of a user, which erasing treats in ways of their own. Events, which stay, are not among them. */
export const furtherColumnsOfPeople = [
  ['changelog_reactions', 'user_id'],
  ['mails', 'named_id'],
  ['invitations', 'invited_by'],
  ['api_keys', 'default_user_id'],
  ['api_keys', 'made_by'],
  ['publishable_keys', 'made_by'],
  ['erasures', 'erased_by'],
  ['views', 'owner_id'],
] as const satisfies readonly (readonly [table: string, column: string])[];

export type TableOfPeople = {
  table: string;
  key: string;
  columns: Readonly<Record<string, 'null' | 'stand-in' | 'no row'>>;
};
