import assert from 'node:assert/strict';
import { PASSWORD, readMail, testPages, testWeb } from '../../test/support/web.ts';
import { setBoard } from '../identity/board/board.ts';
import { makeSetupLink } from '../identity/team/inviting.ts';

const member = (id: string) => ({ intent: `role-${id}`, id, role: 'OWNER' });

testPages('pages are served with a policy of their own, and unknown ones as pages', async ({ makeVisitor }) => {
  const visitor = makeVisitor();
  const [one, other] = [await visitor.get('/sign-in'), await visitor.get('/sign-in')];
  assert.equal(one.statusCode, 200);
  const policy = String(one.headers['content-security-policy']);
  const nonce = /'nonce-([\w-]{20,})'/.exec(policy)?.[1] ?? '';
  assert.notEqual(policy, other.headers['content-security-policy']);
  assert.match(policy, /^default-src 'none'; script-src 'self' 'nonce-/);
  assert.match(policy, /form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/);
  const scripts = [...one.payload.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
  assert.ok(scripts.length > 0 && scripts.every((tag) => tag.includes(`nonce="${nonce}"`)), scripts.join());
  assert.deepEqual([one.headers['x-frame-options'], one.headers['cache-control']], ['DENY', 'private, no-store']);

  const missing = await visitor.get('/b/nowhere');
  assert.equal(missing.statusCode, 404);
  assert.match(missing.payload, /Page not found/);
  const ofApi = await visitor.get('/api/nowhere');
  assert.match(String(ofApi.headers['content-type']), /^application\/json/);
});

testPages('a form of another site changes nothing', async ({ makeMember, db }) => {
  const owner = await makeMember('Olga', 'OWNER');
  const form = { intent: 'basics', name: 'Stolen', locale: 'en' };
  const path = '/b/acme/settings/general';
  for (const headers of [
    {},
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://board.test.evil.example' },
    { origin: 'http://board.test', 'sec-fetch-site': 'cross-site' },
    { origin: 'http://board.test', 'sec-fetch-site': 'same-site' },
  ]) {
    const refused = await owner.post(path, form, headers as Record<string, string>);
    assert.equal(refused.statusCode, 403, JSON.stringify(headers));
    const data = await owner.post(`${path}.data`, form, headers as Record<string, string>);
    assert.equal(data.statusCode, 403, JSON.stringify(headers));
  }
  const board = await db.read.selectFrom('boards').select('name').executeTakeFirstOrThrow();
  assert.equal(board.name, 'Acme');
  assert.equal((await owner.post(path, form, { 'sec-fetch-site': 'same-origin' })).statusCode, 302);
});

testPages(
  'signing in leads to where the visitor wanted to go, and nowhere else',
  async ({ makeMember, makeVisitor }) => {
    await makeMember('Olga', 'OWNER');
    const signIn = (next: string) =>
      makeVisitor().post('/sign-in', { intent: 'password', email: 'olga@example.com', password: PASSWORD, next });
    assert.equal(
      (await signIn('/b/acme/settings/apis')).headers.location,
      '/sign-in?next=%2Fb%2Facme%2Fsettings%2Fapis',
    );
    assert.equal((await signIn('//evil.example')).headers.location, '/sign-in');
    const member = makeVisitor();
    await member.post('/sign-in', { intent: 'password', email: 'olga@example.com', password: PASSWORD });
    assert.equal((await member.get('/sign-in?next=//evil.example')).headers.location, '/b/acme/settings');
    assert.equal((await member.get('/sign-in?next=/b/acme')).headers.location, '/b/acme');
  },
);

testPages('session cookies are out of reach of scripts and other sites', async ({ makeMember, makeVisitor }) => {
  await makeMember('Olga', 'OWNER');
  const signedIn = await makeVisitor().post('/sign-in', {
    intent: 'password',
    email: 'olga@example.com',
    password: PASSWORD,
  });
  const cookie = signedIn.cookies.find(({ name }) => name === 'earshot.session_token');
  assert.deepEqual([cookie?.httpOnly, cookie?.sameSite, cookie?.path], [true, 'Lax', '/']);
});

testPages('settings are for the team: anonymous visitors are sent to sign in, others are refused', async (web) => {
  const pages = ['', '/general', '/members', '/apis', '/apis/new'];
  const moderator = await web.makeMember('Mo', 'MODERATOR');
  for (const page of pages) {
    const path = `/b/acme/settings${page}`;
    const anonymous = await web.makeVisitor().get(path);
    assert.deepEqual(
      [anonymous.statusCode, anonymous.headers.location?.startsWith('/sign-in?next=')],
      [302, true],
      page,
    );
    // The first page leads those who manage nothing to their own settings.
    assert.equal((await moderator.get(path)).statusCode, page === '' ? 302 : 403, page);
    const { statusCode } = await moderator.post(path, { name: 'x' });
    assert.ok(statusCode === 403 || statusCode === 405, `${page}: ${statusCode}`); // 405: nothing to post to
  }
  assert.equal((await moderator.get('/b/acme/settings/account')).statusCode, 200);
});

testPages('an admin neither appoints nor changes owners', async ({ makeMember, db }) => {
  await makeMember('Olga', 'OWNER');
  const admin = await makeMember('Adam', 'ADMIN');
  const users = await db.read.selectFrom('users').selectAll().execute();
  const idOf = (name: string) => users.find((user) => user.name === name)?.id ?? '';
  const path = '/b/acme/settings/members';
  assert.equal((await admin.post(path, member(idOf('Adam')))).statusCode, 403);
  assert.equal((await admin.post(path, { intent: 'remove-x', id: idOf('Olga') })).statusCode, 403);
  const invited = await admin.post(path, { intent: 'invite', email: 'eve@example.com', role: 'OWNER' });
  assert.equal(invited.statusCode, 403);
  const after = await db.read.selectFrom('users').select(['name', 'role']).execute();
  assert.deepEqual(
    after
      .filter(({ role }) => role === 'OWNER')
      .map(({ name }) => name)
      .sort(),
    ['Olga', 'ada'],
  );
  assert.deepEqual(await db.read.selectFrom('mails').selectAll().execute(), []);
});

testWeb('a board always has an owner', async ({ makeMember, db }) => {
  const owner = await makeMember('Olga', 'OWNER');
  const users = await db.read.selectFrom('users').select(['id', 'name']).execute();
  const path = '/b/acme/settings/members';
  for (const { id, name } of users.toSorted((a) => (a.name === 'Olga' ? 1 : -1))) {
    const answer = await owner.post(path, { intent: `remove-${id}`, id });
    assert.equal(answer.statusCode, name === 'Olga' ? 422 : 302, String(name));
  }
});

testPages('an owner of one board has no rights on another', async ({ makeMember, makeBoard, makeKey, db }) => {
  const owner = await makeMember('Olga', 'OWNER');
  const other = await makeBoard({ name: 'Other' });
  await makeKey({ name: 'Theirs' }, other);
  const theirs = await db.read.selectFrom('api_keys').selectAll().where('board_id', '=', other.id).executeTakeFirst();
  assert.equal((await owner.get('/b/other/settings/apis')).statusCode, 403);
  assert.equal((await owner.get(`/b/acme/settings/apis/${theirs?.id}`)).statusCode, 404);
  const revoked = await owner.post(`/b/acme/settings/apis/${theirs?.id}`, { intent: 'revoke', confirm: 'Theirs' });
  assert.equal(revoked.statusCode, 404);
  const address = await owner.post('/b/acme/settings/general', { intent: 'address', pid: 'other', domain: '' });
  assert.equal(address.statusCode, 422);
});

testWeb('a form that is sent twice makes one key and shows it both times', async ({ makeMember, db }) => {
  const owner = await makeMember('Olga', 'OWNER');
  const page = await owner.get('/b/acme/settings/apis/new');
  const nonce = /name="nonce" value="([\w-]{43})"/.exec(page.payload)?.[1] ?? '';
  const form = { nonce, name: 'Twice', read: 'on', webhooks: 'on', allowedIps: '', expires: '' };
  const answers = [
    await owner.post('/b/acme/settings/apis/new', form),
    await owner.post('/b/acme/settings/apis/new', form),
  ];
  const [one, other] = answers.map(({ payload }) => /esk_[\w-]{43}/.exec(payload)?.[0]);
  assert.ok(one);
  assert.equal(one, other);
  const keys = await db.read.selectFrom('api_keys').selectAll().where('name', '=', 'Twice').execute();
  assert.equal(keys.length, 1);
  assert.equal(keys[0]?.permissions, 'READ,WEBHOOKS');
  const list = (await owner.get('/b/acme/settings/apis')).payload;
  assert.match(list, /Read, Manage webhooks/);
});

testPages('names and texts of others are shown, never run', async ({ api, makeVisitor, db, board }) => {
  const hostile = '</script><script>alert(1)</script>"\'><img src=x onerror=alert(1)>\u202e';
  await db.transaction((tx) => setBoard(tx, board.id, { name: hostile, description: hostile }));
  const comment = `${hostile}\n\n[x](javascript:alert(1)) ![x](https://evil.example/x.png) <b onclick=x>`;
  await api.createPost({ title: hostile, comment });
  for (const path of ['/b/acme', '/b/acme/posts/1']) {
    const { payload } = await makeVisitor().get(path);
    assert.ok(!/<script>alert|<img|javascript:alert\(1\)"|<b onclick/.test(payload), path);
  }
});

testPages(
  'input that is too much, too long or odd gets a clear error, not a failure',
  async ({ makeMember, makeVisitor }) => {
    const owner = await makeMember('Olga', 'OWNER');
    const path = '/b/acme/settings/general';
    const long = await owner.post(path, { intent: 'basics', name: 'x'.repeat(10_000), locale: 'en' });
    assert.equal(long.statusCode, 422);
    assert.ok(long.payload.includes('This must have 1 to 100 characters') && long.payload.includes('x'.repeat(10_000)));
    assert.equal((await owner.post(path, { intent: 'basics', name: 'x', locale: 'xx' })).statusCode, 422);
    assert.equal((await owner.post(path, { intent: 'look', color: 'red' })).statusCode, 422);
    assert.equal((await owner.post(path, { name: 'x'.repeat(2_000_000) })).statusCode, 413);
    for (const strange of [
      '/b/acme/posts/0',
      '/b/acme/posts/1e9',
      '/b/acme/posts/x',
      '/b/%00',
      '/b/acme/posts/%00',
      '/b/acme/settings/apis/x',
    ]) {
      const { statusCode } = await makeVisitor().get(strange);
      assert.ok(statusCode === 404 || statusCode === 302, `${strange}: ${statusCode}`);
    }
    for (const id of ['x', '%00']) assert.equal((await owner.get(`/b/acme/settings/apis/${id}`)).statusCode, 404);
    const strangeForms: Record<string, string>[] = [
      { intent: 'withdraw', id: '\0' },
      { intent: 'remove-x', id: '\0' },
      { intent: 'invite', email: '\0@example.com' },
    ];
    for (const form of strangeForms) {
      assert.ok((await owner.post('/b/acme/settings/members', form)).statusCode < 500, JSON.stringify(form));
    }
    assert.ok((await owner.post('/b/acme/settings/account', { intent: 'session', id: '\0' })).statusCode < 500);
    assert.equal((await makeVisitor().get('/b/acme?after=broken&sort=top')).statusCode, 200);
  },
);

testPages('a host of its own leads to its board', async ({ api, app, makeVisitor, makeBoard, db, makePost }) => {
  const other = await makeBoard({ name: 'Other' });
  await db.transaction((tx) => setBoard(tx, other.id, { domain: 'ideas.example.com' }));
  const visitor = makeVisitor();
  assert.equal((await visitor.get('/')).headers.location, '/b/acme');
  assert.equal((await visitor.get('/', { host: 'ideas.example.com' })).headers.location, '/b/other');
  await makePost('Post');
  const posts = await api.posts({}, { nodes: { url: true } });
  assert.equal((await visitor.get(new URL(posts.nodes[0]?.url ?? '').pathname)).statusCode, 200);
  const ofHost = await app.inject({ url: '/posts/1/slug', headers: { host: 'ideas.example.com' } });
  assert.deepEqual([ofHost.statusCode, ofHost.headers.location], [301, '/b/other/posts/1/slug']);
});

testPages('mailed links lead to BASE_URL, whatever host a board or a request names', async (web) => {
  const { makeMember, makeVisitor, makeBoard, db } = web;
  await makeMember('Olga', 'OWNER');
  const other = await makeBoard({ name: 'Other' });
  await db.transaction((tx) => setBoard(tx, other.id, { domain: 'ideas.example.com' }));
  for (const host of ['ideas.example.com', 'evil.example', 'board.test:81', 'board.test.evil.example']) {
    for (const [path, email, intent, link] of [
      ['/sign-in', 'olga@example.com', 'link', '/sign-in/link/'],
      ['/sign-in', 'nobody@example.com', 'link', '/sign-up/'],
      ['/reset-password', 'olga@example.com', 'link', '/reset-password/'],
    ] as const) {
      await db.transaction((tx) => tx.deleteFrom('throttles').execute());
      const headers = { host, origin: `http://${host}`, 'x-forwarded-host': host };
      const { statusCode } = await makeVisitor().post(path, { intent, email, next: '/b/other' }, headers);
      assert.ok(statusCode < 400, `${host}: ${statusCode}`);
      const mail = await readMail(web, email);
      assert.ok(mail.path.startsWith(link), `${host}: ${mail.path}`);
      assert.doesNotMatch(mail.body, /ideas\.example|evil|:81/);
      await db.transaction((tx) => tx.deleteFrom('mails').execute());
    }
  }
});

testPages('mail to an account belongs to the first board that the person is on', async (web) => {
  const { db, clock, makeVisitor } = web;
  await web.makeMember('Olga', 'OWNER');
  const other = await web.makeBoard();
  const link = await makeSetupLink({ db, clock, baseUrl: 'http://board.test', board: other });
  await makeVisitor().post(new URL(link).pathname, { name: 'Zoe', email: 'zoe@example.com', password: PASSWORD });
  for (const email of ['olga@example.com', 'zoe@example.com']) {
    await makeVisitor().post('/sign-in', { intent: 'link', email });
  }
  await web.app.close(); // waits for what no test waited for
  const mails = await db.read.selectFrom('mails').select(['recipient', 'board_id']).execute();
  assert.deepEqual(
    new Map(mails.map((mail) => [mail.recipient, mail.board_id])),
    new Map([
      ['olga@example.com', web.board.id],
      ['zoe@example.com', other.id],
    ]),
  );
});
