import type { Reader, Tx } from '../db/db.ts';
import { isOneOf } from '../db/prepare.ts';

/** An address to which a mail server has permanently refused to deliver. Notifications no longer go there. */
type BounceTable = {
  board_id: string;
  /** In lower case. */
  address: string;
  /** The server's message. */
  error: string;
  date_created: number;
};

declare module '../db/db.ts' {
  interface Tables {
    mail_bounces: BounceTable;
  }
}

/** The mail server permanently refused the recipient, for example because the mailbox does not exist. */
export class RecipientRefusedError extends Error {}

/** The parts of an SMTP error that are used. */
type SmtpError = Error & { command?: string; responseCode?: number; response?: string };

/** Enhanced codes (RFC 3463) for an address that does not exist or is closed; others may be about the sender. */
const DEAD = /^5\.(1\.(0|1|2|3|6|10)|2\.1)$/;
/** What servers without enhanced codes say about the sender instead of the recipient. */
const ABOUT_SENDER = /relay|spam|block|black|policy|auth|sender|reject/i;

/** Whether a mail server refused a recipient permanently, not temporarily or because of the sender. */
export function isRefusal({ command, responseCode = 0, response = '' }: SmtpError): boolean {
  if (command !== 'RCPT TO' || responseCode < 500) return false;
  const enhanced = /^\d{3}[ -](\d\.\d+\.\d+)/.exec(response)?.[1];
  if (enhanced) return DEAD.test(enhanced);
  return [550, 551, 553].includes(responseCode) && !ABOUT_SENDER.test(response);
}

/** The addresses among these that have bounced, in lower case. */
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

/** Records that an address has bounced. */
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

/** Removes the record, because a server has accepted a mail to the address. */
export async function forgetBounce(tx: Tx, boardId: string, address: string): Promise<void> {
  const query = tx.deleteFrom('mail_bounces').where('board_id', '=', boardId);
  await query.where('address', '=', address.toLowerCase()).execute();
}
