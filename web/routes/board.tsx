import '../styles/board.css';
import '../styles/discussion.css';
import '../styles/ideas.css';
import { type LoaderFunctionArgs, Outlet, useLoaderData } from 'react-router';
import { orErrorPage } from '../lib/failure.ts';
import { viewFrame } from '../lib/frame.ts';
import { visitContext } from '../lib/visit.ts';
import { Header } from '../ui/header.tsx';

export async function loader({ context, params }: LoaderFunctionArgs) {
  const visit = context.get(visitContext);
  return viewFrame(visit, (await orErrorPage(visit.openBoard(params.pid))).board);
}

/** What all pages of a board have around them. */
export default function Board() {
  const { board, visitor } = useLoaderData<typeof loader>();
  return (
    <>
      <Header board={board} visitor={visitor} />
      <Outlet />
    </>
  );
}
