import { type SqlBool, sql } from 'kysely';
import type { Tx } from '../../platform/db/db.ts';
import { isFewOfBoard, isOneOf, locked } from '../../platform/db/prepare.ts';
import { detailsOf, type NoticeRow } from './notices.ts';

/**
 * Takes back the notifications of an operation that are not in a mail yet. What moderators had released waits for them
 * again.
 * @returns whether some user has been notified by mail
 */
export async function cancelNotices(tx: Tx, boardId: string, operationId: string): Promise<boolean> {
  const ofOperation = isFewOfBoard(tx, boardId, sql<SqlBool>`operation_id = ${operationId}`);
  const query = tx.selectFrom('notices').selectAll().where(ofOperation).orderBy('id');
  const notices = await locked(tx, query).execute();
  if (notices.length === 0) return false;
  const ids = notices.map(({ id }) => id);
  const unsent = tx.deleteFrom('notifications').where('board_id', '=', boardId).where('mail_id', 'is', null);
  await unsent.where(isOneOf(tx, 'notice_id', ids)).execute();
  const sent = tx.selectFrom('notifications').select('notice_id').distinct().where('board_id', '=', boardId);
  const sentIds = (await sent.where(isOneOf(tx, 'notice_id', ids)).execute()).map((row) => row.notice_id);
  for (const notice of notices) await takeBack(tx, notice, sentIds.includes(notice.id));
  return sentIds.length > 0;
}

async function takeBack(tx: Tx, notice: NoticeRow, isSent: boolean): Promise<void> {
  const { board_id: boardId, id } = notice;
  const details = detailsOf(notice);
  const update = tx.updateTable('notices').where('board_id', '=', boardId).where('id', '=', id);
  if (details.isHeld === false) {
    const waits = { details: JSON.stringify({ ...details, isHeld: true }), date_ready: null, done_up_to: '' };
    await update.set({ ...waits, operation_id: null }).execute();
  } else if (isSent) {
    await update.set({ date_ready: null }).execute();
  } else {
    await tx.deleteFrom('notices').where('board_id', '=', boardId).where('id', '=', id).execute();
  }
}
