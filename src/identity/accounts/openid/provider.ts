import { AsyncLocalStorage } from 'node:async_hooks';
import { createAuthorizationURL, type OAuth2UserInfo, type OAuthProvider } from 'better-auth/oauth2';
import type { Db } from '../../../platform/db/db.ts';
import { HOUR_MS } from '../../../platform/lib/clock.ts';
import type { OpenIdSettings, SignInProvider } from '../../../platform/sign-in-settings.ts';
import { askJson, type Json } from './asking.ts';
import { type Person, readPerson } from './claims.ts';
import { discover, type Metadata } from './discovery.ts';
import { ProviderFault } from './fault.ts';
import { findRefusal, type SignInRefusal } from './refusing.ts';
import { subjectAt, takeOverSubject } from './subject.ts';
import { exchangeCode, type Keys, makeKeys, type Tokens, verifyIdToken } from './tokens.ts';

/** An OpenID provider, and the client registered there. */
export type OpenIdClient = Omit<SignInProvider, 'openid'> & { openid: OpenIdSettings };

/** What went wrong in a sign-in: with the provider, or with the person's account there. */
type Attempt = { fault: ProviderFault | null; refusal: SignInRefusal | null };

const SCOPES = ['openid', 'email', 'profile'];
/** How long a discovery document is used. */
const KEPT_MS = HOUR_MS;

/**
 * An OpenID provider for better-auth, which keeps the state of a sign-in, joins accounts and starts sessions. Our own code
 * instead of its plugin, which reads either the ID token or the userinfo endpoint but never both, and does not say why a
 * sign-in fails. The provider is not contacted before a visitor signs in with it.
 */
export class OpenIdProvider {
  readonly #client: OpenIdClient;
  readonly #attempts = new AsyncLocalStorage<Attempt>();
  #known: { readAt: number; metadata: Metadata; keys: Keys | null } | null = null;
  #reading: Promise<Metadata> | null = null;

  constructor(client: OpenIdClient) {
    this.#client = client;
  }

  /** What the provider says of itself. @throws ProviderFault */
  async metadata(): Promise<Metadata> {
    if (this.#known && performance.now() - this.#known.readAt < KEPT_MS) return this.#known.metadata;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(): Promise<Metadata> {
    const metadata = await discover(this.#client.openid.issuer);
    this.#known = { readAt: performance.now(), metadata, keys: makeKeys(metadata) };
    return metadata;
  }

  /** Lets better-auth do something. @returns its result, and what went wrong with the provider */
  async during<T>(work: () => Promise<T>): Promise<Attempt & { result: T }> {
    const attempt: Attempt = { fault: null, refusal: null };
    const result = await this.#attempts.run(attempt, work);
    return { ...attempt, result };
  }

  /** The provider as better-auth knows it. */
  forAuth(db: Db): OAuthProvider<{ sub: string }> {
    const { id, name } = this.#client;
    const issuer = () => this.#known?.metadata.issuer;
    return {
      id,
      name,
      /** Compared with the `iss` that the provider leads back with (RFC 9207). */
      get issuer() {
        return issuer();
      },
      requiresIdTokenNonce: true,
      accountSubject: async ({ profile }) => subjectAt((await this.metadata()).issuer, profile.sub),
      createAuthorizationURL: async ({ state, codeVerifier, redirectURI, idTokenNonce }) => {
        const { authorizationUrl } = await this.metadata();
        const { clientId } = this.#client;
        const asked = {
          state,
          codeVerifier,
          redirectURI,
          scopes: SCOPES,
          ...(idTokenNonce && { nonce: idTokenNonce }),
        };
        return createAuthorizationURL({
          id,
          options: { clientId },
          authorizationEndpoint: authorizationUrl,
          ...asked,
        });
      },
      // Only in `raw`, so they are not stored with the account: they have no later use.
      validateAuthorizationCode: (exchange) =>
        this.#unlessFault(async () => ({ raw: await exchangeCode(await this.metadata(), this.#client, exchange) })),
      getUserInfo: ({ raw, expectedIdTokenNonce = '' }) =>
        this.#unlessFault(() => this.#identify(db, raw as Tokens, expectedIdTokenNonce)),
    };
  }

  async #unlessFault<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      const attempt = this.#attempts.getStore();
      if (!attempt || !(error instanceof ProviderFault)) throw error;
      attempt.fault = error;
      return null;
    }
  }

  /** Who has signed in at the provider; without an address if they cannot sign in here. */
  async #identify(db: Db, tokens: Tokens, nonce: string): Promise<{ user: OAuth2UserInfo; data: { sub: string } }> {
    const metadata = await this.metadata();
    const keys = this.#known?.keys ?? null;
    const claims = await verifyIdToken(tokens, { metadata, keys, client: this.#client, nonce });
    const person = await this.#readPerson(claims, tokens, metadata);
    const data = { sub: claims.sub };
    const refusal = findRefusal(person, this.#client);
    if (refusal === null) {
      const email = (person.email ?? '').toLowerCase();
      await takeOverSubject(db, { issuer: metadata.issuer, sub: claims.sub, email });
      return { user: { email, emailVerified: true, name: person.name }, data };
    }
    const attempt = this.#attempts.getStore();
    if (attempt) attempt.refusal = refusal;
    return { user: { email: null, emailVerified: false }, data };
  }

  /** Asks the userinfo endpoint only for what the ID token does not say. */
  async #readPerson(claims: Json & { sub: string }, tokens: Tokens, { userinfoUrl }: Metadata): Promise<Person> {
    const { openid } = this.#client;
    const person = readPerson(claims, null, openid);
    const isComplete = person.email !== null && person.isConfirmed !== null && claims.name;
    if (isComplete || userinfoUrl === null || tokens.accessToken === '') return person;
    try {
      return readPerson(claims, await askUserinfo(userinfoUrl, tokens, claims.sub), openid);
    } catch (fault) {
      if (findRefusal(person, this.#client) === null) return person;
      throw fault;
    }
  }
}

async function askUserinfo(url: string, { accessToken }: Tokens, sub: string): Promise<Json> {
  const { status, json } = await askJson(url, { headers: { authorization: `Bearer ${accessToken}` } });
  if (status !== 200 || !json) throw new ProviderFault(`${url} responded with ${status} and no claims`);
  // What is said of someone else must not be used (OpenID Connect Core 1.0, section 5.3.2).
  if (json.sub !== sub) throw new ProviderFault(`${url} speaks of another sub than the ID token`);
  return json;
}
