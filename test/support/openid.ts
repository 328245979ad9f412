import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { type Configuration, type JWK, Provider } from 'oidc-provider';
import type { OpenIdSettings, SignInProvider } from '../../src/platform/sign-in-settings.ts';
import { onEnd } from './cleanup.ts';

/** What the provider says of a person. */
export type ProvidedPerson = Record<string, unknown>;

/** How a provider differs from others. */
export type OpenIdOptions = {
  /** The path of its issuer, such as `/realms/acme`. */
  path?: string;
  /** What its ID tokens are signed with. */
  algorithm?: Algorithm;
  /** The only way in which it lets clients prove who they are at the token endpoint. */
  tokenAuth?: 'basic' | 'post';
  /** Members of the discovery document that are replaced; undefined removes them. */
  discovery?: Record<string, unknown>;
  /** What Earshot is told of it. */
  settings?: Partial<OpenIdSettings>;
  /** How far its clock is behind when it issues tokens, which are valid for an hour. */
  secondsBehind?: number;
};

export type Algorithm = 'RS256' | 'PS256' | 'ES256' | 'EdDSA' | 'HS256';

/** A real OpenID provider on this machine, and the settings of Earshot as its client. */
export type OpenIdServer = {
  provider: SignInProvider & { openid: OpenIdSettings };
  /** The paths that were asked for, without those that a person goes to. */
  asked: string[];
  /**
   * Signs a person in at the address that Earshot leads to, and lets Earshot know them.
   * @param person the claims of the ID token
   * @param userinfo those of the userinfo endpoint; null if it does not work
   * @returns the address that the provider leads back to
   */
  signIn(address: string, id: string, person: ProvidedPerson, userinfo?: ProvidedPerson | null): Promise<string>;
};

const CLIENT = { clientId: 'earshot', clientSecret: 'the secret~of/the+client, 32 bytes long' };

/** @param redirectUri where the provider may lead back to */
export async function startOpenId(
  t: TestContext,
  redirectUri: string,
  { path = '', algorithm = 'RS256', tokenAuth, discovery = {}, settings, secondsBehind = 0 }: OpenIdOptions = {},
): Promise<OpenIdServer> {
  const people = new Map<string, { id_token: ProvidedPerson; userinfo: ProvidedPerson | null }>();
  let current = '';
  const asked: string[] = [];
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onEnd(t, () => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const openid = new Provider(origin + path, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [redirectUri],
        id_token_signed_response_alg: algorithm,
      },
    ],
    jwks: { keys: [keyOf(algorithm)] },
    pkce: { required: () => true },
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'PS256', 'ES256', 'EdDSA', 'HS256'] },
    claims: { openid: ['sub', ...CLAIMS] },
    conformIdTokenClaims: false,
    cookies: { keys: ['a key of the tests'] },
    features: { devInteractions: { enabled: false } },
    ttl: { IdToken: () => 3_600 },
    findAccount: (_, id) => ({
      accountId: id,
      claims: async (use) => {
        const claims = people.get(id)?.[use as 'id_token' | 'userinfo'];
        if (claims === null) throw new Error('out of order');
        return { sub: id, ...claims };
      },
    }),
    // A user who has signed in has agreed.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: CLIENT.clientId, accountId: oidc.session?.accountId ?? '' });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  } satisfies Configuration);
  openid.use(async (context, next) => {
    const { path, headers, req } = context;
    if (/token$|\/me$|configuration$|jwks$/.test(path)) asked.push(path);
    const way = headers.authorization?.startsWith('Basic ') ? 'basic' : 'post';
    if (path.endsWith('/token') && tokenAuth && way !== tokenAuth) {
      await drain(req);
      Object.assign(context, { status: 401, body: { error: 'invalid_client', error_description: `not by ${way}` } });
      return;
    }
    await atClock(path.endsWith('/token') ? secondsBehind : 0, next);
    const { body } = context as { body: { keys?: object[] } };
    if (path.endsWith('/openid-configuration')) context.body = { ...body, ...discovery };
    if (path.endsWith('/jwks')) context.body = { keys: [...OTHER_KEYS, ...(body.keys ?? [])] };
  });
  const handle = openid.callback();
  async function answer(...[request, response]: Parameters<typeof handle>): Promise<void> {
    if (request.url?.startsWith('/interaction/')) {
      return openid.interactionFinished(request, response, { login: { accountId: current } });
    }
    // As a server does that has the provider below a path.
    const prefix = path.replace(/\/$/, '');
    Object.assign(request, { originalUrl: request.url, url: request.url?.slice(prefix.length) });
    handle(request, response);
  }
  const openidSettings = { issuer: (origin + path).replace(/\/$/, ''), emailClaim: 'email', trustsEmail: false };
  return {
    asked,
    provider: { id: 'oidc', name: 'Acme ID', ...CLIENT, openid: { ...openidSettings, ...settings } },
    async signIn(address, id, person, userinfo = person) {
      people.set(id, { id_token: person, userinfo });
      current = id;
      return follow(address, origin);
    },
  };
}

/** All claims that a test may send: a provider sends only what it knows. */
const CLAIMS = [
  ...['email', 'email_verified', 'name', 'given_name', 'family_name', 'middle_name', 'nickname', 'preferred_username'],
  ...['picture', 'profile', 'locale', 'zoneinfo', 'updated_at', 'groups', 'groups_direct', 'sub_legacy', 'website'],
  ...['oid', 'tid', 'ver', 'uti', 'rh', 'sid', 'xms_edov', 'upn', 'unique_name', 'verified_primary_email'],
  ...['hd', 'emails', 'tfp', 'idp', 'amr', 'ent_groups'],
];

/** What else may be among the keys of a provider, which a client must pass over. */
const OTHER_KEYS = [
  { kty: 'AKP', alg: 'ML-DSA-65', kid: 'of-a-kind-to-come', use: 'sig', pub: 'AAAA' },
  { kty: 'RSA', kid: 'encryption', use: 'enc', e: 'AQAB', n: 'sRjRUIQ' },
];

const keys = new Map<string, JWK>();

/** A key for the algorithm; RSA keys take a while to be made. */
function keyOf(algorithm: Algorithm): JWK {
  const known = keys.get(algorithm);
  if (known) return known;
  const { privateKey } =
    algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : algorithm === 'EdDSA'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const key = { ...privateKey.export({ format: 'jwk' }), kid: 'signing', use: 'sig' } as JWK;
  keys.set(algorithm, key);
  return key;
}

/** Does the work of a provider whose clock is behind. */
async function atClock(secondsBehind: number, work: () => Promise<unknown>): Promise<void> {
  const { now } = Date;
  if (secondsBehind > 0) Date.now = () => now() - secondsBehind * 1_000;
  try {
    await work();
  } finally {
    Date.now = now;
  }
}

async function drain(request: IncomingMessage): Promise<void> {
  for await (const _ of request);
}

/** Goes where a server leads, with its cookies, until it leads elsewhere. */
async function follow(address: string, origin: string): Promise<string> {
  const cookies = new Map<string, string>();
  for (let url = address; ; ) {
    if (!url.startsWith(origin)) return url;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      cookies.set(name, value);
    }
    const next = response.headers.get('location');
    if (next === null) throw new Error(`${url} leads nowhere: ${response.status} ${await response.text()}`);
    url = new URL(next, url).href;
  }
}
