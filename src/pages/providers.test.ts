import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type ProvidedPerson, startOpenId } from '../../test/support/openid.ts';
import { engines } from '../../test/support/store.ts';
import { makeTestWeb, signUp, type TestWeb, type WebVisitor } from '../../test/support/web.ts';
import type { Db, Engine } from '../platform/db/db.ts';
import { HOUR_MS } from '../platform/lib/clock.ts';

const CALLBACK = 'http://board.test/sign-in/with/callback/oidc';

/** Pages with a real OpenID provider. */
async function openWeb(t: TestContext, engine: Engine, domains: string[] = [], db?: Db) {
  const openid = await startOpenId(t, CALLBACK);
  const signInProviders = { providers: [openid.provider], domains };
  const web = await makeTestWeb(t, engine, { signInProviders, ...(db && { db }) });
  /** Goes to the provider and back as a person there. */
  async function come(visitor: WebVisitor, id: string, person: ProvidedPerson, next = '/b/acme') {
    const begun = await visitor.get(`/sign-in/with/oidc?next=${encodeURIComponent(next)}`);
    const back = await openid.signIn(String(begun.headers.location), id, person);
    return visitor.get(back.replace('http://board.test', ''));
  }
  return { web, come, provider: openid.provider };
}

const accountsOf = ({ db }: TestWeb) => db.read.selectFrom('accounts').select(['email', 'is_email_verified']).execute();

test('a provider that cannot be reached is named, and signing in by email still works', async (t) => {
  const provider = {
    id: 'oidc',
    name: 'Acme ID',
    clientId: 'a',
    clientSecret: 'b',
    openid: { issuer: 'http://127.0.0.1:9', emailClaim: 'email', trustsEmail: false },
  } as const;
  const web = await makeTestWeb(t, 'sqlite', { signInProviders: { providers: [provider], domains: [] } });
  const { statusCode, payload } = await web.makeVisitor().get('/sign-in/with/oidc');
  assert.equal(statusCode, 403);
  assert.match(payload, /Acme ID cannot be reached/);
});

test('admins read which providers are set, and what to enter there, but no secret', async (t) => {
  const { web, provider } = await openWeb(t, 'sqlite', ['example.com']);
  const owner = await web.makeMember('Olga', 'OWNER');
  const { payload } = await owner.get('/b/acme/settings/providers');
  assert.match(payload, /Only people with an email address at these domains can sign in this way: example\.com/);
  assert.match(payload, />Google<\/h2>.*?>Off<.*>GitHub<\/h2>.*?>Off<.*>Acme ID<\/h2>.*?>On</s);
  assert.match(payload, /http:\/\/board\.test\/sign-in\/with\/callback\/oidc/);
  assert.ok(!payload.includes(provider.clientSecret));
  const moderator = await web.makeMember('Max', 'MODERATOR');
  assert.equal((await moderator.get('/b/acme/settings/providers')).statusCode, 403);
});

test('an address that the provider has not confirmed, or of another domain, does not sign in', async (t) => {
  const { web, come } = await openWeb(t, 'sqlite', ['example.com']);
  const refused: [person: ProvidedPerson, words: RegExp][] = [
    [{ email: 'eve@example.com', email_verified: false }, /no confirmed email address/],
    [{ email: 'eve@example.com' }, /Acme ID does not say whether your email address is confirmed/],
    [{ name: 'Eve' }, /Acme ID does not tell the email address of your account/],
    [{ email: 'eve@evil.com,ada@example.com', email_verified: true }, /account there cannot be used here/],
    [{ email: 'eve mail@example.com', email_verified: true }, /account there cannot be used here/],
    [{ email: '\u212Aate@example.com', email_verified: true }, /account there cannot be used here/],
    [{ email: 'eve@elsewhere.com', email_verified: true }, /Email addresses of your domain/],
    [{ email: 'eve@example.com.evil.com', email_verified: true }, /Email addresses of your domain/],
  ];
  for (const [n, [person, words]] of refused.entries()) {
    const visitor = web.makeVisitor();
    const { statusCode, payload } = await come(visitor, `e${n}`, person);
    assert.equal(statusCode, 403, JSON.stringify(person));
    assert.match(payload, words, JSON.stringify(person));
    assert.match(payload, /could not be signed in with Acme ID.*href="\/sign-in\?next=%2Fb%2Facme"/s);
    assert.doesNotMatch([...visitor.cookies.keys()].join(), /session/);
  }
  assert.deepEqual(await accountsOf(web), []);
});

