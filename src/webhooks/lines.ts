import { sql } from 'kysely';
import type { Tx } from '../db/db.ts';
import { locked, prepare, rowLimit } from '../db/prepare.ts';
import type { DeliveryRow } from '../events/deliveries.ts';

/**
 * Deliveries about one post to one webhook stand in line: of those that wait, the first has a date on which it is due,
 * the others have none. Who changes a line holds the board's row, as does who announces an event.
 */
type Line = Pick<DeliveryRow, 'board_id' | 'webhook_id' | 'post_id'>;

/** Locks the board's row: lines of the board change one transaction at a time. */
export async function lockLines(tx: Tx, boardId: string): Promise<void> {
  await locked(tx, tx.selectFrom('boards').select('id').where('id', '=', boardId)).execute();
}

/** After a delivery is done: the one that waits behind it is due now. */
export async function releaseNext(tx: Tx, { board_id, webhook_id, post_id }: Line, now: number): Promise<void> {
  if (post_id !== null) await releaseFirst(tx, { boardId: board_id, webhookId: webhook_id, postId: post_id, now });
}

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

const releaseFirst = prepare<{ boardId: string; webhookId: string; postId: string; now: number }, never>(
  (tx, param) =>
    tx
      .updateTable('deliveries')
      .set({ date_due: param('now') })
      .where('board_id', '=', param('boardId'))
      .where('date_due', 'is', null)
      .where('id', '=', (e) =>
        e
          .selectFrom('deliveries as next')
          .select('next.id')
          .where('next.board_id', '=', param('boardId'))
          .where('next.webhook_id', '=', param('webhookId'))
          .where('next.post_id', '=', param('postId'))
          .where('next.state', '=', sql.lit('waiting'))
          .orderBy('next.event_seq')
          .limit(rowLimit(1)),
      ) as never,
);
