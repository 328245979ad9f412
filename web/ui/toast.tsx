import { useEffect, useRef, useState } from 'react';
import { useLocation, useMatches } from 'react-router';
import type { Locale } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';
import { useLocaleOfPage } from '../lib/locale.ts';
import { Icon } from './icon.tsx';
import { Undo } from './undo.tsx';

/** How long a toast stays, and as long again while the pointer or the focus is on it. */
const SHOWN_MS = 10_000;

/** The words of toasts by what has been done. A route with more of them than these has them in its `handle`. */
export type Toasts = Readonly<Record<string, (l: Locale) => string>>;

/** What a page may report as done; the URL names it, so that it works without scripts. */
const words = {
  saved: m.doneSaved,
  voted: m.doneVoted,
  posted: m.donePosted,
  held: m.doneHeld,
  commented: m.doneCommented,
  commentHeld: m.doneCommentHeld,
  gone: m.doneGone,
  followed: m.doneFollowed,
  unfollowed: m.doneUnfollowed,
  merged: m.doneMerged,
  accountDeleted: m.doneAccountDeleted,
  published: m.donePublished,
  scheduled: m.doneScheduled,
  unpublished: m.doneUnpublished,
  mailsStopped: m.doneMailsStopped,
  mailsTooLate: m.doneMailsTooLate,
} as const;

/** What an action can report with `?done=…`. */
export type Done = keyof typeof words;

/** What an address says of something that has just been done. Links that are copied, and pages that are reloaded, do not. */
const SAID_ONCE = ['done', 'deleted', 'notice', 'operation'];

/** Announces what has just been done, politely and for a while. */
export function Toast() {
  const l = useLocaleOfPage();
  const { search, key } = useLocation();
  const params = new URLSearchParams(search);
  const done = params.get('done');
  const operation = params.get('operation');
  const [closedKey, setClosedKey] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const more = useMatches().map(({ handle }) => handle as Toasts | undefined);
  const known: Toasts = Object.assign({}, words, ...more);
  const message = done && Object.hasOwn(known, done) ? known[done]?.(l) : null;
  useEffect(() => {
    const rest = new URLSearchParams(search);
    if (!SAID_ONCE.some((name) => rest.has(name))) return;
    for (const name of SAID_ONCE) rest.delete(name);
    const { pathname, hash } = window.location;
    // The router keeps its own address, so that what is on the page stays.
    window.history.replaceState(window.history.state, '', `${pathname}${rest.size > 0 ? `?${rest}` : ''}${hash}`);
  }, [search]);
  useEffect(() => {
    if (!message) return;
    const close = () => box.current?.matches(':hover, :focus-within') || setClosedKey(key);
    const timer = setInterval(close, SHOWN_MS);
    return () => clearInterval(timer);
  }, [message, key]);
  const isShown = message && closedKey !== key;
  return (
    <div role="status">
      {isShown && (
        <div className="toast" ref={box}>
          <Icon name="check" />
          {message}
          {operation && <Undo operation={operation} />}
        </div>
      )}
    </div>
  );
}
