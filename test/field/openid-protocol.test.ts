import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { SignInProvider } from '../../src/platform/sign-in-settings.ts';
import { onEnd } from '../support/cleanup.ts';
import { type Algorithm, type OpenIdOptions, startOpenId } from '../support/openid.ts';
import { makeTestWeb, readMail } from '../support/web.ts';

const CALLBACK = 'http://board.test/sign-in/with/callback/oidc';
const LINA = { email: 'lina@example.com', email_verified: true, name: 'Lina' };

/** Signs Lina in with a provider, as Earshot is told of it. */
async function signIn(
  t: TestContext,
  options: OpenIdOptions = {},
  told: Partial<SignInProvider> = {},
  change = (back: string) => back,
) {
  const openid = await startOpenId(t, CALLBACK, options);
  const provider = { ...openid.provider, ...told };
  const web = await makeTestWeb(t, 'sqlite', { signInProviders: { providers: [provider], domains: [] } });
  const visitor = web.makeVisitor();
  const begun = await visitor.get('/sign-in/with/oidc');
  const address = String(begun.headers.location ?? '');
  const ended = address === '' ? null : await visitor.get(change((await openid.signIn(address, 'a1', LINA)).slice(17)));
  const { statusCode, payload } = ended ?? begun;
  const lines = web.logged.map((line): { msg: string; issuer: string } => JSON.parse(line));
  return { web, openid, visitor, address, statusCode, payload, lines, log: web.logged.join() };
}

for (const algorithm of ['RS256', 'PS256', 'ES256', 'EdDSA', 'HS256'] satisfies Algorithm[]) {
  test(`ID tokens signed with ${algorithm} are verified`, async (t) => {
    assert.equal((await signIn(t, { algorithm })).statusCode, 302);
  });
}

for (const tokenAuth of ['basic', 'post'] as const) {
  for (const announced of [['client_secret_basic', 'client_secret_post'], undefined]) {
    test(`a client that may prove itself by ${tokenAuth} only, at a provider that announces ${announced ?? 'nothing'}`, async (t) => {
      const discovery = { token_endpoint_auth_methods_supported: announced };
      assert.equal((await signIn(t, { tokenAuth, discovery })).statusCode, 302);
    });
  }
}

test('a sign-in asks for a code with PKCE, state and nonce, in the query', async (t) => {
  const { address, statusCode } = await signIn(t);
  const { searchParams } = new URL(address);
  assert.equal(statusCode, 302);
  assert.equal(searchParams.get('response_type'), 'code');
  assert.equal(searchParams.get('code_challenge_method'), 'S256');
  assert.equal(searchParams.get('scope'), 'openid email profile');
  assert.equal(searchParams.has('response_mode'), false);
  for (const name of ['state', 'nonce', 'code_challenge']) assert.ok(searchParams.get(name), name);
});

test('the tokens of a provider are not kept', async (t) => {
  const { web } = await signIn(t);
  const { subject, ...row } = await web.db.read.selectFrom('credentials').selectAll().executeTakeFirstOrThrow();
  assert.match(subject, /^[\w-]{43} a1$/);
  assert.doesNotMatch(JSON.stringify(row), /eyJ|Bearer/);
  const { access_token, refresh_token, id_token } = row as Record<string, unknown>;
  assert.deepEqual([access_token ?? null, refresh_token ?? null, id_token ?? null], [null, null, null]);
});

test('an issuer for many tenants is refused before anyone is sent there, with the address to set', async (t) => {
  const issuer = 'https://login.microsoftonline.com/{tenantid}/v2.0';
  const { statusCode, payload, lines, address } = await signIn(t, { path: '/common/v2.0', discovery: { issuer } });
  assert.deepEqual([statusCode, address], [403, '']);
  assert.match(payload, /Signing in with Acme ID is not set up correctly: sign in by email/);
  assert.match(lines[0]?.msg ?? '', /OIDC_ISSUER \S+\/common\/v2\.0 stands for many tenants.*name one tenant/);
  assert.match(lines[0]?.issuer ?? '', /\/common\/v2\.0$/);
});

