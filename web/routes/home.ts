import { type LoaderFunctionArgs, redirect } from 'react-router';
import { findBoardByDomain, listBoards } from '#src/identity/board/board.ts';
import { visitContext } from '../lib/visit.ts';

/** `/` leads to the board that has this host of its own, else to the first one. */
export async function loader({ context }: LoaderFunctionArgs) {
  const { db, host } = context.get(visitContext);
  const ofHost = await findBoardByDomain(db.read, host);
  const board = ofHost ?? (await listBoards(db.read))[0];
  if (!board) throw new Response(null, { status: 404 });
  return redirect(`/b/${board.pid}`);
}
