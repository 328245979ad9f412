import '../styles/board.css';
import type { ReactNode } from 'react';
import { Link, useRouteLoaderData } from 'react-router';
import * as m from '../i18n/messages.ts';
import { useFrame, useLocaleOfPage } from '../lib/locale.ts';
import { Header } from './header.tsx';

/** A page with one task, with the header of its board and a link back. */
export function PlainPage({ title, children }: { title: string; children: ReactNode }) {
  const frame = useFrame();
  const isOfBoard = useRouteLoaderData('board') !== undefined;
  const l = useLocaleOfPage();
  return (
    <>
      {frame && !isOfBoard && <Header {...frame} isSigningIn />}
      <main id="main" className="page-narrow">
        <title>{frame ? `${title} · ${frame.board.name}` : title}</title>
        {frame && (
          <p>
            <Link to={`/b/${frame.board.pid}`}>{m.backToIdeas(l)}</Link>
          </p>
        )}
        <div className="card stack">
          <h1 dir="auto">{title}</h1>
          {children}
        </div>
      </main>
    </>
  );
}