test('a name at the provider is cut to what names are here', async (t) => {
  const { web, come } = await openWeb(t, 'sqlite');
  const names = ['x'.repeat(100_000), 'a\0b', 'Ada\r\nBcc: eve@example.com', '', '\ud800', '\u200d', 'eve@example.com'];
  for (const [n, name] of names.entries()) {
    web.clock.advance(HOUR_MS);
    const visitor = web.makeVisitor();
    const { statusCode } = await come(visitor, `n${n}`, {
      email: `lina${n}@example.com`,
      email_verified: true,
      name,
    });
    assert.equal(statusCode, 302);
    assert.equal((await visitor.post('/b/acme?index', { title: 'Dark mode', formId: '' })).statusCode, 302);
  }
  const rows = await web.db.read.selectFrom('accounts').select('name').orderBy('email').execute();
  assert.deepEqual(
    rows.map(({ name }) => name),
    [`${'x'.repeat(99)}…`, 'a b', 'Ada Bcc: eve@example.com', 'Lina', 'Lina', 'Lina', 'Lina'],
  );
});

test('a callback of a sign-in that was not begun in this browser signs no user in', async (t) => {
  const { web, come } = await openWeb(t, 'sqlite');
  const visitor = web.makeVisitor();
  const begun = await visitor.get('/sign-in/with/oidc');
  const state = new URL(String(begun.headers.location)).searchParams.get('state') ?? '';
  for (const query of [
    '',
    '?code=x',
    '?code=x&state=y',
    `?code=x&state=${state}`,
    '?error=access_denied',
    `?error=access_denied&state=${state}`,
    `?state=${'x'.repeat(5_000)}`,
  ]) {
    const { statusCode } = await web.makeVisitor().get(`/sign-in/with/callback/oidc${query}`);
    assert.equal(statusCode, 403, query);
  }
  for (const unknown of ['google', 'credential', '__proto__', 'x']) {
    assert.equal((await visitor.get(`/sign-in/with/${unknown}`)).statusCode, 404, unknown);
    assert.ok((await visitor.get(`/sign-in/with/callback/${unknown}?code=x&state=y`)).statusCode < 500, unknown);
  }
  assert.equal((await come(visitor, 'ok', { email: 'ok@example.com', email_verified: true })).statusCode, 302);
});

