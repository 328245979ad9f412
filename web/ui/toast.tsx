import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import * as m from '../i18n/messages.ts';
import { useLocaleOfPage } from '../lib/locale.ts';
import { Icon } from './icon.tsx';

/** How long a toast stays, unless the pointer is on it. */
const SHOWN_MS = 6_000;

/** What a page may report as done; the URL names it, so that it works without scripts. */
const words = {
  saved: m.doneSaved,
  invited: m.doneInvited,
  removed: m.doneRemoved,
  revoked: m.doneRevoked,
  signedOut: m.doneSignedOut,
  setup: m.doneSetup,
  enabled: m.doneEnabled,
  disabled: m.doneDisabled,
  deleted: m.doneDeleted,
  replayed: m.doneReplayed,
  sent: m.doneSent,
  mailed: m.doneMailed,
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
const SAID_ONCE = ['done', 'deleted', 'notice'];

/** Announces what has just been done, politely and for a while. */
export function Toast() {
  const l = useLocaleOfPage();
  const { search, key } = useLocation();
  const done = new URLSearchParams(search).get('done') as Done | null;
  const [closedKey, setClosedKey] = useState<string | null>(null);
  const [isHeld, setIsHeld] = useState(false);
  const message = done && Object.hasOwn(words, done) ? words[done](l) : null;
  useEffect(() => {
    const params = new URLSearchParams(search);
    if (!SAID_ONCE.some((name) => params.has(name))) return;
    for (const name of SAID_ONCE) params.delete(name);
    const { pathname, hash } = window.location;
    // The router keeps its own address, so that what is on the page stays.
    window.history.replaceState(window.history.state, '', `${pathname}${params.size > 0 ? `?${params}` : ''}${hash}`);
  }, [search]);
  useEffect(() => {
    if (!message || isHeld) return;
    const timer = setTimeout(() => setClosedKey(key), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [message, key, isHeld]);
  const isShown = message && closedKey !== key;
  return (
    <div role="status">
      {isShown && (
        <div className="toast" onPointerEnter={() => setIsHeld(true)} onPointerLeave={() => setIsHeld(false)}>
          <Icon name="check" />
          {message}
        </div>
      )}
    </div>
  );
}
