import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { Provider } from 'oidc-provider';
import type { SignInProvider } from '../../src/platform/config.ts';
import { onEnd } from './cleanup.ts';

/** What the provider says of a person. */
export type ProvidedPerson = { email?: string; email_verified?: boolean; name?: string };

/** A real OpenID provider on this machine, and the settings of Earshot as its client. */
export type OpenIdServer = {
  provider: SignInProvider;
  /**
   * Signs a person in at the address that Earshot leads to, and lets Earshot know them.
   * @returns the address that the provider leads back to
   */
  signIn(address: string, id: string, person: ProvidedPerson): Promise<string>;
};

const CLIENT = { clientId: 'earshot', clientSecret: 'the secret of the client' };

/** @param redirectUri where the provider may lead back to */
export async function startOpenId(t: TestContext, redirectUri: string): Promise<OpenIdServer> {
  const people = new Map<string, ProvidedPerson>();
  let current = '';
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onEnd(t, () => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const openid = new Provider(issuer, {
    clients: [{ client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['a key of the tests'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_, id) => ({ accountId: id, claims: async () => ({ sub: id, ...people.get(id) }) }),
    // Whoever has signed in has agreed.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: CLIENT.clientId, accountId: oidc.session?.accountId ?? '' });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const handle = openid.callback();
  async function answer(...[request, response]: Parameters<typeof handle>): Promise<void> {
    if (!request.url?.startsWith('/interaction/')) return void handle(request, response);
    await openid.interactionFinished(request, response, { login: { accountId: current } });
  }
  return {
    provider: { id: 'oidc', name: 'Acme ID', ...CLIENT, issuer },
    async signIn(address, id, person) {
      people.set(id, person);
      current = id;
      return follow(address, issuer);
    },
  };
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
