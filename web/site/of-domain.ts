import { type LoaderFunctionArgs, redirect } from 'react-router';
import { findBoardByDomain } from '#src/identity/board/board.ts';
import { visitContext } from '../lib/visit.ts';
import { openBoard } from '../parts/requests/member.ts';

/** On a custom domain, the URLs of posts and of the changelog omit the board's name. */
export async function loader(args: LoaderFunctionArgs) {
  const { context, url } = args;
  const { db, host } = context.get(visitContext);
  const pid = (await findBoardByDomain(db.read, host))?.pid;
  const { board } = await openBoard({ ...args, params: { pid } });
  return redirect(`/b/${board.pid}${url.pathname}${url.search}`, 301);
}
