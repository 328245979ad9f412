import { type Db, pipelined } from '../../platform/db/db.ts';
import { isOneOf, locked, prepare } from '../../platform/db/prepare.ts';
import { findAbandoned } from '../../platform/db/presence.ts';

/**
 * Lets what a process was sending when it ended be claimed at once, instead of at the end of its leases.
 * @returns how many deliveries
 */
export async function takeOver(db: Db, now: number): Promise<number> {
  const leases = await heldLeases(db.read, { now });
  const tokens = await findAbandoned(
    db.presence,
    leases.map(({ lease_token }) => lease_token),
  );
  if (tokens.length === 0) return 0;
  return db.transaction(async (tx) => {
    // Only the webhooks' rows are locked for changes of their deliveries.
    const [, freed] = await pipelined([lockWebhooks(tx, { tokens }), free(tx, { tokens, now })]);
    return freed.length;
  });
}

const heldLeases = prepare<{ now: number }, { lease_token: string }>((reader, param) =>
  reader
    .selectFrom('deliveries')
    .select('lease_token')
    .distinct()
    .where('lease_token', 'is not', null)
    .$narrowType<{ lease_token: string }>()
    .where('date_due', '>', param('now')),
);

const lockWebhooks = prepare<{ tokens: string[] }, { id: string }>((tx, param) => {
  const theirs = tx
    .selectFrom('deliveries')
    .select('webhook_id')
    .where('lease_token', 'is not', null)
    .where(isOneOf(tx, 'lease_token', param('tokens')));
  return locked(tx, tx.selectFrom('webhooks').select('id').where('id', 'in', theirs).orderBy('board_id').orderBy('id'));
});

const free = prepare<{ tokens: string[]; now: number }, { id: string }>(
  (tx, param) =>
    tx
      .updateTable('deliveries')
      .set({ date_due: param('now') })
      .where('lease_token', 'is not', null)
      .where(isOneOf(tx, 'lease_token', param('tokens')))
      .where('date_due', '>', param('now'))
      .returning('id') as never,
);
