import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { awaitAnswer } from '../../lib/load-part.ts';
import { outbox } from '../../lib/outbox.ts';
import type { Outgoing } from '../../lib/outbox-list.ts';
import { usePrefix } from '../../lib/prefix.ts';
import type { FormAnswer } from './forms.ts';
import { useFrame } from './locale.ts';

/** Pauses before a form is sent again by itself, in milliseconds; after the last it is up to the visitor. */
const PAUSES_MS = [500, 2_000, 5_000, 10_000, 20_000, 40_000];

/**
 * Sends a form again once the server answers, where sending it twice does it once: votes, and forms with a `formId`. The
 * server's answer to the form itself counts, so that one that fails again and again is not sent for ever. When the form is
 * gone before that, the outbox has it (`web/lib/outbox.ts`).
 * @param describe what it sends; null for what lasts only as long as the form
 * @param isHeldUp while the page is left for another one, which sending would prevent
 * @returns whether it waits to be sent, and a function to give that up, as when something else is typed, or it is done
 */
export function useResend(
  answer: FormAnswer | undefined,
  send: () => void,
  describe: () => Outgoing | null,
  { isHeldUp = false, ...kept }: Kept & { isHeldUp?: boolean } = {},
): [boolean, () => void] {
  const [given, giveUp] = useState<FormAnswer>();
  const tries = useRef(0);
  const latest = useRef({ send, describe });
  latest.current = { send, describe };
  const waits = answer?.isUnanswered === true && given !== answer && tries.current < PAUSES_MS.length;
  useEffect(() => {
    if (!answer?.isUnanswered) tries.current = 0;
    if (!waits || isHeldUp) return;
    const waiting = new AbortController();
    const { signal } = waiting;
    // Not all pages that waited for one server at the same moment.
    const pause = (PAUSES_MS[tries.current] ?? 0) * (0.5 + Math.random());
    const timer = setTimeout(async () => {
      await awaitAnswer(undefined, { cache: 'no-store', signal });
      if (signal.aborted) return;
      tries.current++;
      latest.current.send();
    }, pause);
    return () => {
      clearTimeout(timer);
      waiting.abort();
    };
  }, [answer, waits, isHeldUp]);
  const isUndone = answer?.isUnanswered === true && given !== answer;
  const key = useOutbox(isUndone ? answer : undefined, () => latest.current.describe(), kept);
  const end = () => {
    outbox.box?.drop(key.current);
    giveUp(answer);
  };
  return [waits, useCallback(end, [answer, key])];
}

type Kept = {
  /** By which the outbox knows it, if there is one at a time. */
  ownKey?: string;
  /** Is told that the outbox has it. */
  onHeld?: () => void;
};

/** Has the outbox keep what waits, and leaves it there when the form is gone. @returns by which key */
function useOutbox(answer: FormAnswer | undefined, describe: () => Outgoing | null, { ownKey, onHeld }: Kept) {
  const frame = useFrame();
  const board = `${usePrefix()}/b/${frame?.board.pid}`;
  const visitor = frame?.visitor?.id ?? null;
  const isKept = frame !== null && !frame.isEmbedded;
  const key = useRef('');
  const isThere = useRef(false);
  const latest = useRef({ describe, onHeld });
  latest.current = { describe, onHeld };
  useLayoutEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);
  useEffect(() => {
    const outgoing = answer && isKept ? latest.current.describe() : null;
    const { box } = outbox;
    if (!outgoing || !box) return;
    const now = ownKey ?? (key.current || `${Date.now()} ${Math.random()}`);
    key.current = now;
    const isHeld = box.hold({ ...outgoing, key: now, sender: { board, visitor }, date: Date.now() });
    if (isHeld) latest.current.onHeld?.();
    return () => (isThere.current ? box.drop(now) : box.release(now));
  }, [answer, isKept, board, visitor, ownKey]);
  return key;
}
