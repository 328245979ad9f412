import type { Reader, Tx } from '../db/db.ts';
import { isOneOf } from '../db/prepare.ts';

/** An address to which a mail server has permanently refused to deliver. Notifications no longer go there. */
type BounceTable = {
  board_id: string;
  /** In lower case. */
  address: string;
  /** What the server said. */
  error: string;
  date_created: number;
};

declare module '../db/db.ts' {
  interface Tables {
    mail_bounces: BounceTable;
  }
}

/** Those of the addresses that have bounced, in lower case. */
export async function findBounced(reader: Reader, boardId: string, addresses: readonly string[]): Promise<Set<string>> {
  const query = reader.selectFrom('mail_bounces').select('address').where('board_id', '=', boardId);
  const rows = await query
    .where(
      isOneOf(
        reader,
        'address',
        addresses.map((address) => address.toLowerCase()),
      ),
    )
    .execute();
  return new Set(rows.map(({ address }) => address));
}

/** Remembers that an address has bounced. */
export async function recordBounce(
  tx: Tx,
  boardId: string,
  address: string,
  error: string,
  now: number,
): Promise<void> {
  const row = { board_id: boardId, address: address.toLowerCase(), error, date_created: now };
  const insert = tx.insertInto('mail_bounces').values(row);
  await insert
    .onConflict((c) => c.columns(['board_id', 'address']).doUpdateSet({ error, date_created: now }))
    .execute();
}

/** Forgets it, because a server has taken a mail to the address. */
export async function forgetBounce(tx: Tx, boardId: string, address: string): Promise<void> {
  const query = tx.deleteFrom('mail_bounces').where('board_id', '=', boardId);
  await query.where('address', '=', address.toLowerCase()).execute();
}
