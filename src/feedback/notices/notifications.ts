import { type Selectable, type SqlBool, sql } from 'kysely';
import type { Tx } from '../../platform/db/db.ts';
import { isFewOfBoard } from '../../platform/db/prepare.ts';

type NotificationTable = {
  board_id: string;
  notice_id: string;
  user_id: string;
  post_id: string;
  /** A sum of `REASONS`: why the user is notified. */
  reasons: number;
  /** When it goes out by mail; null when it has, or will not. */
  date_due: number | null;
  /** The mail that contained it. */
  mail_id: string | null;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    /** Who is notified of what: one row for each user and notice. */
    notifications: NotificationTable;
  }
}

export type NotificationRow = Selectable<NotificationTable>;

/** Removes the notifications about a post, with the mails, which contain its title. */
export async function removeNotices(tx: Tx, boardId: string, postId: string): Promise<void> {
  await sql`
    delete from notifications where board_id = ${boardId} and notice_id in (
      select id from notices where board_id = ${boardId} and post_id = ${postId})`.execute(tx);
  const ofPost = isFewOfBoard(tx, boardId, sql<SqlBool>`post_id = ${postId}`);
  for (const table of ['notices', 'mails'] as const) {
    await tx.deleteFrom(table).where(ofPost).execute();
  }
}
