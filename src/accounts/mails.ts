import { LINK_MINUTES, type OneTimeLink } from './rules.ts';
import type { AccountRow } from './tables.ts';

export type Mail = { recipient: string; subject: string; body: string };

/** Sends a mail, some time after it resolved. */
export type SendMail = (mail: Mail) => Promise<void>;

/** The mail that carries a one-time link. */
export function linkMail({ kind, token }: OneTimeLink, account: AccountRow, baseUrl: string): Mail {
  const lines =
    kind === 'reset'
      ? ['choose a new password with this link:', '', `${baseUrl}/reset-password/${token}`]
      : account.is_second_factor_on
        ? ['your account has a second factor, so sign in with your password and a code:', '', `${baseUrl}/sign-in`]
        : ['sign in with this link:', '', `${baseUrl}/sign-in/link/${token}`];
  const subject = kind === 'reset' ? 'Choose a new password' : 'Your link to sign in';
  const end = [
    `It works once, within ${LINK_MINUTES} minutes.`,
    'If you did not ask for it, somebody typed your address: nothing happens unless the link is used.',
  ];
  return { recipient: account.email, subject, body: [`Hello ${account.name},`, '', ...lines, '', ...end].join('\n') };
}
