import assert from 'node:assert/strict';
import { readMail, signUp, type TestWeb, testWeb, type WebVisitor } from '../../test/support/web.ts';

const rolesOf = async ({ db }: TestWeb, name: string) =>
  (await db.read.selectFrom('users').select('role').where('name', '=', name).execute()).map(({ role }) => role);

testWeb('asking for a link tells nobody whether there is an account', async (web) => {
  await web.makeMember('Olga', 'OWNER');
  const ask = (email: string) => web.makeVisitor().post('/sign-in', { intent: 'link', email });
  const [known, unknown] = [await ask('olga@example.com'), await ask('nobody@example.com')];
  const plain = (text: string) => text.replace(/olga@|nobody@|nonce[-="\w]+|[\w-]{20,}/g, '');
  assert.equal(known.statusCode, unknown.statusCode);
  assert.equal(plain(known.payload), plain(unknown.payload));
  assert.equal((await readMail(web, 'olga@example.com')).subject, 'Your sign-in link');
  assert.equal((await readMail(web, 'nobody@example.com')).subject, 'Confirm your email address');
});

testWeb('whoever has signed up is a member from the first thing on that they do, and no more', async (web) => {
  await web.makePost('Dark mode');
  const vera = await signUp(web, 'Vera');
  assert.equal((await vera.get('/b/acme')).statusCode, 200);
  assert.deepEqual(await rolesOf(web, 'Vera'), []);
  const votes = await Promise.all([1, 2, 3].map(() => vera.post('/b/acme/votes/1', { vote: 'up', next: '/b/acme' })));
  assert.deepEqual(
    votes.map(({ statusCode }) => statusCode),
    [302, 302, 302],
  );
  assert.deepEqual(await rolesOf(web, 'Vera'), ['MEMBER']);
  const { posts } = await web.ask('{ posts { nodes { upvoteCount } } }');
  assert.equal(posts.nodes[0].upvoteCount, 1);
  for (const page of ['', '/general', '/members', '/apis', '/webhooks']) {
    assert.equal((await vera.get(`/b/acme/settings${page}`)).statusCode, 403, page);
  }
  const role = { intent: 'role-x', id: (await web.db.read.selectFrom('users').select('id').execute())[0]?.id ?? '' };
  assert.equal((await vera.post('/b/acme/settings/members', { ...role, role: 'OWNER' })).statusCode, 403);
});

testWeb('an idea that is sent twice is there once; other words from the same form make another', async (web) => {
  const vera = await signUp(web, 'Vera');
  const page = await vera.get('/b/acme');
  const formId = /name="formId" value="([\w-]{36})"/.exec(page.payload)?.[1] ?? '';
  const form = { formId, title: 'Dark mode', comment: 'Please.' };
  const sent = await Promise.all([vera.post('/b/acme?index', form), vera.post('/b/acme?index', form)]);
  assert.deepEqual(
    [...new Set(sent.map(({ headers }) => headers.location))],
    ['/b/acme/posts/1/dark-mode?done=posted'],
  );
  const other = await vera.post('/b/acme?index', { ...form, title: 'Darker mode' });
  assert.equal(other.headers.location, '/b/acme/posts/2/darker-mode?done=posted');
  const { posts } = await web.ask('{ posts { nodes { title } } }');
  assert.deepEqual(posts.nodes.map(({ title }: { title: string }) => title).sort(), ['Dark mode', 'Darker mode']);
});

testWeb('what a stranger sends waits for them, in their browser only', async (web) => {
  const postId = await web.makePost('Dark mode');
  const stranger = web.makeVisitor();
  const kept = await stranger.post('/b/acme/votes/1', { vote: 'up', next: '/b/acme' });
  assert.equal(kept.headers.location, '/sign-in?next=%2Fb%2Facme%2Fcontinue');
  const cookie = kept.cookies.find(({ name }) => name === 'earshot.browser');
  assert.deepEqual([cookie?.httpOnly, cookie?.sameSite, cookie?.maxAge], [true, 'Lax', 3_600]);
  const vera = await signUp(web, 'Vera');
  assert.equal((await vera.get('/b/acme/continue')).headers.location, '/b/acme');
  assert.deepEqual(await web.db.read.selectFrom('votes').select('id').where('post_id', '=', postId).execute(), []);
  vera.cookies.set('earshot.browser', stranger.cookies.get('earshot.browser') ?? '');
  assert.equal((await vera.get('/b/acme/continue')).headers.location, '/b/acme/posts/1/dark-mode?done=voted');
  assert.equal((await vera.get('/b/acme/continue')).headers.location, '/b/acme');
  const empty = await stranger.post('/b/acme?index', { title: ' ', comment: '' });
  assert.equal(empty.statusCode, 422);
  assert.match(empty.payload, /This must have 1 to 200 characters/);
});

testWeb('forms of other sites neither vote nor post, nor leave anything to be done', async (web) => {
  await web.makePost('Dark mode');
  const vera = await signUp(web, 'Vera');
  for (const visitor of [vera, web.makeVisitor()]) {
    for (const headers of [{}, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'same-site' }]) {
      const sent = headers as Record<string, string>;
      for (const path of ['/b/acme/votes/1', '/b/acme/votes/1.data', '/b/acme?index', '/b/acme/continue']) {
        assert.equal((await visitor.post(path, { vote: 'up', title: 'Spam' }, sent)).statusCode, 403, path);
      }
    }
  }
  assert.deepEqual(await web.db.read.selectFrom('drafts').select('id').execute(), []);
  assert.deepEqual(await web.db.read.selectFrom('votes').select('id').execute(), []);
});

testWeb('nobody posts more than twenty ideas an hour on the pages; the team may', async (web) => {
  const [vera, mo] = [await signUp(web, 'Vera'), await web.makeMember('Mo', 'MODERATOR')];
  const post = (visitor: WebVisitor, n: number) => visitor.post('/b/acme?index', { title: `Idea ${n}`, comment: '' });
  for (let n = 1; n <= 20; n++) assert.equal((await post(vera, n)).statusCode, 302, String(n));
  const refused = await post(vera, 21);
  assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, '3600']);
  assert.match(refused.payload, /Too many attempts.*Idea 21/s);
  const byScript = await vera.post('/b/acme.data?index', { title: 'Idea 21', comment: '' });
  assert.deepEqual([byScript.statusCode, byScript.headers['retry-after']], [429, '3600']);
  for (let n = 1; n <= 21; n++) assert.equal((await post(mo, n)).statusCode, 302, String(n));
  web.clock.advance(3_600_000);
  assert.equal((await post(vera, 22)).statusCode, 302);
});

