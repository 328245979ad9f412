import '../styles/board.css';
import type { ReactNode } from 'react';

/** A page with one task and nothing around it. */
export function PlainPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main id="main" className="page-narrow">
      <title>{title}</title>
      <div className="card stack">
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
