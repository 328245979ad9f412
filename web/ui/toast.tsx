import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import * as m from '../i18n/messages.ts';
import { useLocaleOfPage } from '../lib/locale.ts';
import { Icon } from './icon.tsx';
import { Undo } from './undo.tsx';

/** How long a toast stays, unless the pointer or the focus is on it. */
const SHOWN_MS = 6_000;
/** Likewise one of what can be undone. */
const UNDO_MS = 10_000;

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
  undone: m.doneUndone,
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
  const done = params.get('done') as Done | null;
  const operation = params.get('operation');
  const [closedKey, setClosedKey] = useState<string | null>(null);
  const [isHeld, setIsHeld] = useState(false);
  const message = done && Object.hasOwn(words, done) ? words[done](l) : null;
  useEffect(() => {
    const rest = new URLSearchParams(search);
    if (!SAID_ONCE.some((name) => rest.has(name))) return;
    for (const name of SAID_ONCE) rest.delete(name);
    const { pathname, hash } = window.location;
    // The router keeps its own address, so that what is on the page stays.
    window.history.replaceState(window.history.state, '', `${pathname}${rest.size > 0 ? `?${rest}` : ''}${hash}`);
  }, [search]);
  useEffect(() => {
    if (!message || isHeld) return;
    const timer = setTimeout(() => setClosedKey(key), operation ? UNDO_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [message, key, isHeld, operation]);
  const [hold, release] = [() => setIsHeld(true), () => setIsHeld(false)];
  const isShown = message && closedKey !== key;
  return (
    <div role="status" onPointerEnter={hold} onPointerLeave={release} onFocus={hold} onBlur={release}>
      {isShown && (
        <div className="toast">
          <Icon name="check" />
          {message}
          {operation?.length === 36 && <Undo operation={operation} />}
        </div>
      )}
    </div>
  );
}