test('tokens of another issuer than the discovery document names are refused, and the log names both', async (t) => {
  const discovery = { issuer: 'https://id.example.com' };
  // With its issuer in the address that it leads back to (RFC 9207), and without.
  for (const change of [(back: string) => back, (back: string) => back.replace(/&iss=[^&]*/, '')]) {
    const { statusCode, payload, log } = await signIn(t, { discovery }, {}, change);
    assert.equal(statusCode, 403);
    assert.match(payload, /not set up correctly/);
    assert.match(
      log,
      /the issuer is http:\/\/127\.0\.0\.1:\d+, but OIDC_ISSUER calls itself https:\/\/id\.example\.com: set OIDC_ISSUER/,
    );
  }
});

test('a wrong secret is named in the log, without it', async (t) => {
  const clientSecret = 'another secret that is wrong';
  const { statusCode, payload, log, openid } = await signIn(t, {}, { clientSecret });
  assert.equal(statusCode, 403);
  assert.match(payload, /not set up correctly/);
  assert.match(
    log,
    /OIDC_CLIENT_ID or OIDC_CLIENT_SECRET is not accepted: \S+\/token responded with 401: invalid_client/,
  );
  assert.ok(!log.includes(clientSecret) && !payload.includes(clientSecret));
  assert.equal(openid.asked.filter((path) => path.endsWith('/token')).length, 2, 'both ways were tried');
});

test('an expired ID token is reported as such, and one from a clock slightly behind is accepted', async (t) => {
  assert.equal((await signIn(t, { secondsBehind: 3_630 })).statusCode, 302);
  const { statusCode, log } = await signIn(t, { secondsBehind: 3_720 });
  assert.equal(statusCode, 403);
  assert.match(log, /exp is more than 60 s off: check the clocks of this server and of the provider/);
});

test('an ID token signed in a way that was not announced is refused', async (t) => {
  const discovery = { id_token_signing_alg_values_supported: ['RS256'] };
  const { statusCode, log } = await signIn(t, { algorithm: 'ES256', discovery });
  assert.equal(statusCode, 403);
  assert.match(log, /it is signed with ES256, and the provider announces RS256/);
});

test('an address that is not an issuer is logged with its response', async (t) => {
  const site = createServer((_, response) => response.end('<h1>Welcome</h1>')).listen(0, '127.0.0.1');
  onEnd(t, () => site.close());
  await new Promise((resolve) => site.once('listening', resolve));
  const issuer = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const { statusCode, log } = await signIn(t, {}, { openid: { issuer, emailClaim: 'email', trustsEmail: false } });
  assert.equal(statusCode, 403);
  assert.match(
    log,
    /must be an OpenID issuer: \S+\/\.well-known\/openid-configuration responded with 200 without a JSON/,
  );
});

test('a provider that never answers does not delay users who sign in by mail', async (t) => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  onEnd(t, () => {
    silent.closeAllConnections();
    silent.close();
  });
  await new Promise((resolve) => silent.once('listening', resolve));
  const issuer = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const openid = { issuer, emailClaim: 'email', trustsEmail: false };
  const provider = { id: 'oidc', name: 'Acme ID', clientId: 'a', clientSecret: 'b', openid } as const;
  const web = await makeTestWeb(t, 'sqlite', { signInProviders: { providers: [provider], domains: [] } });
  const start = performance.now();
  const visitor = web.makeVisitor();
  await visitor.post('/sign-in', { intent: 'link', email: LINA.email, next: '/b/acme' });
  const { path } = await readMail(web, LINA.email);
  assert.equal((await visitor.post(path, { name: 'Lina', password: '' })).statusCode, 302);
  assert.ok(performance.now() - start < 5_000);
});

test('the error that a provider reports is logged, and the visitor can try again', async (t) => {
  const { web, openid, visitor } = await signIn(t);
  const begun = await visitor.get('/sign-in/with/oidc');
  const state = new URL(String(begun.headers.location)).searchParams.get('state') ?? '';
  const query = new URLSearchParams({ state, error: 'invalid_scope', error_description: 'AADSTS70011: not\nvalid' });
  const { statusCode, payload } = await visitor.get(`/sign-in/with/callback/oidc?${query}`);
  assert.equal(statusCode, 403);
  assert.match(payload, /Sign-in failed: try again/);
  assert.match(web.logged.join(), /it failed with invalid_scope: AADSTS70011: not valid/);
  const again = await visitor.get('/sign-in/with/oidc');
  assert.equal(
    (await visitor.get((await openid.signIn(String(again.headers.location), 'a1', LINA)).slice(17))).statusCode,
    302,
  );
});