for (const engine of engines) {
  test(`people sign in with an OpenID provider, and come back as the same account [${engine}]`, async (t) => {
    const { web, come } = await openWeb(t, engine);
    assert.match((await web.makeVisitor().get('/sign-in')).payload, /Continue with Acme ID/);
    const ada = { email: 'Ada@example.com', email_verified: true, name: 'Ada' };
    for (const visitor of [web.makeVisitor(), web.makeVisitor()]) {
      const came = await come(visitor, 'a1', ada, '/b/acme/roadmap');
      assert.deepEqual([came.statusCode, came.headers.location], [302, '/sign-in?next=%2Fb%2Facme%2Froadmap']);
      assert.equal((await visitor.get(String(came.headers.location))).headers.location, '/b/acme/roadmap');
      assert.match((await visitor.get('/b/acme')).payload, /Ada/);
    }
    assert.deepEqual(await accountsOf(web), [{ email: 'ada@example.com', is_email_verified: 1 }]);
  });

  test(`accounts are joined only by an address that both sides have confirmed [${engine}]`, async (t) => {
    const { web, come } = await openWeb(t, engine);
    await signUp(web, 'Grace');
    const grace = { email: 'grace@example.com', email_verified: true, name: 'Grace' };
    assert.equal((await come(web.makeVisitor(), 'g', grace)).statusCode, 302, 'joined');
    assert.equal((await accountsOf(web)).length, 1);
    assert.match(
      (await come(web.makeVisitor(), 'g2', grace)).payload,
      /is linked to a different account with that provider/,
    );
    await signUp(web, 'Hugo');
    const setVerified = (is_email_verified: 0 | 1) =>
      web.db.transaction((tx) => tx.updateTable('accounts').set({ is_email_verified }).execute());
    await setVerified(0);
    const hugo = { email: 'hugo@example.com', email_verified: true, name: 'Hugo' };
    const refused = await come(web.makeVisitor(), 'h', hugo);
    assert.equal(refused.statusCode, 403);
    assert.match(refused.payload, /the address is not confirmed/);
    await setVerified(1);
    assert.equal((await come(web.makeVisitor(), 'h', hugo)).statusCode, 302);
  });

  test(`a person of another issuer is not the one with the same sub, but the one with the same address [${engine}]`, async (t) => {
    const { web, come } = await openWeb(t, engine);
    const ada = { email: 'ada@example.com', email_verified: true, name: 'Ada' };
    assert.equal((await come(web.makeVisitor(), '1', ada)).statusCode, 302);
    const changed = await openWeb(t, engine, [], web.db);
    const eve = changed.web.makeVisitor();
    const came = await changed.come(eve, '1', { email: 'eve@example.com', email_verified: true, name: 'Eve' });
    assert.equal(came.statusCode, 302);
    assert.match((await eve.get('/b/acme')).payload, /Eve/);
    assert.deepEqual((await accountsOf(web)).map(({ email }) => email).sort(), ['ada@example.com', 'eve@example.com']);
    assert.equal((await changed.come(changed.web.makeVisitor(), '7', ada)).statusCode, 302);
    const again = await changed.come(changed.web.makeVisitor(), '8', ada);
    assert.match(again.payload, /is linked to a different account with that provider/);
  });

  test(`a user who signed in before issuers were stored is known by sub and address together [${engine}]`, async (t) => {
    const { web, come } = await openWeb(t, engine);
    const ada = { email: 'ada@example.com', email_verified: true, name: 'Ada' };
    await come(web.makeVisitor(), '1', ada);
    await web.db.transaction((tx) => tx.updateTable('credentials').set({ subject: '1' }).execute());
    const other = await come(web.makeVisitor(), '2', ada);
    assert.match(other.payload, /is linked to a different account with that provider/);
    await come(web.makeVisitor(), '1', { email: 'eve@example.com', email_verified: true, name: 'Eve' });
    assert.equal((await accountsOf(web)).length, 2);
    await web.db.transaction((tx) => tx.deleteFrom('credentials').where('subject', '<>', '1').execute());
    assert.equal((await come(web.makeVisitor(), '1', ada)).statusCode, 302);
    assert.equal((await accountsOf(web)).length, 2);
  });

  test(`an account with a second factor is not entered with a provider alone [${engine}]`, async (t) => {
    const { web, come } = await openWeb(t, engine);
    await signUp(web, 'Grace');
    await web.db.transaction((tx) => tx.updateTable('accounts').set({ is_second_factor_on: 1 }).execute());
    const visitor = web.makeVisitor();
    const { statusCode, payload } = await come(visitor, 'g', { email: 'grace@example.com', email_verified: true });
    assert.equal(statusCode, 403);
    assert.match(payload, /two-factor/);
    assert.doesNotMatch((await visitor.get('/b/acme')).payload, /Grace/);
  });
}
