import { hkdfSync } from 'node:crypto';
import type { BetterAuthPlugin } from 'better-auth';
import { symmetricDecrypt } from 'better-auth/crypto';
import { betterAuth } from 'better-auth/minimal';
import { magicLink, twoFactor } from 'better-auth/plugins';
import type { Db } from '../../platform/db/db.ts';
import { cookiePath } from '../../platform/http/cookie.ts';
import { DAY_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { forgetAllAttempts } from '../../platform/limits/throttle.ts';
import { makeAdapter } from './adapter.ts';
import { isAccountAddress, markProven, nameFor } from './input.ts';
import { endLinks } from './links.ts';
import type { OpenIdProvider } from './openid/provider.ts';
import { makePasswords } from './passwords.ts';
import { isAllowedAddress, type SignInProviders } from './providers.ts';
import { ADDRESS_HEADER, LINK_MINUTES, PASSWORD, SESSION_MS } from './rules.ts';
import { names } from './tables.ts';

export type AuthDeps = {
  db: Db;
  signInProviders: SignInProviders;
  /** The OpenID provider among them. */
  openId: OpenIdProvider | null;
  baseUrl: string;
  secretKey: string;
  /** Mails the link to choose a new password, which continues at the path `next` afterwards. */
  sendReset(to: { email: string; name: string }, token: string, next: string | null): Promise<void>;
};

/** The path below which providers redirect back. */
export const PROVIDER_PATH = '/sign-in/with';

/** What better-auth signs sessions and encrypts second factors with. */
function deriveSecret(secretKey: string): string {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'earshot sessions', 32)).toString('base64url');
}

/** The secret or the backup codes of a second factor. @throws if they were encrypted with a different key */
export function decryptSecondFactor(secretKey: string, encrypted: string): Promise<string> {
  return symmetricDecrypt({ key: deriveSecret(secretKey), data: encrypted });
}

/**
 * Passwords, sessions, one-time links and second factors, as better-auth does them. It is used as a library: none of
 * its own endpoints are served, so requests reach it only through `accounts.ts`.
 */
export function makeAuth({ db, baseUrl, secretKey, signInProviders, openId, sendReset }: AuthDeps) {
  const { providers, domains } = signInProviders;
  const secret = deriveSecret(secretKey);
  return betterAuth({
    appName: 'Earshot',
    // Nothing is served there except the redirect targets of providers, see `web/sign-in/with.tsx`. A base path would
    // be ignored if `BASE_URL` has a path.
    baseURL: baseUrl + PROVIDER_PATH,
    secret,
    database: makeAdapter(db),
    logger: { disabled: true },
    telemetry: { enabled: false },
    // Attempts are counted in `throttle.ts`: better-auth counts only requests to its own endpoints.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD.min,
      maxPasswordLength: PASSWORD.max,
      password: makePasswords(),
      resetPasswordTokenExpiresIn: LINK_MINUTES * 60,
      revokeSessionsOnPasswordReset: true,
      async onPasswordReset({ user: { id, email } }) {
        await markProven(db, email);
        await db.transaction((tx) => endLinks(tx, id));
        // The owner of the mailbox can always sign in, however many attempts used the old password.
        await forgetAllAttempts(db, 'password of', email);
      },
      sendResetPassword: ({ user, token, url }) =>
        sendReset(user, token, URL.parse(url)?.searchParams.get('callbackURL') || null),
    },
    user: { ...names.user, validateUserInfo: (data) => refuseProvided(data, domains) },
    // Linking requires an address that both sides have confirmed, as better-auth does it.
    account: { ...names.account, encryptOAuthTokens: true },
    databaseHooks: {
      // Providers let their users call themselves anything.
      user: { create: { before: async ({ email, name }) => ({ data: { name: nameFor(email, name), image: null } }) } },
      session: { create: { before: (session, context) => requireNoSecondFactor(db, session, context) } },
    },
    socialProviders: Object.fromEntries(
      providers.flatMap(({ id, clientId, clientSecret, openid }) => (openid ? [] : [[id, { clientId, clientSecret }]])),
    ),
    // Prolonged once a day while it is used; `access.ts` ends those of the team sooner.
    session: { ...names.session, expiresIn: SESSION_MS / SECOND_MS, updateAge: DAY_MS / SECOND_MS },
    // Someone who reads the store must not be able to use links in transit. `proofs.ts` removes old rows.
    verification: { ...names.verification, storeIdentifier: 'hashed', disableCleanup: true },
    plugins: [
      // Its tokens are never mailed: they sign in the owner of an address, see `passwordless.ts`.
      magicLink({
        storeToken: 'hashed',
        sendMagicLink: ({ token, metadata }) => (metadata as TokenTaker).take(token),
      }),
      ...(openId ? [pluginOf(openId, db)] : []),
      twoFactor({ issuer: 'Earshot', schema: names.secondFactor }),
    ],
    advanced: {
      cookiePrefix: 'earshot',
      defaultCookieAttributes: { path: cookiePath(baseUrl) },
      useSecureCookies: baseUrl.startsWith('https:'),
      database: { generateId: () => makeId() },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
  });
}

/** Takes the token that better-auth makes for an address whose owner is to be signed in. */
export type TokenTaker = { take(token: string): void };

export type Auth = ReturnType<typeof makeAuth>;

type ProvidedUser = { user: { email?: string; emailVerified?: boolean }; source: { method: string } };

/** Why a provider's account cannot be used to sign in, as one of our own codes; see `provider-sign-in.ts`. */
function refuseProvided({ user, source }: ProvidedUser, domains: readonly string[]) {
  if (source.method !== 'oauth') return undefined;
  const { email = '', emailVerified } = user;
  if (!emailVerified || !isAccountAddress(email)) return { error: 'unverified' };
  return isAllowedAddress(email, domains) ? undefined : { error: 'domain' };
}

function pluginOf(openId: OpenIdProvider, db: Db): BetterAuthPlugin {
  return {
    id: 'openid',
    init: ({ socialProviders }) => ({ context: { socialProviders: [...socialProviders, openId.forAuth(db)] } }),
  };
}

/** A provider is one factor: it starts no session of an account that requires two. */
async function requireNoSecondFactor(
  db: Db,
  { userId }: { userId: string },
  context: { path?: string } | null,
): Promise<boolean> {
  if (!context?.path?.startsWith('/callback')) return true;
  const query = db.read.selectFrom('accounts').select('is_second_factor_on').where('id', '=', userId);
  return (await query.executeTakeFirst())?.is_second_factor_on !== 1;
}
