import { useEffect, useRef, useState } from 'react';
import { useFetchers, useLocation, useNavigation, useRouteLoaderData } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { WAITING } from '../../lib/load-part.ts';
import { useFrame, useLocale } from '../requests/locale.ts';
import { NOT_SAVED } from '../requests/not-saved.ts';
import type { viewRoot } from '../requests/root-view.ts';
import { Icon } from '../show/icon.tsx';
import { useKept } from './kept.ts';
import { Undo } from './undo.tsx';

/** How long a toast stays, and as long again while the pointer or the focus is on it. */
const SHOWN_MS = 10_000;

/** What an address says of something that has just been done. Links that are copied, and pages that are reloaded, do not. */
const SAID_ONCE = ['changed', 'done', 'deleted', 'notice', 'operation'];

/** Announces what has just been done, politely and for a while. */
export function Toast() {
  const toast = useRouteLoaderData<typeof viewRoot>('root')?.toast;
  const { search, key } = useLocation();
  const [closedKey, setClosedKey] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const params = new URLSearchParams(search);
    if (!SAID_ONCE.some((name) => params.has(name))) return;
    for (const name of SAID_ONCE) params.delete(name);
    const { pathname, hash } = window.location;
    // The router keeps its own address, so that what is on the page stays.
    window.history.replaceState(window.history.state, '', `${pathname}${params.size > 0 ? `?${params}` : ''}${hash}`);
  }, [search]);
  useEffect(() => {
    if (!toast) return;
    const close = () => box.current?.matches(':hover, :focus-within') || setClosedKey(key);
    const timer = setInterval(close, SHOWN_MS);
    return () => clearInterval(timer);
  }, [toast, key]);
  const l = useLocale();
  const isWaiting = useWaiting();
  const unsaid = useUnsaid();
  const kept = useKept(useFrame()?.isEmbedded ?? false);
  const time = kept?.toLocaleString(l, { dateStyle: 'medium', timeStyle: 'short' });
  const silence = time ? m.keptPage(l, { time }) : m.serverSilent(l);
  const trouble = isWaiting || time ? silence : unsaid;
  return (
    <div role="status">
      {trouble && (
        <div className="toast">
          <Icon name="x" />
          <span>{trouble}</span>
        </div>
      )}
      {toast && closedKey !== key && (
        <div className={toast.isQuiet ? 'visually-hidden' : 'toast'} ref={box}>
          <Icon name="check" />
          <span>{toast.message}</span>
          {(toast.operation || toast.comment) && <Undo {...toast} />}
        </div>
      )}
    </div>
  );
}

/** That a form was not answered, where nothing on the page says so; until another is sent, or another page is opened. */
function useUnsaid(): string | null {
  const l = useLocale();
  const words = m.notSaved(l);
  const soon = m.notSavedYet(l);
  const { pathname } = useLocation();
  const [isUnanswered, setIsUnanswered] = useState(false);
  const [unsaidAt, setUnsaidAt] = useState<string | null>(null);
  // What a form says of itself is on the page once nothing is sent any more.
  const isStill = [useNavigation().state, ...useFetchers().map(({ state }) => state)].every(
    (state) => state === 'idle',
  );
  useEffect(() => {
    if (!isUnanswered || !isStill) return;
    const said = [...document.querySelectorAll('[role=alert]')].map(({ textContent }) => textContent);
    setUnsaidAt(said.includes(words) || said.includes(soon) ? null : pathname);
    setIsUnanswered(false);
  }, [isUnanswered, isStill, words, soon, pathname]);
  useEffect(() => {
    const tell = () => setIsUnanswered(true);
    const clear = () => {
      setIsUnanswered(false);
      setUnsaidAt(null);
    };
    window.addEventListener(NOT_SAVED, tell);
    window.addEventListener('submit', clear, true);
    return () => {
      window.removeEventListener(NOT_SAVED, tell);
      window.removeEventListener('submit', clear, true);
    };
  }, []);
  return unsaidAt === pathname ? words : null;
}

/** Whether parts of the page are awaited that the server does not send. */
function useWaiting(): boolean {
  const [isWaiting, setIsWaiting] = useState(false);
  useEffect(() => {
    const tell = (event: Event) => setIsWaiting((event as CustomEvent<boolean>).detail);
    window.addEventListener(WAITING, tell);
    return () => window.removeEventListener(WAITING, tell);
  }, []);
  return isWaiting;
}