testWeb('what is hidden, locked or gone takes no votes', async (web) => {
  const id = await web.makePost('Dark mode');
  const vera = await signUp(web, 'Vera');
  const vote = () => vera.post('/b/acme/votes/1', { vote: 'up', next: '/b/acme?sort=top' });
  await web.ask('mutation($id: String!) { updatePost(id: $id, isLocked: true) { node { id } } }', { id });
  const locked = await vote();
  assert.equal(locked.statusCode, 422);
  assert.match(locked.payload, /This idea is locked/);
  assert.match(locked.payload, /href="\/b\/acme\?sort=top"/);
  await web.ask('mutation($id: String!) { deletePost(postId: $id) { id } }', { id });
  assert.equal((await vote()).statusCode, 404);
  for (const number of ['0', 'x', '1e3', '%00']) {
    assert.equal((await vera.post(`/b/acme/votes/${number}`, { vote: 'up' })).statusCode, 404, number);
  }
  assert.equal((await vera.get('/b/acme/votes/1')).statusCode, 200);
});

testWeb('ideas like a title are found, by who may see them', async (web) => {
  // Words that every idea has say nothing about what it is like.
  for (let n = 0; n < 30; n++) await web.makePost(`Improve page ${n} of the settings`);
  await web.makePost('Export to CSV with filters');
  const path = `/b/acme/similar?title=${encodeURIComponent('CSV export of filters')}`;
  const read = async () => (await web.makeVisitor().get(path)).payload;
  assert.match(await read(), /Export to CSV with filters/);
  await web.db.transaction((tx) => tx.updateTable('posts').set({ moderation_status: 'PENDING' }).execute());
  assert.doesNotMatch(await read(), /Export to CSV with filters/);
  assert.equal((await web.makeVisitor().get('/b/acme/similar')).statusCode, 200);
});
