import { sql } from 'kysely';
import type { Db } from '../../platform/db/db.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { forgetMailings } from '../changelog/mailing.ts';

/** How long notifications are kept. */
export const KEPT_DAYS = 90;
const NOTICES_PER_STEP = 20;
const ROWS_PER_STEP = 1_000;

/** Removes notices that are older than 90 days with their notifications, some at a time, and how entries were mailed. */
export async function forgetNotices(db: Db, now: number, signal?: AbortSignal): Promise<void> {
  await forgetMailings(db, now - KEPT_DAYS * DAY_MS);
  const boards = await db.read.selectFrom('boards').select('id').execute();
  for (const { id } of boards) {
    while (!signal?.aborted && (await forgetSome(db, id, now - KEPT_DAYS * DAY_MS)));
  }
}

/** @returns whether there may be more */
async function forgetSome(db: Db, boardId: string, before: number): Promise<boolean> {
  const oldest = db.read.selectFrom('notices').select(['id', 'date_created']).where('board_id', '=', boardId);
  const found = await oldest.orderBy('id').limit(NOTICES_PER_STEP).execute();
  const ids = found.filter(({ date_created }) => date_created < before).map(({ id }) => id);
  if (ids.length === 0) return false;
  return db.transaction(async (tx) => {
    const { numAffectedRows = 0n } = await sql`
      delete from notifications where (board_id, notice_id, user_id) in (
        select board_id, notice_id, user_id from notifications
        where board_id = ${boardId} and ${isOneOf(tx, 'notice_id', ids)} limit ${sql.lit(ROWS_PER_STEP)})`.execute(tx);
    if (numAffectedRows >= ROWS_PER_STEP) return true;
    await tx
      .deleteFrom('notices')
      .where('board_id', '=', boardId)
      .where(isOneOf(tx, 'id', ids))
      .execute();
    return found.length === NOTICES_PER_STEP;
  });
}
