import '../styles/ideas.css';
import '../styles/compact.css';
import { type LoaderFunctionArgs, Outlet, useLoaderData } from 'react-router';
import { viewFrame } from '../lib/frame.ts';
import { openBoard } from '../lib/member.ts';
import { visitContext } from '../lib/visit.ts';
import { SiteFrame } from '../ui/header.tsx';

export async function loader(args: LoaderFunctionArgs) {
  return viewFrame(args.context.get(visitContext), (await openBoard(args)).board);
}

/** The layout of all pages of a board. */
export default function Board() {
  const { board, visitor } = useLoaderData<typeof loader>();
  return (
    <SiteFrame board={board} visitor={visitor}>
      <Outlet />
    </SiteFrame>
  );
}
