import type { ReactNode } from 'react';
import { Form, Link, NavLink, useLocation, useRouteLoaderData, useSearchParams } from 'react-router';
import * as m from '../i18n/messages.ts';
import { type BoardView, useLocale, type VisitorView } from '../lib/locale.ts';
import { withNext } from '../lib/next.ts';
import type { viewRoot } from '../lib/root-view.ts';

/** The header of a board's pages: the board, the user, and the theme. */
export function Header({
  board,
  visitor,
  isSigningIn = false,
}: {
  board: BoardView;
  visitor: VisitorView;
  /** Whether this is a sign-in page, which needs no link to itself. */
  isSigningIn?: boolean;
}) {
  const l = useLocale();
  const { pathname, search } = useLocation();
  const home = `/b/${board.pid}`;
  return (
    <header className="site-header">
      <div className="site-header-inner">
        <Link className="site-name" to={home} dir="auto">
          {board.logo && <img className="site-logo" src={board.logo} alt="" />}
          {board.name}
        </Link>
        <nav className="site-nav" aria-label={m.boardPages(l)}>
          <NavLink to={home} end>
            {m.ideas(l)}
          </NavLink>
          {board.hasRoadmap && <NavLink to={`${home}/roadmap`}>{m.roadmap(l)}</NavLink>}
          {visitor?.isPerson && (
            <NavLink to={`${home}/inbox`}>
              {m.inbox(l)}
              {visitor.hasNews && <span className="news" role="img" aria-label={m.inboxHasNews(l)} />}
            </NavLink>
          )}
          {visitor?.isModerator && <NavLink to={`${home}/moderation`}>{m.moderation(l)}</NavLink>}
        </nav>
        <div className="site-actions">
          <SearchBox home={home} />
          <Menu words={m.theme(l)}>
            <ThemeChoice />
          </Menu>
          {visitor ? (
            <Menu words={visitor.name}>
              <div className="menu-list">
                {(visitor.isManager || visitor.hasAccount) && (
                  <Link className="menu-item" to={`${home}/settings${visitor.isManager ? '' : '/account'}`}>
                    {m.settings(l)}
                  </Link>
                )}
                <Form method="post" action="/sign-out">
                  <button type="submit" className="menu-item">
                    {m.signOut(l)}
                  </button>
                </Form>
              </div>
            </Menu>
          ) : isSigningIn ? null : (
            <Link className="button" data-kind="quiet" to={withNext(board.signInPath, pathname + search)}>
              {m.signIn(l)}
            </Link>
          )}
        </div>
      </div>
    </header>
  );
}

/** Searches the ideas of the board; the result is the list, with its own URL. */
function SearchBox({ home }: { home: string }) {
  const l = useLocale();
  const [params] = useSearchParams();
  const words = params.get('q') ?? '';
  return (
    <search>
      <Form action={home} key={words}>
        <input
          type="search"
          name="q"
          className="input search-box"
          aria-label={m.searchIdeas(l)}
          placeholder={m.search(l)}
          defaultValue={words}
          maxLength={200}
        />
      </Form>
    </search>
  );
}

/** A menu that opens below its name. It closes with a second press, or when the page changes. */
function Menu({ words, children }: { words: string; children: ReactNode }) {
  const { key } = useLocation();
  return (
    <details className="menu" key={key} name="header-menu">
      <summary className="button" data-kind="quiet" dir="auto">
        <span className="clip">{words}</span>
      </summary>
      {children}
    </details>
  );
}

/** A plain form, so that it works without scripts; the page comes back in the new theme. */
function ThemeChoice() {
  const l = useLocale();
  const root = useRouteLoaderData<typeof viewRoot>('root');
  const { pathname, search } = useLocation();
  const current = root?.theme ?? 'system';
  const choices = { system: m.themeSystem(l), light: m.themeLight(l), dark: m.themeDark(l) };
  return (
    <Form method="post" action="/theme" className="menu-list">
      <input type="hidden" name="next" value={`${pathname}${search}`} />
      {Object.entries(choices).map(([theme, words]) => (
        <button
          type="submit"
          key={theme}
          className="menu-item"
          name="theme"
          value={theme}
          aria-pressed={theme === current}
        >
          {words}
        </button>
      ))}
    </Form>
  );
}
