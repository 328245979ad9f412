import '../posts/posts.css';
import '../posts/compact.css';
import { type LoaderFunctionArgs, Outlet, useLoaderData } from 'react-router';
import { visitContext } from '../lib/visit.ts';
import { SiteFrame } from '../parts/frame/header.tsx';
import { viewFrame } from '../parts/requests/frame.ts';
import { openBoard } from '../parts/requests/member.ts';

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
