import { findBoardByDomain, listBoards } from '#src/identity/board/board.ts';
import type { Visit } from '../../src/pages/visit.ts';

/** The board whose custom domain is the host of a request, else the first one; undefined before there is any. */
export async function findBoardOfHost({ db, host }: Visit) {
  return (await findBoardByDomain(db.read, host)) ?? (await listBoards(db.read))[0];
}
