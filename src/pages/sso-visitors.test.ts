import assert from 'node:assert/strict';
import { testCipher } from '../../test/support/sender.ts';
import { openSso, turnOnSso } from '../../test/support/sso.ts';
import { testPages, testWeb, type WebVisitor } from '../../test/support/web.ts';

testWeb('a visitor who is signed in is asked before a login makes them another person', async (web) => {
  const { owner, sign } = await openSso(web);
  const path = `/b/acme/sso/${sign({ id: 'x', name: 'Xenia' })}?returnUrl=/b/acme/roadmap`;
  const asked = await owner.get(path);
  assert.equal(asked.statusCode, 200);
  assert.match(asked.payload, /signed in here as Olga/);
  assert.match((await owner.get('/b/acme')).payload, /Olga/, 'nothing has changed');
  assert.equal((await owner.post(path, {}, { origin: 'http://evil.example' })).statusCode, 403);
  const agreed = await owner.post(path, {});
  assert.deepEqual([agreed.statusCode, agreed.headers.location], [303, '/b/acme/roadmap']);
  const { payload } = await owner.get('/b/acme');
  assert.match(payload, /Xenia/);
  assert.doesNotMatch(payload, /Olga/);
  assert.equal((await owner.get(path)).statusCode, 303, 'the same person is not asked');
  await owner.post('/sign-out', {});
  assert.deepEqual([...owner.cookies.keys()], ['earshot.done'], 'for a minute, that it was done here');
  assert.doesNotMatch((await owner.get('/b/acme')).payload, /Xenia/);
});

testPages('a login of another board replaces no session, whatever its state', async (web) => {
  const { owner, sign } = await openSso(web, { loginUrl: 'https://app.example.com/login' });
  const stateOf = async (visitor: WebVisitor, path: string) => {
    const { payload } = await visitor.get(path);
    return /state=([\w-]+)/.exec(payload)?.[1] ?? assert.fail(payload);
  };
  const token = sign({ id: 'x', name: 'Xenia' });
  const state = await stateOf(owner, '/b/acme/sso');
  assert.match((await owner.get(`/b/acme/sso/${token}?state=${state}`)).payload, /signed in here as Olga/);
  await web.makePost('Dark mode');
  const begin = async () => {
    const visitor = web.makeVisitor();
    await visitor.post('/b/acme/posts/1', { intent: 'comment', text: 'Me too', formId: '' });
    return visitor;
  };
  const lured = await begin();
  const asked = await lured.get(`/b/acme/sso/${token}?returnUrl=/b/acme/continue`);
  assert.match(asked.payload, /what you have started here will be posted as Xenia/);
  assert.equal((await lured.get(`/b/acme/sso/${token}?state=x`)).statusCode, 200);
  const other = await web.makeBoard({ name: 'Other' });
  await turnOnSso(web, other.id, { login_url: 'https://evil.example/' });
  const stateOfOther = await stateOf(lured, `/b/${other.pid}/sso`);
  assert.equal((await lured.get(`/b/acme/sso/${token}?state=${stateOfOther}`)).statusCode, 200);
  const own = await stateOf(lured, '/b/acme/sso');
  assert.equal((await lured.get(`/b/acme/sso/${token}?state=${own}`)).statusCode, 303);
  assert.equal(lured.cookies.has('earshot.sso-state'), false, 'it counts once');
});

testPages('a user who signs in to a board by single sign-on stays signed in to others', async (web) => {
  const { sign } = await openSso(web);
  const visitor = web.makeVisitor();
  await visitor.get(`/b/acme/sso/${sign({ id: 1, name: 'Ulla' })}`);
  const other = await web.makeBoard({ name: 'Other' });
  const settings = await web.db.read.selectFrom('sso_settings').selectAll().executeTakeFirstOrThrow();
  const cipher = testCipher;
  const secret = cipher.decrypt(settings.secret ?? '', `sso_settings.secret ${settings.board_id}`);
  await turnOnSso(web, other.id, { secret: cipher.encrypt(secret, `sso_settings.secret ${other.id}`) });
  assert.equal((await visitor.get(`/b/${other.pid}/sso/${sign({ id: 2, name: 'Ulla' })}`)).statusCode, 303);
  for (const pid of ['acme', other.pid]) assert.match((await visitor.get(`/b/${pid}`)).payload, /Ulla/, pid);
});

testPages(
  'a visitor without a token is sent to the login of the board, and continues with what they began',
  async (web) => {
    const { sign } = await openSso(web, { loginUrl: 'https://app.example.com/login?for=feedback' });
    await web.makePost('Dark mode');
    const visitor = web.makeVisitor();
    const begun = await visitor.post('/b/acme/posts/1', { intent: 'comment', text: 'Me too', formId: '' });
    const sso = begun.headers.location ?? '';
    assert.equal(sso, '/b/acme/sso?next=%2Fb%2Facme%2Fcontinue');
    const { payload } = await visitor.get(sso);
    const [, href = ''] = /http-equiv="refresh" content="0;url=([^"]+)"/i.exec(payload) ?? assert.fail(payload);
    const login = new URL(href.replaceAll('&amp;', '&'));
    assert.equal(
      `${login.origin}${login.pathname}${login.searchParams.get('for')}`,
      'https://app.example.com/loginfeedback',
    );
    assert.equal(login.searchParams.get('returnUrl'), 'http://board.test/b/acme/continue');
    const back = new URLSearchParams({
      returnUrl: login.searchParams.get('returnUrl') ?? '',
      state: login.searchParams.get('state') ?? '',
    });
    const came = await visitor.get(`/b/acme/sso/${sign({ id: 5, name: 'Grace' })}?${back}`);
    assert.equal(came.headers.location, '/b/acme/continue');
    await visitor.get('/b/acme/continue');
    assert.match((await visitor.get('/b/acme/posts/1')).payload, /Me too/);
    assert.match((await web.makeVisitor().get('/sign-in?next=/b/acme')).payload, /Continue with Acme/);
  },
);
