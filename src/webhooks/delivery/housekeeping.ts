import type { Db } from '../../platform/db/db.ts';
import { isOneOf, locked } from '../../platform/db/prepare.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { mailDue } from '../webhook/health.ts';
import { healthOf } from '../webhook/health-columns.ts';

import { type HealthMailDeps, queueHealthMail } from './health-mail.ts';
import { logNotes } from './log-lines.ts';

/** How long finished deliveries, attempts and mails stay in the log. Pending ones are kept. */
export const LOG_DAYS = 30;
const ROWS_PER_TRANSACTION = 1_000;

/** Sends mails that become due with time, such as the warning before a webhook is disabled. */
export async function sweepHealth(db: Db, now: number, deps: HealthMailDeps & { log: Logger }): Promise<void> {
  const notable = db.read
    .selectFrom('webhooks')
    .selectAll()
    .where((e) => e.or([e('state', '!=', 'active'), e('told', '!=', 'none'), e('troubled_since', 'is not', null)]));
  const rows = await notable.execute();
  for (const { board_id, id } of rows.filter((row) => mailDue(healthOf(row), now) !== null)) {
    const notes = await db.transaction(async (tx) => {
      const query = tx.selectFrom('webhooks').selectAll().where('board_id', '=', board_id).where('id', '=', id);
      const row = await locked(tx, query).executeTakeFirst();
      return row ? queueHealthMail(tx, row, now, deps) : [];
    });
    logNotes(deps.log, notes);
  }
}

/** Removes expired log entries, in small steps, so that nothing waits for it; it ends early when stopped. */
export async function sweepLog(db: Db, now: number, isStopped: () => boolean): Promise<void> {
  const before = now - LOG_DAYS * DAY_MS;
  const boards = await db.read.selectFrom('boards').select('id').execute();
  for (const { id } of boards) {
    while (!isStopped() && (await deleteSome(db, id, 'attempts', 'date_created', before)));
    while (!isStopped() && (await deleteSome(db, id, 'deliveries', 'date_done', before)));
    while (!isStopped() && (await deleteSome(db, id, 'mails', 'date_done', before)));
  }
}

async function deleteSome(
  db: Db,
  boardId: string,
  table: 'attempts' | 'deliveries' | 'mails',
  column: 'date_created' | 'date_done',
  before: number,
): Promise<boolean> {
  const old = await db.read
    .selectFrom(table)
    .select('id')
    .where('board_id', '=', boardId)
    .where(column as 'date_created', '<', before)
    .limit(ROWS_PER_TRANSACTION)
    .execute();
  if (old.length === 0) return false;
  const ids = old.map(({ id }) => id);
  await db.transaction((tx) =>
    tx
      .deleteFrom(table)
      .where('board_id', '=', boardId)
      .where(isOneOf(tx, 'id', ids))
      .execute(),
  );
  return true;
}
