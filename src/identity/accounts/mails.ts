import { LINK_MINUTES, type OneTimeLink } from './rules.ts';
import type { AccountRow } from './tables.ts';

export type Mail = { recipient: string; subject: string; body: string };

/** Sends a mail to the person of an account, or to an address without one (null), some time after it resolved. */
export type SendMail = (mail: Mail, accountId: string | null) => Promise<void>;

/**
 * The mail that carries a one-time link. It leads to the server's own address and to no other: a board's host is what
 * an operator typed, and the host of a request what a client sent: the owner of that host would get the link.
 */
export function linkMail({ kind, token, next }: OneTimeLink, account: AccountRow, baseUrl: string): Mail {
  const lines =
    kind === 'reset'
      ? ['Choose a new password:', '', `${baseUrl}/reset-password/${token}`]
      : account.is_second_factor_on
        ? [
            'Your account uses two-factor authentication: sign in with your password and a code.',
            '',
            `${baseUrl}/sign-in${queryOf(next)}`,
          ]
        : [
            'Sign in with this link:',
            '',
            `${baseUrl}/sign-in/link/${token}${queryOf(next)}`,
            ...(account.is_email_verified ? [] : ['', ...unproven]),
          ];
  const subject = kind === 'reset' ? 'Choose a new password' : 'Your sign-in link';
  return { recipient: account.email, subject, body: [`Hello ${account.name},`, '', ...lines, '', ...end].join('\n') };
}

/** The mail to a person without an account: its link makes one, and leads where that of `linkMail` does. */
export function signUpMail({ email, next }: OneTimeLink, token: string, baseUrl: string): Mail {
  const lines = ['Hello,', '', 'Create your account:', '', `${baseUrl}/sign-up/${token}${queryOf(next)}`];
  return { recipient: email, subject: 'Confirm your email address', body: [...lines, '', ...end].join('\n') };
}

const unproven = [
  'This address is not confirmed yet. The link confirms it, and ends the password and the sessions that the account had',
  'before: choose a new password on the sign-in page.',
];

const end = [
  `The link works once and expires in ${LINK_MINUTES} minutes.`,
  "Didn't request this? You can safely ignore this email.",
];

function queryOf(next: string | null): string {
  return next ? `?next=${encodeURIComponent(next)}` : '';
}
