import { type LoaderFunctionArgs, redirect } from 'react-router';
import { findBoardByDomain } from '#src/identity/board/board.ts';
import { visitContext } from '../lib/visit.ts';

/** Addresses of posts on a board with a host of its own leave the board's name out. */
export async function loader({ context, params, url }: LoaderFunctionArgs) {
  const { db, host } = context.get(visitContext);
  const board = await findBoardByDomain(db.read, host);
  if (!board) throw new Response(null, { status: 404 });
  const slug = params.slug ? `/${encodeURIComponent(params.slug)}` : '';
  return redirect(`/b/${board.pid}/posts/${encodeURIComponent(params.number ?? '')}${slug}${url.search}`);
}
