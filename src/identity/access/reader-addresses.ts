import type { Reader } from '../../platform/db/db.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import type { BoardRow } from '../board/board.ts';
import { isPrivate, mayEnter } from '../users/entry.ts';

/** Which of some confirmed addresses have owners who may see a board now: on a private one, its users and accounts. */
export async function findReaderAddresses(
  reader: Reader,
  board: BoardRow,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  if (!isPrivate(board)) return new Set(addresses);
  const accounts = await reader
    .selectFrom('accounts')
    .select(['id', 'email'])
    .where(isOneOf(reader, 'email', addresses))
    .execute();
  const users = await reader
    .selectFrom('users')
    .select(['email', 'account_id', 'role', 'standing', 'sso_type', 'sso_id', 'is_invited', 'is_api_user'])
    .where('board_id', '=', board.id)
    .where(isOneOf(reader, 'email', addresses))
    .execute();
  const mayRead = (address: string) => {
    const found = accounts.find(({ email }) => email === address);
    const account = found ? { email: address, is_email_verified: 1 as const } : null;
    const theirs = users.filter(({ email }) => email === address);
    return theirs.length === 0
      ? mayEnter(board, { user: null, account })
      : theirs.every((user) => mayEnter(board, { user, account }));
  };
  return new Set(addresses.filter(mayRead));
}
