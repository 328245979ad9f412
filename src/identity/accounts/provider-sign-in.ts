import type { SignInProvider } from '../../platform/config.ts';
import { badRequest, notFound } from '../../platform/errors.ts';
import { type LocalizedMessage, msg } from '../../platform/messages.ts';
import type { Auth } from './auth.ts';
import type { SignInProviders } from './providers.ts';

type Service = { readonly deps: { baseUrl: string; signInProviders: SignInProviders }; auth(): Promise<Auth> };

/** The caller who signs in: their headers, with cookies, and what counts an attempt of theirs. */
type SigningIn = { headers: Headers; setCookie(cookie: string): void; count(): Promise<void> };

type SignInResult = { path: string } | { refusal: LocalizedMessage; next: string | null };

/** Signing in with Google, GitHub or an OpenID provider, for one caller. */
export class ProviderSignIn {
  readonly #accounts: Service;
  readonly #caller: SigningIn;

  constructor(accounts: Service, caller: SigningIn) {
    this.#accounts = accounts;
    this.#caller = caller;
  }

  /** The providers of the server. */
  get providers(): readonly SignInProvider[] {
    return this.#accounts.deps.signInProviders.providers;
  }

  /** The domains that their addresses may have; none: all. */
  get domains(): readonly string[] {
    return this.#accounts.deps.signInProviders.domains;
  }

  /**
   * Starts a sign-in with a provider.
   * @param next the path to go on to
   * @returns the provider's address to go to
   * @throws NOT_FOUND for a provider that the server does not have, BAD_REQUEST when it cannot be reached
   */
  async begin(id: string, next: string | null): Promise<string> {
    const { headers, setCookie, count } = this.#caller;
    const provider = this.providers.find((known) => known.id === id);
    if (!provider) throw notFound('Provider');
    await count();
    const callbackURL = next === null ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`;
    const body = { provider: id, callbackURL, errorCallbackURL: callbackURL, disableRedirect: true };
    const answer = await (await this.#accounts.auth()).api
      .signInSocial({ body, headers, returnHeaders: true })
      .catch(() => null);
    const { url } = answer?.response ?? {};
    if (!answer || !url)
      throw badRequest(msg`${provider.name} cannot be reached: try again later, or sign in by email`);
    for (const cookie of answer.headers.getSetCookie()) setCookie(cookie);
    return url;
  }

  /**
   * Completes a sign-in when the provider has redirected the caller back.
   * @returns the path to go on to, or why the caller is not signed in and where they wanted to go
   */
  async end(id: string, query: Record<string, string>): Promise<SignInResult> {
    const { headers, setCookie, count } = this.#caller;
    await count();
    const { api } = await this.#accounts.auth();
    const answer = await api.callbackOAuth({ params: { id }, query, headers, method: 'GET', asResponse: true });
    const location = URL.parse(answer.headers.get('location') ?? '', this.#accounts.deps.baseUrl);
    const error = location ? location.searchParams.get('error') : 'unknown';
    if (error !== null || !location) {
      return { refusal: wordsOf(error ?? ''), next: location?.searchParams.get('next') ?? null };
    }
    for (const cookie of answer.headers.getSetCookie()) setCookie(cookie);
    return { path: location.pathname + location.search };
  }
}

/** Words for the errors of better-auth, and for those of `refuseProvided` in `auth.ts`. */
function wordsOf(error: string): LocalizedMessage {
  switch (error) {
    case 'unverified':
    case 'email_not_found':
      return msg`Your account there has no confirmed email address: confirm it, then try again`;
    case 'domain':
      return msg`Email addresses of your domain cannot be used to sign in here`;
    case 'account_not_linked':
      return msg`An account with this email address exists, but the address is not confirmed: sign in by email first`;
    case 'unable_to_link_account':
      return msg`Your account here is linked to a different account with that provider: sign in with that one, or by email`;
    case 'unable_to_create_session':
      return msg`This account uses two-factor authentication: sign in with your password and a code`;
    case 'access_denied':
      return msg`You were not signed in, because access was denied`;
    default:
      return msg`Sign-in failed: try again`;
  }
}
