import type { Reader } from '../../platform/db/db.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import type { BoardRow } from '../board/board.ts';
import { isPrivate, mayEnter } from '../users/entry.ts';
import type { UserRow } from '../users/users.ts';

/** The ids of those of a board's users who may see it now, for what is sent to them. */
export async function findReaders(
  reader: Reader,
  board: BoardRow,
  users: readonly UserRow[],
): Promise<ReadonlySet<string>> {
  if (!isPrivate(board)) return new Set(users.map(({ id }) => id));
  const accountIds = users.flatMap(({ account_id }) => account_id ?? []);
  const query = reader.selectFrom('accounts').select(['id', 'email', 'is_email_verified']);
  const accounts = new Map(
    (await query.where(isOneOf(reader, 'id', accountIds)).execute()).map((one) => [one.id, one]),
  );
  const readers = users.filter((user) =>
    mayEnter(board, { user, account: accounts.get(user.account_id ?? '') ?? null }),
  );
  return new Set(readers.map(({ id }) => id));
}
