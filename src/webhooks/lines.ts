import { sql } from 'kysely';
import { lockBoard } from '../board/board.ts';
import type { Tx } from '../db/db.ts';
import { isAmong, locked, prepare, tableOf } from '../db/prepare.ts';
import type { DeliveryRow } from '../events/deliveries.ts';

/**
 * Deliveries about one post to one webhook stand in line: of those that wait, the first has a date on which it is due,
 * the others have none. Who changes a line holds the board's row, as does who announces an event.
 */
type Line = Pick<DeliveryRow, 'board_id' | 'webhook_id' | 'post_id'>;

/** Locks the board's row: lines of the board change one transaction at a time. */
export async function lockLines(tx: Tx, boardId: string): Promise<void> {
  await lockBoard(tx, boardId);
}

/** After deliveries of a board are done: those that wait behind them are due now. */
export async function releaseLines(tx: Tx, boardId: string, done: readonly Line[], now: number): Promise<void> {
  const lines = done.flatMap(({ webhook_id, post_id }) => (post_id === null ? [] : [{ webhook_id, post_id }]));
  if (lines.length > 0) await releaseFirst(tx, { boardId, lines: JSON.stringify(lines), now });
}

const releaseFirst = prepare<{ boardId: string; lines: string; now: number }, never>((tx, param) => {
  const lines = tableOf(tx, 'line', { webhook_id: 'text', post_id: 'text' }, param('lines'));
  const first = sql`(select (
    select next.id from deliveries as next
    where next.board_id = ${param('boardId')} and next.webhook_id = line.webhook_id and next.post_id = line.post_id
      and next.state = 'waiting'
    order by next.event_seq limit 1
  ) from ${lines})`;
  return sql`
    update deliveries set date_due = ${param('now')} where board_id = ${param('boardId')} and date_due is null
    and ${isAmong(tx, 'id', first)}`;
});

/**
 * Puts a delivery that was done back into its line, at its place in the order of events. It is due now, unless one of
 * the line is being sent: then it follows that one.
 */
export async function rejoinLine(tx: Tx, delivery: DeliveryRow, now: number): Promise<void> {
  const head = await findHead(tx, delivery);
  const isBusy = head?.lease_token != null;
  if (head && !isBusy) await setDue(tx, head, null);
  await tx
    .updateTable('deliveries')
    .set({ state: 'waiting', tries: 0, date_done: null, date_due: isBusy ? null : now })
    .where('board_id', '=', delivery.board_id)
    .where('id', '=', delivery.id)
    .execute();
}

async function findHead(tx: Tx, { board_id, webhook_id, post_id }: Line): Promise<DeliveryRow | undefined> {
  if (post_id === null) return undefined;
  const waiting = tx
    .selectFrom('deliveries')
    .selectAll()
    .where('board_id', '=', board_id)
    .where('webhook_id', '=', webhook_id)
    .where('post_id', '=', post_id)
    .where('state', '=', 'waiting')
    .where('date_due', 'is not', null);
  return locked(tx, waiting).executeTakeFirst();
}

async function setDue(tx: Tx, { board_id, id }: DeliveryRow, due: number | null): Promise<void> {
  const update = tx.updateTable('deliveries').set({ date_due: due });
  await update.where('board_id', '=', board_id).where('id', '=', id).execute();
}
