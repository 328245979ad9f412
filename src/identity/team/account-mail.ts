import type { Db } from '../../platform/db/db.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { type Letter, writeLetter } from '../../platform/mail/letter.ts';
import { queueMail } from '../../platform/mail/mails.ts';
import { requireBoard, requireFirstBoard } from '../board/board.ts';
import { mailBrandOf } from '../users/mail-brand.ts';
import { listMemberships } from './members.ts';

/**
 * Accounts belong to no board, but every mail does: an account's mail belongs to the first of its boards, since its
 * admins see to whom mail was sent.
 */
export async function queueForAccount(
  { db, clock, cipher, baseUrl }: { db: Db; clock: Clock; cipher: Cipher; baseUrl: string },
  letter: Letter,
  accountId: string | null,
): Promise<void> {
  const [membership] = accountId === null ? [] : await listMemberships(db.read, accountId);
  const board = membership ? await requireBoard(db.read, membership.board_id) : await requireFirstBoard(db.read);
  const language = membership?.locale ?? board.locale;
  const mail = writeLetter(letter, { brand: mailBrandOf(board, baseUrl), language });
  const about = { boardId: board.id, namedId: membership?.id };
  await db.transaction((tx) => queueMail(tx, cipher, { ...mail, ...about }, clock.now()));
}
