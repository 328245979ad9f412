import { type LoaderFunctionArgs, redirect } from 'react-router';
import { findBoardByDomain, listBoards } from '#src/identity/board/board.ts';
import type { Visit } from '#src/pages/visit.ts';
import { visitContext } from '../lib/visit.ts';
import { openBoard } from '../parts/requests/member.ts';

/** `/` leads to the board with this custom domain, else to the first one that the visitor may see. */
export async function loader(args: LoaderFunctionArgs) {
  const pid = await findPid(args.context.get(visitContext));
  const { board } = await openBoard({ ...args, params: { pid } });
  return redirect(`/b/${board.pid}`);
}

async function findPid({ db, host, people }: Visit): Promise<string | undefined> {
  const own = await findBoardByDomain(db.read, host);
  if (own) return own.pid;
  for (const board of await listBoards(db.read)) if (await people.mayEnter(board)) return board.pid;
  return undefined;
}

/** Never shown: without a component, a visitor who may see no board would get the data of an error instead of its page. */
export default function Home() {
  return null;
}
