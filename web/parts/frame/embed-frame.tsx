import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { withNext } from '../../lib/next.ts';
import { usePrefix } from '../../lib/prefix.ts';
import type { Frame } from '../requests/frame.ts';
import { useLocale } from '../requests/locale.ts';
import styles from './embed-frame.css?url';

/** The frame of a board's pages in the widget: which of them there are, and the way to the whole board. */
export function EmbedFrame({ board, visitor, children }: Pick<Frame, 'board' | 'visitor'> & { children: ReactNode }) {
  const prefix = usePrefix();
  const l = useLocale();
  const { pathname, search } = useLocation();
  const home = `/b/${board.pid}`;
  return (
    <>
      <link rel="stylesheet" href={prefix + styles} precedence="embed" />
      <header className="embed-head">
        {board.hasChangelog ? (
          <nav className="segments" aria-label={m.boardPages(l)}>
            <Link to={home} aria-current={currentOf(pathname, home, `${home}/posts/`)}>
              {m.ideas(l)}
            </Link>
            <Link
              to={`${home}/changelog`}
              aria-current={currentOf(pathname, `${home}/changelog`, `${home}/changelog/`)}
            >
              {m.changelog(l)}
            </Link>
          </nav>
        ) : (
          <Link to={home}>
            <bdi>{board.name}</bdi>
          </Link>
        )}
      </header>
      {children}
      <footer className="embed-foot">
        <a href={prefix + home} target="_blank" rel="noopener">
          {m.wholeBoard(l)}
        </a>
        {visitor ? (
          <bdi>{visitor.name}</bdi>
        ) : (
          pathname.startsWith('/b/') && <Link to={withNext(board.signInPath, pathname + search)}>{m.signIn(l)}</Link>
        )}
      </footer>
    </>
  );
}

/** Whether a link of the head leads to this page, or to the list that it is from. */
function currentOf(pathname: string, page: string, below: string): 'page' | 'true' | undefined {
  if (pathname === page) return 'page';
  return pathname.startsWith(below) ? 'true' : undefined;
}
