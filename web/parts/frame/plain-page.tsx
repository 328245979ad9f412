import type { ReactNode } from 'react';
import { Link, useRouteLoaderData } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { useFrame, useLocale } from '../requests/locale.ts';
import type { viewRoot } from '../requests/root-view.ts';
import { Icon } from '../show/icon.tsx';
import { Mark, SiteFrame } from './header.tsx';

/** A page with one task, with the header of its board and a link back; without a board, with that of the product. */
export function PlainPage({ title, children }: { title: string; children: ReactNode }) {
  const frame = useFrame();
  const isOfBoard = useRouteLoaderData('board') !== undefined;
  const isFramed = useRouteLoaderData<typeof viewRoot>('root')?.frameOrigins != null;
  const l = useLocale();
  const page = (
    <main id="main" className="page-narrow">
      <title>{frame ? `${title} · ${frame.board.name}` : title}</title>
      {frame && (
        <p>
          <Link className="back" to={`/b/${frame.board.pid}`}>
            <Icon name="arrow-left" flips />
            {m.backToIdeas(l)}
          </Link>
        </p>
      )}
      <div className="card stack">
        <h1 dir="auto">{title}</h1>
        {children}
      </div>
    </main>
  );
  if (isOfBoard || (isFramed && !frame)) return page;
  if (!frame) {
    return (
      <>
        <header className="site-header">
          <div className="site-header-inner">
            <Link className="site-name" to="/">
              <Mark /> Earshot
            </Link>
          </div>
        </header>
        {page}
      </>
    );
  }
  return (
    <SiteFrame {...frame} isSigningIn>
      {page}
    </SiteFrame>
  );
}
