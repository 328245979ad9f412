import { createContext, use } from 'react';
import { useMatches, useRouteLoaderData } from 'react-router';
import type { Locale } from '../i18n/languages.ts';
import type { Frame } from './frame.ts';
import type { viewRoot } from './root-view.ts';

/** The language of the page. */
export const LocaleContext = createContext<Locale>('en');

/** What every page knows of its board. */
export type BoardView = Frame['board'];

/** What they know of the viewer. */
export type VisitorView = Frame['visitor'];

/** The language of the page's texts. */
export function useLocale(): Locale {
  return use(LocaleContext);
}

/** The frame around the page: that of its board, or the one that its loader gives as `frame`. */
export function useFrame(): Frame | null {
  const ofBoard = useRouteLoaderData<Frame>('board');
  const given = useMatches().map(({ loaderData }) => (loaderData as { frame?: Frame | null } | undefined)?.frame);
  return ofBoard ?? given.find(Boolean) ?? null;
}

/** Whether the page is a file that must work without the server, see `Visit`. */
export function useIsStatic(): boolean {
  return useFrame()?.isStatic ?? false;
}

/** Whether the widget shows the page on another site. */
export function useIsEmbedded(): boolean {
  return useFrame()?.isEmbedded ?? false;
}

/** The board that the page belongs to; null on pages of no board. */
export function useBoard(): BoardView | null {
  return useFrame()?.board ?? null;
}

/** A board's pages are in the language that the viewer has chosen, or the board's; the others in that of the browser. */
export function useLocaleOfPage(): Locale {
  const root = useRouteLoaderData<typeof viewRoot>('root');
  return useFrame()?.locale ?? root?.locale ?? 'en';
}

/** The time zone to show days and hours in. */
export function useTimeZone(): string {
  return useFrame()?.timeZone ?? 'UTC';
}
