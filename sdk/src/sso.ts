import { requireText, requireUrl } from './errors.ts';
import { hmacKey, sign } from './hmac.ts';

/** A user of your product (`docs/sso.md`, "The token"). */
export type SsoUser = {
  /** In your product: a text of at most 255 characters, or a whole number. */
  id: string | number;
  name?: string | undefined;
  email?: string | undefined;
  /** URL of the profile picture. */
  imageUrl?: string | undefined;
  locale?: string | undefined;
  /** Only if the settings of the board allow it. */
  role?: 'MEMBER' | 'MODERATOR' | 'ADMIN' | undefined;
  /** A token with it works only once. */
  jti?: string | undefined;
  /** Stored as attributes if the settings name them. */
  [attribute: string]: string | number | boolean | undefined;
};

/** Where users go after they have signed in. */
export type SsoReturn = { returnUrl?: string | undefined; state?: string | undefined };

/**
 * A token with which a user signs in, signed with HS256 and the secret of the board. Only on a server: with the
 * secret, anyone can sign in as any user.
 * @param expiresIn seconds; default: 60
 */
export async function signSsoToken(user: SsoUser, secret: string, expiresIn = 60): Promise<string> {
  const key = await hmacKey(requireText('secret', secret));
  const claims = { ...user, exp: Math.floor(Date.now() / 1_000) + expiresIn };
  const signed = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => base64url(new TextEncoder().encode(JSON.stringify(part))))
    .join('.');
  return `${signed}.${base64url(await sign(key, signed))}`;
}

/**
 * The URL to which you send the user.
 * @param board URL of the board, for example https://feedback.example.com/b/acme
 * @param query of the request by which Earshot sent the user to your login page, if it did
 */
export function ssoUrl(board: string | URL, token: string, { returnUrl, state }: SsoReturn = {}): string {
  const url = requireUrl('board', board);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/sso/${requireText('token', token)}`;
  if (returnUrl !== undefined) url.searchParams.set('returnUrl', returnUrl);
  if (state !== undefined) url.searchParams.set('state', state);
  return url.href;
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
