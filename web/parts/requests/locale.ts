import { createContext, use } from 'react';
import type { Locale } from '../../i18n/languages.ts';
import type { Frame } from './frame.ts';

/** The language of the page. */
export const LocaleContext = createContext<Locale>('en');

/** The frame around it; `Layout` finds it for all, because that reads all matches, and a list asks for it a hundred times. */
export const FrameContext = createContext<Frame | null>(null);

/** What every page knows of its board. */
export type BoardView = Frame['board'];

/** What they know of the viewer. */
export type VisitorView = Frame['visitor'];

/** The language of the page's texts. */
export function useLocale(): Locale {
  return use(LocaleContext);
}

/** The frame around the page. */
export function useFrame(): Frame | null {
  return use(FrameContext);
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

/** The time zone to show days and hours in. */
export function useTimeZone(): string {
  return useFrame()?.timeZone ?? 'UTC';
}
