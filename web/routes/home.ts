import { type LoaderFunctionArgs, redirect } from 'react-router';
import { findBoardOfHost } from '../lib/board-of-host.ts';
import { visitContext } from '../lib/visit.ts';

/** `/` leads to the board that has this host of its own, else to the first one. */
export async function loader({ context }: LoaderFunctionArgs) {
  const board = await findBoardOfHost(context.get(visitContext));
  if (!board) throw new Response(null, { status: 404 });
  return redirect(`/b/${board.pid}`);
}
