import { isIndexed } from '#src/feedback/sharing/indexing.ts';
import { addressOfDomain, type BoardRow, findBoardByDomain, listBoards } from '#src/identity/board/board.ts';
import type { Visit } from '#src/pages/visit.ts';

/** The board whose custom domain is the host of a request, else the first one; undefined before there is any. */
export async function findBoardOfHost({ db, host }: Visit) {
  return (await findBoardByDomain(db.read, host)) ?? (await listBoards(db.read))[0];
}

/** The boards of a host that search engines may find: the one with this custom domain, or those without any. */
export async function listBoardsOfHost(visit: Visit): Promise<BoardRow[]> {
  const own = await findIndexedBoard(visit);
  if (own) return [own];
  return (await listBoards(visit.db.read)).filter((board) => board.domain === null && isIndexed(board));
}

/** Where the addresses for search engines begin, on the host of a request. */
export async function originOf(visit: Visit): Promise<string> {
  const own = await findIndexedBoard(visit);
  return own?.domain ? addressOfDomain(own.domain, visit.baseUrl) : visit.baseUrl;
}

/** The custom domain of any other board is like an unknown host, so that it reveals nothing. */
async function findIndexedBoard({ db, host }: Visit): Promise<BoardRow | null> {
  const own = await findBoardByDomain(db.read, host);
  return own && isIndexed(own) ? own : null;
}
