import { Form, Link, useLocation, useRouteLoaderData } from 'react-router';
import * as m from '../i18n/messages.ts';
import { type BoardView, useLocale } from '../lib/locale.ts';
import type { loader as rootLoader } from '../root.tsx';

/** The head of a board's pages: where one is, and the theme. */
export function Header({ board }: { board: BoardView }) {
  const l = useLocale();
  return (
    <header className="site-header">
      <div className="site-header-inner">
        <Link className="site-name" to={`/b/${board.pid}`}>
          {board.name}
        </Link>
        <div className="site-actions">
          <details className="menu">
            <summary className="button" data-kind="quiet">
              {m.theme(l)}
            </summary>
            <ThemeChoice />
          </details>
        </div>
      </div>
    </header>
  );
}

/** A plain form, so that it works without scripts; the page comes back in the new theme. */
function ThemeChoice() {
  const l = useLocale();
  const root = useRouteLoaderData<typeof rootLoader>('root');
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
