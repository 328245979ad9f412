import { useEffect, useRef, useState } from 'react';
import { useLocation, useRouteLoaderData } from 'react-router';
import type { viewRoot } from '../lib/root-view.ts';
import { Icon } from './icon.tsx';
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
  return (
    <div role="status">
      {toast && closedKey !== key && (
        <div className="toast" ref={box}>
          <Icon name="check" />
          <span>{toast.message}</span>
          {toast.operation && <Undo operation={toast.operation} />}
        </div>
      )}
    </div>
  );
}
