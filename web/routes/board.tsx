import { makeBrand } from '#src/identity/board/brand.ts';
import { may } from '#src/identity/users/authority.ts';
import '../styles/board.css';
import '../styles/discussion.css';
import '../styles/ideas.css';
import { type LoaderFunctionArgs, Outlet, useLoaderData } from 'react-router';
import type { Action } from '../../src/identity/users/authority.ts';
import type { Visit } from '../../src/pages/visit.ts';
import { parseLocale } from '../i18n/format.ts';
import { orErrorPage } from '../lib/failure.ts';
import { findLoginUrl } from '../lib/sso.ts';
import { visitContext } from '../lib/visit.ts';
import { Header } from '../ui/header.tsx';

export async function loader({ context, params }: LoaderFunctionArgs) {
  const visit = context.get(visitContext);
  const { board } = await orErrorPage(visit.openBoard(params.pid));
  const { pid, name, description, locale, brand_color, logo_url: logo, favicon_url: icon } = board;
  return {
    board: {
      ...{ pid, name, description, locale: parseLocale(locale), brand: brandOf(brand_color), logo, icon },
      hasRoadmap: board.is_roadmap_enabled === 1,
      signInPath: (await findLoginUrl(visit, board)) ? `/b/${pid}/sso` : '/sign-in',
    },
    visitor: await describeVisitor(visit, board.id),
  };
}

/** The board's colors as the custom properties that `tokens.css` looks for. */
function brandOf(color: string | null): Record<string, string> | null {
  if (!color) return null;
  const { light, dark } = makeBrand(color);
  return {
    '--accent-light': light.accent,
    '--accent-soft-light': light.soft,
    '--accent-dark': dark.accent,
    '--accent-soft-dark': dark.soft,
  };
}

/** The signed-in viewer of the board; null for an anonymous one. */
async function describeVisitor({ access, people }: Visit, boardId: string) {
  const account = (await access.current())?.account;
  const user = await people.on({ id: boardId });
  if (!account && !user) return null;
  const can = (action: Action) => user !== null && may(user, action);
  const name = account?.name ?? user?.name ?? '';
  return { name, hasAccount: account !== undefined, isManager: can('board.edit'), isModerator: can('post.moderate') };
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
