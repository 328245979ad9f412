import { type LoaderFunctionArgs, redirect } from 'react-router';
import { visitContext } from '../lib/visit.ts';

/** `/` leads to the board that has this host of its own, else to the first one. */
export async function loader({ context }: LoaderFunctionArgs) {
  const { db, features, host } = context.get(visitContext);
  const ofHost = await features.findBoardByDomain(db.read, host);
  const board = ofHost ?? (await features.listBoards(db.read))[0];
  if (!board) throw new Response(null, { status: 404 });
  return redirect(`/b/${board.pid}`);
}
