import { LINK_MINUTES, type OneTimeLink, type Way } from './rules.ts';
import type { AccountRow } from './tables.ts';

export type Mail = { recipient: string; subject: string; body: string };

/** Sends a mail to the person of an account, or to a stranger (null), some time after it resolved. */
export type SendMail = (mail: Mail, accountId: string | null) => Promise<void>;

/** The mail that carries a one-time link. */
export function linkMail({ kind, token, way }: OneTimeLink, account: AccountRow): Mail {
  const lines =
    kind === 'reset'
      ? ['choose a new password with this link:', '', `${way.origin}/reset-password/${token}`]
      : account.is_second_factor_on
        ? [
            'your account has a second factor, so sign in with your password and a code:',
            '',
            `${way.origin}/sign-in${queryOf(way)}`,
          ]
        : [
            'sign in with this link:',
            '',
            `${way.origin}/sign-in/link/${token}${queryOf(way)}`,
            ...(account.is_email_verified ? [] : ['', ...unproven]),
          ];
  const subject = kind === 'reset' ? 'Choose a new password' : 'Your link to sign in';
  return { recipient: account.email, subject, body: [`Hello ${account.name},`, '', ...lines, '', ...end].join('\n') };
}

/** The mail to somebody who has no account yet: its link makes one. */
export function signUpMail(email: string, token: string, way: Way): Mail {
  const lines = [
    'Hello,',
    '',
    'make your account with this link:',
    '',
    `${way.origin}/sign-up/${token}${queryOf(way)}`,
  ];
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

function queryOf({ next }: Way): string {
  return next ? `?next=${encodeURIComponent(next)}` : '';
}
