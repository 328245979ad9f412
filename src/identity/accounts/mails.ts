import { LINK_MINUTES, type SignInMail } from './rules.ts';
import type { AccountRow } from './tables.ts';

export type Mail = { recipient: string; subject: string; body: string };

/** Sends a mail to the person of an account, or to an address without one (null), some time after it resolved. */
export type SendMail = (mail: Mail, accountId: string | null) => Promise<void>;

/**
 * The mail by which the owner of an address signs in, or where there is no account yet (null), makes one. Its link leads to
 * the server's own address and to no other: a board's host is what an operator typed, and the host of a request what a
 * client sent: the owner of that host would get the link.
 */
export function signInMail(
  { email, token, code, next }: SignInMail,
  account: AccountRow | null,
  baseUrl: string,
): Mail {
  const path = account ? 'sign-in/link' : 'sign-up';
  const lines = [
    account ? `Hello ${account.name},` : 'Hello,',
    '',
    `Your code: ${code}`,
    '',
    'Enter it where you were asked for it. Or use this link, on any device:',
    '',
    `${baseUrl}/${path}/${token}${next ? `?next=${encodeURIComponent(next)}` : ''}`,
    ...(account?.is_second_factor_on
      ? ['', 'Your account uses two-factor authentication: you then sign in with your password and a code of your app.']
      : []),
    ...(account && !account.is_email_verified ? ['', ...unproven] : []),
    '',
    `Code and link work once and expire in ${LINK_MINUTES} minutes.`,
    IGNORE,
  ];
  // Subjects are neither encrypted nor secret, so the code is not in it.
  const subject = account ? 'Your sign-in code' : 'Confirm your email address';
  return { recipient: email, subject, body: lines.join('\n') };
}

/** The mail with a link to choose a new password. */
export function resetMail({ email, name }: { email: string; name: string }, token: string, baseUrl: string): Mail {
  const lines = [
    `Hello ${name},`,
    '',
    'Choose a new password:',
    '',
    `${baseUrl}/reset-password/${token}`,
    '',
    `The link works once and expires in ${LINK_MINUTES} minutes.`,
    IGNORE,
  ];
  return { recipient: email, subject: 'Choose a new password', body: lines.join('\n') };
}

const IGNORE = "Didn't request this? You can safely ignore this email.";

const unproven = [
  'This address is not confirmed yet. Signing in this way confirms it. It also removes the password that the account had and',
  'ends its sessions: choose a new password on the sign-in page.',
];
