import { badRequest, notFound } from '../../platform/errors.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { type LocalizedMessage, msg } from '../../platform/messages.ts';
import type { SignInProvider } from '../../platform/sign-in-settings.ts';
import { printable } from '../../platform/texts/text.ts';
import type { Auth } from './auth.ts';
import { describeIssuers, ProviderFault } from './openid/fault.ts';
import type { OpenIdProvider } from './openid/provider.ts';
import { type SignInRefusal, UNCONFIRMED } from './openid/refusing.ts';
import type { SignInProviders } from './providers.ts';

type Service = {
  readonly deps: { baseUrl: string; log: Logger; signInProviders: SignInProviders };
  auth(): Promise<Auth>;
  openId(): Promise<OpenIdProvider | null>;
};

/** The caller who signs in: their headers, with cookies, and what counts an attempt of theirs. */
type SigningIn = { headers: Headers; setCookie(cookie: string): void; count(): Promise<void> };

type SignInResult = { path: string } | { refusal: SignInRefusal; next: string | null };

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
   * @throws NOT_FOUND for a provider that the server does not have, BAD_REQUEST when it cannot be used
   */
  async begin(id: string, next: string | null): Promise<string> {
    const { headers, setCookie, count } = this.#caller;
    const provider = this.#require(id);
    await count();
    await this.#requireMetadata(provider);
    const callbackURL = next === null ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`;
    const body = { provider: id, callbackURL, errorCallbackURL: callbackURL, disableRedirect: true };
    const { api } = await this.#accounts.auth();
    const answer = await api.signInSocial({ body, headers, returnHeaders: true });
    if (!answer.response.url) throw new Error(`${id} has no address to go to`);
    for (const cookie of answer.headers.getSetCookie()) setCookie(cookie);
    return answer.response.url;
  }

  /**
   * Completes a sign-in when the provider has redirected the caller back.
   * @returns the path to go on to, or why the caller is not signed in and where they wanted to go
   * @throws NOT_FOUND, BAD_REQUEST
   */
  async end(id: string, query: Record<string, string>): Promise<SignInResult> {
    const { headers, setCookie, count } = this.#caller;
    const provider = this.#require(id);
    await count();
    const openId = await this.#requireMetadata(provider);
    const { api } = await this.#accounts.auth();
    const call = () => api.callbackOAuth({ params: { id }, query, headers, method: 'GET', asResponse: true });
    const { result, fault, refusal } = openId
      ? await openId.during(call)
      : { result: await call(), fault: null, refusal: null };
    const location = URL.parse(result.headers.get('location') ?? '', this.#accounts.deps.baseUrl);
    const error = location ? location.searchParams.get('error') : 'unknown';
    if (error === null && location) {
      for (const cookie of result.headers.getSetCookie()) setCookie(cookie);
      return { path: location.pathname + location.search };
    }
    const next = location?.searchParams.get('next') ?? null;
    if (refusal) return { refusal: this.#report(provider, refusal), next };
    if (fault) return { refusal: { words: this.#reportFault(provider, fault), hint: null }, next };
    if (error === 'issuer_mismatch') {
      const mismatch = describeIssuers(query.iss ?? '', (await openId?.metadata())?.issuer ?? '');
      return { refusal: { words: this.#reportFault(provider, new ProviderFault(mismatch)), hint: null }, next };
    }
    const words = wordsOf(error ?? '');
    if (words === FAILED && location && !NOT_BEGUN.test(error ?? ''))
      this.#reportError(provider, location.searchParams);
    return { refusal: { words, hint: null }, next };
  }

  #require(id: string): SignInProvider {
    const provider = this.providers.find((known) => known.id === id);
    if (!provider) throw notFound('Provider');
    return provider;
  }

  /** An OpenID provider that has told its addresses; null for the others. @throws BAD_REQUEST */
  async #requireMetadata(provider: SignInProvider): Promise<OpenIdProvider | null> {
    const openId = provider.openid ? await this.#accounts.openId() : null;
    await openId?.metadata().catch((error) => {
      throw error instanceof ProviderFault ? badRequest(this.#reportFault(provider, error)) : error;
    });
    return openId;
  }

  /** Logs what the operator can do about a refusal. */
  #report(provider: SignInProvider, refusal: SignInRefusal): SignInRefusal {
    if (refusal.hint) this.#warn(provider, refusal.hint.text);
    return refusal;
  }

  #reportFault(provider: SignInProvider, fault: ProviderFault): LocalizedMessage {
    this.#warn(provider, fault.message);
    switch (fault.kind) {
      case 'unreachable':
        return msg('providerUnreachable', provider.name);
      case 'once':
        return FAILED;
      case 'setup':
        return msg('providerMisconfigured', provider.name);
      default:
        return fault.kind satisfies never;
    }
  }

  /** The provider's own words are what its administrators look for. */
  #reportError(provider: SignInProvider, params: URLSearchParams): void {
    const [code, description] = ['error', 'error_description'].map((name) => printable(params.get(name) ?? '', 300));
    this.#warn(provider, `it failed with ${code || 'no reason'}${description ? `: ${description}` : ''}`);
  }

  #warn({ id, name, openid }: SignInProvider, reason: string): void {
    const issuer = openid && { issuer: openid.issuer };
    this.#accounts.deps.log.warn({ provider: id, ...issuer }, `Sign-in with ${name}: ${reason}`);
  }
}

const FAILED = msg('providerSignInFailed');
/** Errors of better-auth for a visitor who comes back from a sign-in that did not begin here; anyone can do that. */
const NOT_BEGUN = /^(state_|invalid_callback)/;

/** Words for the errors of better-auth, and for those of `refuseProvided` in `auth.ts`. */
function wordsOf(error: string): LocalizedMessage {
  switch (error) {
    case 'unverified':
    case 'email_not_found':
      return UNCONFIRMED;
    case 'domain':
      return msg('providerDomainRefused');
    case 'account_not_linked':
      return msg('providerAccountExists');
    case 'unable_to_link_account':
      return msg('providerLinkedToOther');
    case 'unable_to_create_session':
      return msg('providerTwoFactor');
    case 'access_denied':
      return msg('providerAccessDenied');
    default:
      return FAILED;
  }
}
