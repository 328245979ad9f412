import type { BoardRow } from '../identity/board/board.ts';
import type { ActorHeaders, Actors, KeyUser } from '../identity/users/actors.ts';
import type { UserRow } from '../identity/users/users.ts';
import { AppError } from '../platform/errors.ts';

/**
 * Who reads through a key: the user in the headers, or the key's own; without either the response has what every member may
 * see.
 */
export async function findViewer(
  actors: Actors,
  headers: ActorHeaders,
  board: BoardRow,
  key: KeyUser,
): Promise<UserRow | null> {
  if (!headers.ssotype && !headers.ssoid && !headers.userid && key.defaultUserId === null && !key.isBound) return null;
  const viewer = await actors.find(board, headers, key);
  if (viewer instanceof AppError) throw viewer;
  return viewer;
}
