import { useEffect, useState } from 'react';
import { useRevalidator } from 'react-router';
import { awaitAnswer } from '../../lib/load-part.ts';
import { browserPrefix } from '../../lib/prefix.ts';

/** The page and its files come first. */
const IDLE_MS = 2_000;

/**
 * Has the browser keep the pages that are read (`web/public/worker.js`), and loads the current state of one that was kept as
 * soon as the server answers.
 * @returns when the page that is shown was current, if it is a kept one
 */
export function useKept(isEmbedded: boolean): Date | null {
  const [since, setSince] = useState<string | null>(null);
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const workers = workersOfBrowser();
    if (!workers || isEmbedded) return;
    setSince(document.documentElement.dataset.kept ?? null);
    // The site around a board below a path may have a worker of its own.
    const hear = ({ data }: MessageEvent<{ kept?: string } | null>) => data?.kept && setSince(data.kept);
    workers.addEventListener('message', hear);
    workers.startMessages();
    // Browsers refuse it where they keep nothing.
    const register = () => workers.register(`${browserPrefix()}/worker.js`).catch(() => {});
    const timer = import.meta.env.PROD ? setTimeout(register, IDLE_MS) : undefined;
    return () => {
      workers.removeEventListener('message', hear);
      clearTimeout(timer);
    };
  }, [isEmbedded]);
  useEffect(() => {
    if (since === null) return;
    const waiting = new AbortController();
    // The page itself is asked for: its files may be answered by a cache, or while the server has no database.
    const asked = { method: 'HEAD', cache: 'no-store', signal: waiting.signal } as const;
    awaitAnswer(window.location.href, asked).then(() => {
      if (waiting.signal.aborted) return;
      delete document.documentElement.dataset.kept;
      setSince(null);
      revalidate();
    });
    return () => waiting.abort();
  }, [since, revalidate]);
  return since === null ? null : new Date(since);
}

/** None without TLS, and in some private windows. */
function workersOfBrowser(): ServiceWorkerContainer | undefined {
  try {
    return navigator.serviceWorker;
  } catch {
    return undefined;
  }
}
