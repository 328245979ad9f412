import { type BoardRow, findBoard, requireBoard } from '../../identity/board/board.ts';
import type { Reader } from '../../platform/db/db.ts';
import type { MailRow } from '../../platform/mail/mails.ts';
import type { ReplyAddresses } from '../../platform/mail/reply-addresses.ts';

/** What an address is for: new ideas of a board, or comments of the reader of a mail about a post. */
export type Recipient =
  | { kind: 'board'; address: string; board: BoardRow }
  | { kind: 'reply'; address: string; board: BoardRow; mail: Pick<MailRow, 'recipient'> & { post_id: string } };

/** The address of a board on the domain for mail that comes in. */
export function addressOfBoard({ pid }: Pick<BoardRow, 'pid'>, domain: string): string {
  return `${pid}@${domain}`;
}

/** What an address is for; null if it is none of this server, or its board takes no mail. */
export async function findRecipient(
  reader: Reader,
  { domain, replies }: { domain: string; replies: ReplyAddresses },
  raw: string,
): Promise<Recipient | null> {
  const address = raw.trim().toLowerCase();
  const at = address.lastIndexOf('@');
  if (at < 0 || address.length > 254 || address.slice(at + 1) !== domain) return null;
  const mailId = replies.mailOf(address);
  if (mailId !== null) return findReply(reader, address, mailId);
  const board = await findBoard(reader, address.slice(0, at));
  return board?.is_mail_in_enabled ? { kind: 'board', address, board } : null;
}

/** The rows of mails are found by board: those that take mail are asked. */
async function findReply(reader: Reader, address: string, mailId: string): Promise<Recipient | null> {
  const boards = reader.selectFrom('boards').select('id').where('is_mail_in_enabled', '=', 1);
  const query = reader.selectFrom('mails').select(['board_id', 'recipient', 'post_id']).where('board_id', 'in', boards);
  const mail = await query.where('id', '=', mailId).executeTakeFirst();
  if (!mail || mail.post_id === null) return null;
  const board = await requireBoard(reader, mail.board_id);
  return { kind: 'reply', address, board, mail: { recipient: mail.recipient, post_id: mail.post_id } };
}
