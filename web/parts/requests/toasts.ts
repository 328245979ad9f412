import type { Visit } from '#src/pages/visit.ts';
import { serverCookie } from '#src/platform/http/cookie.ts';
import { parseLocale } from '../../i18n/format.ts';
import * as m from '../../i18n/messages.ts';
import { readCookie } from '../../lib/cookies.ts';
import { pidOf } from '../../lib/next.ts';

/** What a page may report as done; the URL names it. */
const words = {
  saved: m.doneSaved,
  undoneQuietly: m.doneUndoneQuietly,
  undoneWithMail: m.doneUndoneWithMail,
  voted: m.doneVoted,
  posted: m.donePosted,
  held: m.doneHeld,
  commented: m.doneCommented,
  commentElsewhere: m.doneCommented,
  commentInternal: m.doneNoted,
  commentHeld: m.doneCommentHeld,
  gone: m.doneGone,
  followed: m.doneFollowed,
  unfollowed: m.doneUnfollowed,
  merged: m.doneMerged,
  ideaDeleted: m.ideaDeleted,
  triaged: m.doneTriaged,
  snoozed: m.doneSnoozed,
  accountDeleted: m.doneAccountDeleted,
  erased: m.doneErased,
  published: m.donePublished,
  scheduled: m.doneScheduled,
  unpublished: m.doneUnpublished,
  mailsStopped: m.doneMailsStopped,
  mailsTooLate: m.doneMailsTooLate,
  issueMade: m.doneIssueMade,
  entryDrafted: m.doneEntryDrafted,
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
  viewSaved: m.doneViewSaved,
  viewDeleted: m.doneViewDeleted,
} as const;

/** What the page itself shows. It is only announced, for those who do not see that. */
const quiet: ReadonlySet<string> = new Set(['posted', 'commented', 'followed', 'unfollowed'] satisfies Done[]);

/** What an action can report with `?done=…`. */
export type Done = keyof typeof words;

/** What a form of this browser has just done. Anyone can write an address, so what one reports counts only with this. */
const COOKIE = 'earshot.done';
/** For slow connections. */
const COOKIE_S = 60;

/** Where to go on after a form, by a path that says what was done. The page there reports it in this browser, and in no other. */
export function reportDone({ baseUrl, setCookie }: Visit, path: string): string {
  const [, query] = path.split(/[?#]/);
  const value = reportedBy(new URLSearchParams(query));
  setCookie(serverCookie(baseUrl, COOKIE, value, COOKIE_S));
  return path;
}

/** Whether what an address reports was done by a form of this browser just now. */
export function wasJustDone(request: Request, searchParams: URLSearchParams): boolean {
  return readCookie(request, COOKIE) === reportedBy(searchParams);
}

function reportedBy(searchParams: URLSearchParams): string {
  const reported = ['done', 'operation', 'deleted'].map((name) => searchParams.get(name) ?? '');
  return encodeURIComponent(reported.join('.'));
}

/**
 * What has just been done, in the language of the page, and what undoes it: the operation of the team, or the deleted
 * comment of the visitor.
 */
export type ToastView = { message: string; isQuiet: boolean; operation: string | null; comment: string | null };

/** The toast of an address; null if nothing was done. The server writes it, so browsers load none of the others. */
export async function viewToast(request: Request, url: URL, visit: Visit): Promise<ToastView | null> {
  const { pathname, searchParams } = url;
  const done = searchParams.get('done');
  if (done === null || !Object.hasOwn(words, done) || !wasJustDone(request, searchParams)) return null;
  const pid = pidOf(pathname);
  // The language is known once the board is; a board that cannot be opened has a page of its own.
  if (pid !== null) await visit.openBoard(pid).catch(() => null);
  const message = words[done as Done](parseLocale(visit.language()));
  const operation = searchParams.get('operation');
  const comment = done === 'gone' ? searchParams.get('deleted') : null;
  return { message, isQuiet: quiet.has(done) && operation === null && comment === null, operation, comment };
}
