import { hkdfSync } from 'node:crypto';
import { betterAuth } from 'better-auth/minimal';
import { magicLink, twoFactor } from 'better-auth/plugins';
import type { Db } from '../../platform/db/db.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { forgetAllAttempts } from '../../platform/limits/throttle.ts';
import { makeAdapter } from './adapter.ts';
import { markProven } from './input.ts';
import { makePasswords } from './passwords.ts';
import { ADDRESS_HEADER, LINK_MINUTES, type OneTimeLink, PASSWORD } from './rules.ts';
import { names } from './tables.ts';

export type AuthDeps = {
  db: Db;
  baseUrl: string;
  secretKey: string;
  sendLink(link: OneTimeLink): Promise<void>;
};

/**
 * Passwords, sessions, one-time links and second factors, as better-auth does them. It is used as a library: none of
 * its own addresses are served, so requests reach it only through `accounts.ts`.
 */
export function makeAuth({ db, baseUrl, secretKey, sendLink }: AuthDeps) {
  const secret = Buffer.from(hkdfSync('sha256', secretKey, '', 'earshot sessions', 32)).toString('base64url');
  return betterAuth({
    appName: 'Earshot',
    baseURL: baseUrl,
    secret,
    database: makeAdapter(db),
    logger: { disabled: true },
    telemetry: { enabled: false },
    // Attempts are counted in `throttle.ts`: better-auth counts only what comes through its own addresses.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD.min,
      maxPasswordLength: PASSWORD.max,
      password: makePasswords(),
      resetPasswordTokenExpiresIn: LINK_MINUTES * 60,
      revokeSessionsOnPasswordReset: true,
      async onPasswordReset({ user: { email } }) {
        await markProven(db, email);
        // The owner of the mailbox can always sign in, however many attempts used the old password.
        await forgetAllAttempts(db, 'password of', email);
      },
      sendResetPassword: ({ user: { email, name }, token }) =>
        sendLink({ kind: 'reset', email, name, token, next: null }),
    },
    user: names.user,
    account: names.account,
    session: names.session,
    // Who reads the store must not be able to use the links that are on their way.
    verification: { ...names.verification, storeIdentifier: 'hashed' },
    plugins: [
      magicLink({
        disableSignUp: true,
        expiresIn: LINK_MINUTES * 60,
        storeToken: 'hashed',
        sendMagicLink: ({ email, token, metadata }) =>
          sendLink({ kind: 'sign-in', email, name: null, token, next: (metadata as { next: string | null }).next }),
      }),
      twoFactor({ issuer: 'Earshot', schema: names.secondFactor }),
    ],
    advanced: {
      cookiePrefix: 'earshot',
      useSecureCookies: baseUrl.startsWith('https:'),
      database: { generateId: () => makeId() },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
  });
}

export type Auth = ReturnType<typeof makeAuth>;
