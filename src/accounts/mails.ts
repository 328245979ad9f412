import { LINK_MINUTES, type OneTimeLink } from './rules.ts';
import type { AccountRow } from './tables.ts';

export type Mail = { recipient: string; subject: string; body: string };

/** Sends a mail to the person of an account, or to a stranger (null), some time after it resolved. */
export type SendMail = (mail: Mail, accountId: string | null) => Promise<void>;

/**
 * The mail that carries a one-time link. It leads to the server's own address and to no other: a board's host is what
 * somebody typed, and the host of a request what somebody sent; whoever has that host would have the link.
 */
export function linkMail({ kind, token, next }: OneTimeLink, account: AccountRow, baseUrl: string): Mail {
  const lines =
    kind === 'reset'
      ? ['choose a new password with this link:', '', `${baseUrl}/reset-password/${token}`]
      : account.is_second_factor_on
        ? [
            'your account has a second factor, so sign in with your password and a code:',
            '',
            `${baseUrl}/sign-in${queryOf(next)}`,
          ]
        : [
            'sign in with this link:',
            '',
            `${baseUrl}/sign-in/link/${token}${queryOf(next)}`,
            ...(account.is_email_verified ? [] : ['', ...unproven]),
          ];
  const subject = kind === 'reset' ? 'Choose a new password' : 'Your link to sign in';
  return { recipient: account.email, subject, body: [`Hello ${account.name},`, '', ...lines, '', ...end].join('\n') };
}

/** The mail to somebody who has no account yet: its link makes one, and leads where that of `linkMail` does. */
export function signUpMail({ email, next }: OneTimeLink, token: string, baseUrl: string): Mail {
  const lines = ['Hello,', '', 'make your account with this link:', '', `${baseUrl}/sign-up/${token}${queryOf(next)}`];
  return { recipient: email, subject: 'Your link to sign up', body: [...lines, '', ...end].join('\n') };
}

const unproven = [
  'Nobody has confirmed yet that this address is yours. The link does, and ends the password and the sessions that the',
  'account had before: choose a new password on the page to sign in with.',
];

const end = [
  `It works once, within ${LINK_MINUTES} minutes.`,
  'If you did not ask for it, somebody typed your address: nothing happens unless the link is used.',
];

function queryOf(next: string | null): string {
  return next ? `?next=${encodeURIComponent(next)}` : '';
}
