import type { Letter, LetterPart } from '../../platform/mail/letter.ts';
import { type LocalizedMessage, msg } from '../../platform/messages.ts';
import { makeExcerpt } from '../../platform/texts/text.ts';
import { LINK_MINUTES, type SignInMail, type SignInReason } from './rules.ts';
import type { AccountRow } from './tables.ts';

/** What a mail is for: those of each kind to one address are limited together. */
export type AccountMailKind = 'sign-in' | 'reset' | 'address' | 'passkey';

/**
 * Sends a mail to the owner of an account, or to an address without one (null), some time after it has resolved. Does
 * nothing if too many of its kind were sent to the address: the response must not depend on that.
 */
export type SendMail = (mail: Letter, accountId: string | null, kind: AccountMailKind) => Promise<void>;

/**
 * The mail by which the owner of an address signs in, or creates an account if there is none yet (null). Its link leads
 * only to the server's own URL: a board's host is what an admin typed, and the host of a request what a client sent,
 * and the owner of that host would get the link.
 */
export function signInMail(
  { email, token, code, next, reason }: SignInMail,
  account: AccountRow | null,
  baseUrl: string,
): Letter {
  const path = account ? 'sign-in/link' : 'sign-up';
  const purpose = purposeOf(reason?.begun ?? null);
  const parts: LetterPart[] = [
    { kind: 'text', text: purpose },
    { kind: 'code', label: msg('accountCode'), code },
    { kind: 'text', text: msg('accountOrLink') },
    {
      kind: 'button',
      label: account ? msg('accountSignIn') : msg('accountContinue'),
      url: linkTo(`${baseUrl}/${path}/${token}`, next),
    },
    ...(account?.is_second_factor_on ? [SECOND_FACTOR] : []),
    ...(account && !account.is_email_verified ? [UNPROVEN] : []),
    { kind: 'small', text: msg('accountCodeExpires', LINK_MINUTES) },
    IGNORE,
  ];
  return {
    recipient: email,
    subject: msg('accountSignInCode'),
    // The code works only in the browser that asked for it, so that phones may show it on a locked screen.
    secretSubject: (sender) => msg('accountCodeFor', code, LINK.test(sender) ? new URL(baseUrl).host : sender),
    preview: purpose,
    parts,
    boardId: reason?.boardId,
    language: reason?.language,
  };
}

/**
 * What mail programs may make a link of, with the dots of all scripts (RFC 3490, 3.1) and telephone numbers: anyone can have
 * a mail sent to anyone.
 */
const LINK = /:\/\/|mailto:|[^\s.。．｡][.。．｡][^\s.。．｡]|\d[\d\s().-]{6,}\d/iu;

/** What a code is for, in a sentence. */
function purposeOf(begun: SignInReason['begun']): LocalizedMessage {
  if (begun?.kind === 'post') return msg('accountCodeToPost');
  if (!begun?.title || LINK.test(begun.title)) return msg('accountCodeToSignIn');
  const title = makeExcerpt(begun.title, MAX_TITLE);
  return begun.kind === 'vote' ? msg('accountCodeToVote', title) : msg('accountCodeToComment', title);
}

/** Characters of a title in a mail. */
const MAX_TITLE = 100;

/** The URL of a page that continues at the path `next`. */
export function linkTo(page: string, next: string | null): string {
  return next === null ? page : `${page}?next=${encodeURIComponent(next)}`;
}

/** The mail with a link to choose a new password. */
export function resetMail({ email, name }: { email: string; name: string }, url: string): Letter {
  return {
    recipient: email,
    subject: msg('accountChooseNewPassword'),
    parts: [
      { kind: 'text', text: msg('mailHelloName', name) },
      { kind: 'button', label: msg('accountChooseNewPassword'), url },
      ONCE,
      IGNORE,
    ],
  };
}

/** The mail that tells the owner of an account that someone has added a passkey. @param domain at which it signs in */
export function passkeyMail({ email, name }: AccountRow, domain: string): Letter {
  const texts = [msg('mailHelloName', name), msg('accountPasskeyAdded', domain), msg('accountPasskeyNotYou')];
  return {
    recipient: email,
    subject: msg('accountPasskeySubject'),
    parts: texts.map((text) => ({ kind: 'text', text })),
  };
}

/** The end of every mail with a link. */
export const ONCE: LetterPart = {
  kind: 'small',
  text: msg('accountLinkExpires', LINK_MINUTES),
};
export const IGNORE: LetterPart = {
  kind: 'small',
  text: msg('accountNotRequested'),
};

const SECOND_FACTOR: LetterPart = {
  kind: 'text',
  text: msg('accountTwoFactorStays'),
};

const UNPROVEN: LetterPart = {
  kind: 'text',
  text: msg('accountUnconfirmed'),
};
