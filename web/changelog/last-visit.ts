import { useEffect, useState } from 'react';
import { siteStorage } from '../lib/browser-storage.ts';

/**
 * When the newest entry was published that this browser had shown before, once the page runs there; null on a first
 * visit. The server does not learn it, so the page is the same for everyone.
 * @param newest when the newest entry of the page was published
 */
export function useLastSeen(pid: string, newest: number | null): number | null {
  const [seen, setSeen] = useState<number | null>(null);
  useEffect(() => {
    const name = `earshot.changelog.${pid}`;
    const before = Number(siteStorage.get(name) ?? 0);
    setSeen((known) => known ?? (before > 0 ? before : null));
    if (newest !== null && newest > before) siteStorage.set(name, `${newest}`);
  }, [pid, newest]);
  return seen;
}
