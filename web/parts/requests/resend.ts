import { useCallback, useEffect, useRef, useState } from 'react';
import { awaitAnswer } from '../../lib/load-part.ts';
import type { FormAnswer } from './forms.ts';

/** Pauses before a form is sent again by itself, in milliseconds; after the last it is up to the visitor. */
const PAUSES_MS = [500, 2_000, 5_000, 10_000, 20_000, 40_000];

/**
 * Sends a form again once the server answers, where sending it twice does it once: votes, and forms with a `formId`. The
 * server's answer to the form itself counts, so that one that fails again and again is not sent for ever.
 * @returns whether it waits to be sent, and a function to give that up, as when something else is typed
 */
export function useResend(answer: FormAnswer | undefined, send: () => void): [boolean, () => void] {
  const [given, giveUp] = useState<FormAnswer>();
  const tries = useRef(0);
  const latest = useRef(send);
  latest.current = send;
  const waits = answer?.isUnanswered === true && given !== answer && tries.current < PAUSES_MS.length;
  useEffect(() => {
    if (!answer?.isUnanswered) tries.current = 0;
    if (!waits) return;
    const waiting = new AbortController();
    const { signal } = waiting;
    // Not all pages that waited for one server at the same moment.
    const pause = (PAUSES_MS[tries.current] ?? 0) * (0.5 + Math.random());
    const timer = setTimeout(async () => {
      await awaitAnswer(undefined, { cache: 'no-store', signal });
      if (signal.aborted) return;
      tries.current++;
      latest.current();
    }, pause);
    return () => {
      clearTimeout(timer);
      waiting.abort();
    };
  }, [answer, waits]);
  return [waits, useCallback(() => giveUp(answer), [answer])];
}
