import type { Db, Reader } from '../../platform/db/db.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { hasRoomIn } from '../../platform/limits/throttle.ts';
import { type Letter, writeLetter } from '../../platform/mail/letter.ts';
import { type NewMail, queueMail } from '../../platform/mail/mails.ts';
import { mailboxOf } from '../../platform/texts/email.ts';
import type { AccountMailKind } from '../accounts/mails.ts';
import { type BoardRow, listBoards, requireBoard, requireFirstBoard } from '../board/board.ts';
import { mayEnter } from '../users/entry.ts';
import { mailBrandOf, serverBrand } from '../users/mail-brand.ts';
import type { UserRow } from '../users/users.ts';
import { listMemberships } from './members.ts';

type Mailing = { db: Db; clock: Clock; log: Logger; cipher: Cipher; baseUrl: string };

/** Queues a mail to the owner of an account, or to someone without one (null), see `SendMail`. */
export async function queueForAccount(
  { db, clock, log, cipher, baseUrl }: Mailing,
  letter: Letter,
  accountId: string | null,
  kind: AccountMailKind,
): Promise<void> {
  const users = accountId === null ? [] : await listMemberships(db.read, accountId);
  const mail = await writeForAccount(db.read, baseUrl, letter, users);
  const isQueued = await db.transaction(async (tx) => {
    if (!(await hasRoomIn(tx, clock, `${kind} mails to`, mailboxOf(letter.recipient)))) return false;
    await queueMail(tx, cipher, { ...mail, namedId: users[0]?.id }, clock.now());
    return true;
  });
  if (!isQueued) log.warn({ kind }, 'A mail was not sent: too many were requested to its address');
}

/**
 * Writes a mail to the owner of an account. Accounts belong to no board, but every mail does: theirs belong to the oldest
 * board of the account, whose admins see the recipient. The branding and the language are those of a board that the recipient
 * may see, so that outsiders learn nothing of a private board.
 * @param users of the account, see `listMemberships`
 */
export async function writeForAccount(
  reader: Reader,
  baseUrl: string,
  letter: Letter,
  users: readonly UserRow[],
): Promise<NewMail> {
  const [user] = users;
  const { id: boardId } = await (user ? requireBoard(reader, user.board_id) : requireFirstBoard(reader));
  const board = await findVisible(reader, letter, users);
  const brand = board ? mailBrandOf(board, baseUrl) : serverBrand(baseUrl);
  const language = user?.locale ?? letter.language ?? board?.locale ?? 'en';
  return { ...writeLetter(letter, { brand, language }), boardId };
}

/**
 * The board that caused a letter, if its recipient may see it; else the oldest that they may see, preferably one of their
 * own. The mail proves that the address is theirs.
 */
async function findVisible(
  reader: Reader,
  { recipient: email, boardId }: Letter,
  users: readonly UserRow[],
): Promise<BoardRow | null> {
  const account = { email, is_email_verified: 1 } as const;
  const own = new Map(users.map((user) => [user.board_id, user]));
  const visible = (await listBoards(reader)).filter((board) => {
    return mayEnter(board, { user: own.get(board.id) ?? null, account });
  });
  return visible.find(({ id }) => id === boardId) ?? visible.find(({ id }) => own.has(id)) ?? visible[0] ?? null;
}
