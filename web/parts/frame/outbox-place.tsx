import { lazy, Suspense, useEffect, useState } from 'react';
import { usePrefix } from '../../lib/prefix.ts';

const Outbox = lazy(async () => ({ default: (await import('./outbox.tsx')).Outbox }));

/** The page and its files come first; once a server is silent, nothing more can be loaded. */
const IDLE_MS = 2_000;

/** The place of the outbox. */
export function OutboxPlace({ pid, visitor }: { pid: string; visitor: string | null }) {
  const board = `${usePrefix()}/b/${pid}`;
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsIdle(true), IDLE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isIdle ? (
    <Suspense>
      <Outbox key={`${board} ${visitor}`} board={board} visitor={visitor} />
    </Suspense>
  ) : null;
}
