import type { AccountRow } from '../../identity/accounts/tables.ts';
import { lockBoard, requireBoard } from '../../identity/board/board.ts';
import { writeForAccount } from '../../identity/team/account-mail.ts';
import { findLastOwners, listMemberships } from '../../identity/team/members.ts';
import type { UserRow } from '../../identity/users/users.ts';
import type { Db, Reader, Tx } from '../../platform/db/db.ts';
import { conflict } from '../../platform/errors.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Letter } from '../../platform/mail/letter.ts';
import { queueMail } from '../../platform/mail/mails.ts';
import { msg } from '../../platform/messages.ts';
import { eraseAccount, eraseFromBoard } from './erasures.ts';

type Deps = { db: Db; clock: Clock; baseUrl: string; cipher: Cipher };

/** The names of the boards that the erasure of an account would leave without an owner. */
export async function findBoardsOwnedAlone(reader: Reader, accountId: string): Promise<string[]> {
  const last = await findLastOwners(reader, await listMemberships(reader, accountId));
  const boards = await Promise.all(last.map(({ board_id }) => requireBoard(reader, board_id)));
  return boards.map(({ name }) => name);
}

/**
 * Erases an account at the request of its owner, with its user on each board, and queues a last mail about it.
 * @param keepContent whether posts and comments stay, without an author
 * @returns the users as they were
 * @throws CONFLICT for the last owner of a board
 */
export function eraseOwnAccount(deps: Deps, account: AccountRow, keepContent: boolean): Promise<UserRow[]> {
  const now = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const users = await lockBoardsOf(tx, account.id);
    await requireOtherOwners(tx, users);
    for (const user of users) await eraseFromBoard(tx, user, account, { keepContent, erasedBy: null, now });
    await eraseAccount(tx, account, users, now);
    // The row of the mail is deleted once it is sent, since its recipient is erased.
    const mail = await writeForAccount(tx, deps.baseUrl, farewell(account, keepContent), users);
    await queueMail(tx, deps.cipher, { ...mail, isUnlogged: true }, now);
    return users;
  });
}

/** The users of an account. Locks their boards: two owners who leave at once must not leave a board without one. */
async function lockBoardsOf(tx: Tx, accountId: string): Promise<UserRow[]> {
  for (const { board_id } of await listMemberships(tx, accountId)) await lockBoard(tx, board_id);
  return listMemberships(tx, accountId);
}

async function requireOtherOwners(tx: Tx, users: readonly UserRow[]): Promise<void> {
  const [last] = await findLastOwners(tx, users);
  if (!last) return;
  const { name } = await requireBoard(tx, last.board_id);
  throw conflict(msg('erasureOnlyOwner', name));
}

function farewell({ name, email }: AccountRow, keepContent: boolean): Letter {
  const content = keepContent ? msg('erasureContentStays') : msg('erasureContentDeleted');
  return {
    recipient: email,
    subject: msg('erasureDone'),
    parts: [
      { kind: 'text', text: msg('mailHelloName', name) },
      { kind: 'text', text: msg('erasureLastMail') },
      { kind: 'text', text: content },
    ],
  };
}
