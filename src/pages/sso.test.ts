import assert from 'node:assert/strict';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { startReceiver } from '../../test/support/receiver.ts';
import { openSso, rotate, usersOf } from '../../test/support/sso.ts';
import { testPages, testWeb } from '../../test/support/web.ts';
import { DAY_MS } from '../platform/lib/clock.ts';

testWeb('a token signs in the person that the API knows, and leads to a path of the board', async (web) => {
  const { sign } = await openSso(web);
  await web.api.as(null).createUser({ ssoType: 'SSO', ssoId: '7', name: 'Old name' });
  await web.makePost('Dark mode');
  const visitor = web.makeVisitor();
  const token = sign({ id: 7, name: 'Grace', email: 'grace@example.com' });
  const came = await visitor.get(`/b/acme/sso/${token}?returnUrl=http://board.test/b/acme/posts/1`);
  assert.deepEqual([came.statusCode, came.headers.location], [303, '/b/acme/posts/1']);
  assert.match(String(came.headers['cache-control']), /no-store/);
  assert.equal(came.headers['referrer-policy'], 'no-referrer');
  const [user, ...more] = await usersOf(web, '7');
  assert.deepEqual([user?.name, user?.email, more.length], ['Grace', 'grace@example.com', 0]);
  assert.match((await visitor.get('/b/acme')).payload, /Grace/);
  assert.equal((await visitor.post('/b/acme/votes/1', {})).statusCode, 200);
  const votes = await web.db.read.selectFrom('votes').select('user_id').execute();
  assert.ok(
    votes.some(({ user_id }) => user_id === user?.id),
    'the vote is theirs',
  );
  for (const elsewhere of [
    'https://evil.example/b/acme',
    '//evil.example',
    '/b/other',
    '/b/acme/../../x',
    'javascript:1',
  ]) {
    const { headers } = await web.makeVisitor().get(`/b/acme/sso/${token}?returnUrl=${encodeURIComponent(elsewhere)}`);
    assert.equal(headers.location, '/b/acme', elsewhere);
  }
  assert.equal((await web.makeVisitor().get(`/sso/${token}`)).headers.location, '/b/acme', 'the board of the host');
});

testPages('a wrong token is refused with the reason', async (web) => {
  const { sign, secret } = await openSso(web);
  const other = await web.makeBoard({ name: 'Other' });
  const cases: [path: string, words: RegExp][] = [
    [`/b/acme/sso/${sign({ id: 1 }, 'another secret')}`, /signature is wrong/],
    [`/b/acme/sso/${sign({ id: 1, exp: 1 })}`, /expired/],
    [`/b/acme/sso/nothing`, /not a JWT/],
    [`/b/${other.pid}/sso/${sign({ id: 1 }, secret)}`, /Single sign-on is not turned on for this board/],
  ];
  for (const [path, words] of cases) {
    const visitor = web.makeVisitor();
    const { statusCode, payload } = await visitor.get(path);
    assert.equal(statusCode, 403, path);
    assert.match(payload, words);
    assert.equal(visitor.cookies.size, 0, path);
  }
  assert.deepEqual(await usersOf(web, '1'), []);
  assert.ok(!web.logged.join().includes(secret));
});

testWeb('a token with a jti works once', async (web) => {
  const { sign } = await openSso(web);
  const token = sign({ id: 1, jti: 'a' });
  const all = await Promise.all(Array.from({ length: 5 }, () => web.makeVisitor().get(`/b/acme/sso/${token}`)));
  assert.deepEqual(all.map(({ statusCode }) => statusCode).sort(), [303, 403, 403, 403, 403]);
  const come = async (jti: unknown) => (await web.makeVisitor().get(`/b/acme/sso/${sign({ id: 1, jti })}`)).statusCode;
  assert.deepEqual([await come('b'), await come(7), await come('7'), await come(7)], [303, 303, 303, 403]);
  assert.deepEqual([await come({ a: 1 }), await come({ a: 2 }), await come({ a: 1 })], [303, 303, 403]);
  for (const none of [null, null, '', '']) assert.equal(await come(none), 303, 'no name');
});

