import '../styles/board.css';
import { type LoaderFunctionArgs, Outlet, useLoaderData } from 'react-router';
import { parseLocale } from '../i18n/format.ts';
import { orErrorPage } from '../lib/failure.ts';
import { visitContext } from '../lib/visit.ts';
import { Header } from '../ui/header.tsx';

export async function loader({ context, params }: LoaderFunctionArgs) {
  const { board } = await orErrorPage(context.get(visitContext).openBoard(params.pid));
  const { pid, name, description, locale } = board;
  return { board: { pid, name, description, locale: parseLocale(locale) } };
}

/** What all pages of a board have around them. */
export default function Board() {
  const { board } = useLoaderData<typeof loader>();
  return (
    <>
      <Header board={board} />
      <Outlet />
    </>
  );
}
