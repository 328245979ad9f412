import { createContext, use } from 'react';
import { useRouteLoaderData } from 'react-router';
import type { Locale } from '../i18n/languages.ts';
import type { loader as rootLoader } from '../root.tsx';
import type { loader as boardLoader } from '../routes/board.tsx';

/** The language of the page. */
export const LocaleContext = createContext<Locale>('en');

/** What every page of a board knows of it. */
export type BoardView = Awaited<ReturnType<typeof boardLoader>>['board'];

/** What they know of who looks at them. */
export type VisitorView = Awaited<ReturnType<typeof boardLoader>>['visitor'];

/** The language to write in. */
export function useLocale(): Locale {
  return use(LocaleContext);
}

/** The board that the page belongs to; null on pages of no board. */
export function useBoard(): BoardView | null {
  return useRouteLoaderData<typeof boardLoader>('board')?.board ?? null;
}

/** A board's pages are in the board's language, the others in the visitor's. */
export function useLocaleOfPage(): Locale {
  const root = useRouteLoaderData<typeof rootLoader>('root');
  return useBoard()?.locale ?? root?.locale ?? 'en';
}