testPages('a private board refuses a token just as an unknown board does', async (web) => {
  const { owner, sign } = await openSso(web);
  const setAccess = (access: 'PUBLIC' | 'MEMBERS') =>
    web.db.transaction((tx) => tx.updateTable('boards').set({ access }).where('pid', '=', 'acme').execute());
  const tokens = ['x', 'x.y.z', sign({ id: 1 }, 'another secret'), sign({ id: 1, exp: 1 }), sign({ name: 'No id' })];
  await setAccess('MEMBERS');
  for (const token of tokens) {
    for (const way of ['get', 'post'] as const) {
      const ask = async (pid: string) => {
        const { statusCode, payload } = await web.makeVisitor()[way](`/b/${pid}/sso/${token}`, {});
        return [statusCode, /role="alert"[^>]*>([^<]*)/.exec(payload)?.[1]];
      };
      const told = await ask('acme');
      assert.deepEqual(told, await ask('nowhere'), token);
      assert.equal(told[1], 'This sign-in link is invalid or has expired');
    }
  }
  assert.match((await owner.get(`/b/acme/sso/${tokens[2]}`)).payload, /signature is wrong/);
  assert.equal((await web.makeVisitor().get(`/b/acme/sso/${sign({ id: 1 })}`)).statusCode, 303);
});

testPages('an API user cannot sign in', async (web) => {
  const { sign } = await openSso(web);
  const visitor = web.makeVisitor();
  assert.equal((await visitor.get(`/b/acme/sso/${sign({ id: 'bot' })}`)).statusCode, 303);
  await web.api.as(null).createUser({ ssoType: 'SSO', ssoId: 'bot', isApiUser: true });
  const refused = await web.makeVisitor().get(`/b/acme/sso/${sign({ id: 'bot' })}`);
  assert.equal(refused.statusCode, 403);
  assert.match(refused.payload, /API users are systems of the team/);
  assert.doesNotMatch((await visitor.get('/b/acme')).payload, /sign-out/, 'nor was one signed in before');
});

testPages('the team signs in with accounts, and tokens grant roles only where the board allows it', async (web) => {
  const { owner, sign } = await openSso(web);
  const come = async (claims: object) => {
    const visitor = web.makeVisitor();
    const { statusCode } = await visitor.get(`/b/acme/sso/${sign(claims)}`);
    return { statusCode, visitor };
  };
  assert.equal((await come({ id: 'ada' })).statusCode, 403, 'ada is an owner in the API');
  assert.equal((await come({ id: 'mo', role: 'ADMIN' })).statusCode, 303);
  assert.equal((await usersOf(web, 'mo'))[0]?.role, 'MEMBER');
  await owner.post('/b/acme/settings/sso', { intent: 'save', algorithm: 'HS256', roles: 'on' });
  const mo = await come({ id: 'mo', role: 'moderator' });
  assert.equal((await usersOf(web, 'mo'))[0]?.role, 'MODERATOR');
  assert.equal((await mo.visitor.get('/b/acme/moderation')).statusCode, 200);
  assert.equal((await come({ id: 'ada', role: 'MEMBER' })).statusCode, 403, 'an owner never');
  assert.equal((await come({ id: 'no', role: 'OWNER' })).statusCode, 303);
  assert.equal((await usersOf(web, 'no'))[0]?.role, 'MEMBER');
  await owner.post('/b/acme/settings/sso', { intent: 'save', algorithm: 'HS256' });
  assert.notEqual((await mo.visitor.get('/b/acme/moderation')).statusCode, 200, 'sessions follow the setting');
});

testWeb('a secret is changed without locking users out, and single sign-on is turned off', async (web) => {
  const { owner, secret, sign } = await openSso(web);
  const come = async (key: string) => (await web.makeVisitor().get(`/b/acme/sso/${sign({ id: 1 }, key)}`)).statusCode;
  const next = await rotate(owner);
  assert.deepEqual([await come(secret), await come(next)], [303, 303]);
  await owner.post('/b/acme/settings/sso', { intent: 'drop' });
  assert.deepEqual([await come(secret), await come(next)], [403, 303]);
  const stored = await web.db.read.selectFrom('sso_settings').selectAll().executeTakeFirstOrThrow();
  assert.ok(!JSON.stringify(stored).includes(next), 'the store has it encrypted');
  const visitor = web.makeVisitor();
  await visitor.get(`/b/acme/sso/${sign({ id: 1, name: 'Ulla' }, next)}`);
  await owner.post('/b/acme/settings/sso', { intent: 'remove' });
  assert.equal(await come(next), 403);
  assert.doesNotMatch((await visitor.get('/b/acme')).payload, /Ulla/);
  const moderator = await web.makeMember('Max', 'MODERATOR');
  assert.equal((await moderator.get('/b/acme/settings/sso')).statusCode, 403);
});

testWeb('a session lasts 90 days from its last use', async (web) => {
  const { sign } = await openSso(web);
  const visitor = web.makeVisitor();
  await visitor.get(`/b/acme/sso/${sign({ id: 1, name: 'Ulla' })}`);
  for (const days of [89, 89]) {
    web.clock.advance(days * DAY_MS);
    const { payload, cookies } = await visitor.get('/b/acme');
    assert.match(payload, /Ulla/);
    assert.equal(cookies.find(({ name }) => name.startsWith('earshot.sso.'))?.maxAge, (90 * DAY_MS) / 1_000);
  }
  web.clock.advance(91 * DAY_MS);
  assert.doesNotMatch((await visitor.get('/b/acme')).payload, /Ulla/);
});

testPages('the settings explain what is wrong with a token, and change nothing', async (web) => {
  const { owner, sign } = await openSso(web, { attributeClaims: 'company, plan' });
  const check = async (token: string) => (await owner.post('/b/acme/settings/sso', { intent: 'check', token })).payload;
  assert.match(await check(sign({ id: 1 }, 'another')), /signature is wrong/);
  const good = await check(` ${sign({ id: 9, name: 'Eve', company: 'Acme', email: 'x' })}\n`);
  assert.match(good, /would be accepted/);
  assert.match(good, /Acme<\/dd>/);
  assert.match(good, /email is not a valid address/);
  assert.deepEqual(await usersOf(web, '9'), []);
  assert.match(await check('x'.repeat(20_000)), /8,000/);
});

testPages('keys that could not be read are soon requested again', async (web, t) => {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'a' }];
  let status = 503;
  const { origin, received } = await startReceiver(t, (_, response) =>
    response.writeHead(status).end(JSON.stringify({ keys })),
  );
  const owner = await web.makeMember('Olga', 'OWNER');
  await owner.post('/b/acme/settings/sso', { intent: 'save', algorithm: 'JWKS', jwksUrl: `${origin}/keys` });
  const come = async () => {
    const token = await new SignJWT({ id: 1, exp: web.clock.now() / 1_000 + 300 })
      .setProtectedHeader({ alg: 'ES256', kid: 'a' })
      .sign(privateKey);
    return (await web.makeVisitor().get(`/b/acme/sso/${token}`)).statusCode;
  };
  assert.deepEqual([await come(), await come(), received.length], [403, 403, 1]);
  status = 200;
  web.clock.advance(30_000);
  assert.deepEqual([await come(), await come(), received.length], [303, 303, 2]);
});

testPages('keys that a server publishes are read, and read again when they change', async (web, t) => {
  const [first, second] = [await generateKeyPair('ES256'), await generateKeyPair('ES256')];
  let published = { ...(await exportJWK(first.publicKey)), kid: 'a' };
  const { origin, received } = await startReceiver(t, (_, response) =>
    response.end(JSON.stringify({ keys: [published] })),
  );
  const owner = await web.makeMember('Olga', 'OWNER');
  await owner.post('/b/acme/settings/sso', { intent: 'save', algorithm: 'JWKS', jwksUrl: `${origin}/keys` });
  const come = async (key: CryptoKey, kid: string) => {
    const token = await new SignJWT({ id: 1, exp: web.clock.now() / 1_000 + 300 })
      .setProtectedHeader({ alg: 'ES256', kid })
      .sign(key);
    return (await web.makeVisitor().get(`/b/acme/sso/${token}`)).statusCode;
  };
  assert.deepEqual(
    [await come(first.privateKey, 'a'), await come(first.privateKey, 'a'), received.length],
    [303, 303, 1],
  );
  published = { ...(await exportJWK(second.publicKey)), kid: 'b' };
  assert.equal(await come(second.privateKey, 'b'), 403, 'they were read just now');
  web.clock.advance(30_000);
  assert.deepEqual([await come(second.privateKey, 'b'), received.length], [303, 2]);
  for (let n = 0; n < 5; n++) await come(first.privateKey, 'a');
  assert.equal(received.length, 2, 'anonymous visitors cannot make it ask');
});
