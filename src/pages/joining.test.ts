import assert from 'node:assert/strict';
import { testCipher } from '../../test/support/sender.ts';
import { readMail, signUp, type TestWeb, testPages, testWeb, type WebVisitor } from '../../test/support/web.ts';
import type { MailDocument } from '../platform/mail/document.ts';
import { decryptBody } from '../platform/mail/mails.ts';

const rolesOf = async ({ db }: TestWeb, name: string) =>
  (await db.read.selectFrom('users').select('role').where('name', '=', name).execute()).map(({ role }) => role);

testPages('asking for a link does not reveal whether there is an account', async (web) => {
  await web.makeMember('Olga', 'OWNER');
  const ask = (email: string) => web.makeVisitor().post('/sign-in', { intent: 'link', email });
  const [known, unknown] = [await ask('olga@example.com'), await ask('nobody@example.com')];
  const plain = (text: string) => text.replace(/olga@|nobody@|nonce[-="\w]+|[\w-]{20,}/g, '');
  assert.equal(known.statusCode, unknown.statusCode);
  assert.equal(plain(known.payload), plain(unknown.payload));
  assert.equal((await readMail(web, 'olga@example.com')).subject, 'Your sign-in code');
  assert.equal((await readMail(web, 'nobody@example.com')).subject, 'Your sign-in code');
});

testPages('a user who has signed up becomes a member with their first action, and no more than that', async (web) => {
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
  const posts = await web.api.posts({}, { nodes: { upvoteCount: true } });
  assert.equal(posts.nodes[0]?.upvoteCount, 1);
  for (const page of ['/general', '/members', '/apis', '/webhooks']) {
    assert.equal((await vera.get(`/b/acme/settings${page}`)).statusCode, 403, page);
  }
  assert.equal((await vera.get('/b/acme/settings')).headers.location, '/b/acme/settings/profile');
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
  const posts = await web.api.posts({}, { nodes: { title: true } });
  assert.deepEqual(posts.nodes.map(({ title }) => title).sort(), ['Dark mode', 'Darker mode']);
  const countVotes = async () => (await web.db.read.selectFrom('votes').select('id').execute()).length;
  assert.equal(await countVotes(), 2, 'those of the author');
  await vera.post('/b/acme/votes/1', { vote: 'none', next: '/b/acme' });
  assert.equal(await countVotes(), 1, 'one was taken back');
});

testWeb('what an anonymous visitor sends waits for them, in their browser only', async (web) => {
  const postId = await web.makePost('Dark mode');
  const anonymous = web.makeVisitor();
  const kept = await anonymous.post('/b/acme/votes/1', { vote: 'up', next: '/b/acme' });
  assert.equal(kept.headers.location, '/sign-in?next=%2Fb%2Facme%2Fcontinue');
  const cookie = kept.cookies.find(({ name }) => name === 'earshot.browser');
  assert.deepEqual([cookie?.httpOnly, cookie?.sameSite, cookie?.maxAge], [true, 'Lax', 3_600]);
  const vera = await signUp(web, 'Vera');
  assert.equal((await vera.get('/b/acme/continue')).headers.location, '/b/acme');
  assert.deepEqual(await web.db.read.selectFrom('votes').select('id').where('post_id', '=', postId).execute(), []);
  vera.cookies.set('earshot.browser', anonymous.cookies.get('earshot.browser') ?? '');
  assert.equal((await vera.get('/b/acme/continue')).headers.location, '/b/acme/posts/1/dark-mode?done=voted');
  assert.equal((await vera.get('/b/acme/continue')).headers.location, '/b/acme');
  const empty = await anonymous.post('/b/acme?index', { title: ' ', comment: '' });
  assert.equal(empty.statusCode, 422);
  assert.match(empty.payload, /This must have 1 to 200 characters/);
});

/** The code in the newest mail to an address. */
const readCode = async (web: TestWeb, email: string) =>
  /code: (\d{6})$/m.exec((await readMail(web, email)).body)?.[1] ?? '';

testPages('the mail says what its code is for, in the language and in the name of the page', async (web) => {
  await web.makePost('Dark mode');
  const links = [
    'Win at casino.example',
    'Win at परीक्षा.com now',
    'evil。com/prize',
    'Call +1 900 555 0199',
    'Pay at 93.184.216.34',
  ];
  for (const title of links) await web.makePost(title);
  /** What the newest mail says before its code, after the paths of some votes. */
  const ask = async (numbers: number[], language = {}) => {
    const headers = { origin: 'http://board.test', ...language };
    const visitor = web.makeVisitor();
    for (const number of numbers)
      await visitor.post(`/b/acme/votes/${number}`, { vote: 'up', next: '/b/acme' }, headers);
    const email = `v${numbers.join('-')}${Object.values(language)}@example.com`;
    await visitor.post('/sign-in', { intent: 'link', email, next: '/b/acme/continue' }, headers);
    await readMail(web, email);
    const mails = web.db.read.selectFrom('mails').selectAll().where('recipient', '=', email);
    const mail = await mails.executeTakeFirstOrThrow();
    const body = decryptBody(testCipher, mail) as MailDocument;
    assert.ok(!/\d{6}/.test(mail.subject), 'the list of mails shows no code');
    return [body.subject?.replace(/\d{6}/, 'CODE'), body.preview];
  };
  assert.deepEqual(await ask([1]), ['CODE is your code for Acme', 'Enter this code to vote for “Dark mode”.']);
  for (const [index, title] of links.entries()) {
    assert.deepEqual(await ask([2 + index]), ['CODE is your code for Acme', 'Enter this code to sign in.'], title);
  }
  const german = await ask([1], { 'accept-language': 'de' });
  assert.deepEqual(german, ['CODE ist Ihr Code für Acme', 'Geben Sie diesen Code ein, um für „Dark mode“ zu stimmen.']);
});

/** A visitor who has begun to vote, post and comment, and has asked for a mail. */
async function beginAll(web: TestWeb, email: string): Promise<WebVisitor> {
  const visitor = web.makeVisitor();
  await visitor.post('/b/acme/votes/1', { vote: 'up', next: '/b/acme' });
  await visitor.post('/b/acme?index', { title: 'Export to CSV', comment: 'With filters.' });
  await visitor.post('/b/acme/posts/1', { intent: 'comment', text: 'Me too.' });
  const asked = await visitor.post('/sign-in', { intent: 'link', email, next: '/b/acme/continue' });
  assert.equal(asked.headers.location, '/sign-in?next=%2Fb%2Facme%2Fcontinue');
  return visitor;
}

const DONE = '{ posts(sort: OLDEST) { nodes { title upvoteCount commentCount author { name } } } }';

/** Follows redirections to their end. @returns the last location */
async function follow(visitor: WebVisitor, location: unknown): Promise<string> {
  const { headers } = await visitor.get(String(location));
  return headers.location ? follow(visitor, headers.location) : String(location);
}

testWeb('an action begun on one device is carried out once where the link is used', async (web) => {
  await web.makePost('Dark mode');
  const laptop = await beginAll(web, 'vera@example.com');
  const { path } = await readMail(web, 'vera@example.com');
  const phone = web.makeVisitor();
  const page = await phone.get(path);
  const begun = /A vote.*Dark mode.*An idea.*Export to CSV.*With filters\..*A comment.*Dark mode.*Me too\./s;
  assert.match(page.payload, begun);
  const joined = await phone.post(path, { name: 'Vera', password: '' });
  await follow(phone, joined.headers.location);
  const done = [
    ['Dark mode', 1, 1, 'Ada'],
    ['Export to CSV', 1, 0, 'Vera'],
  ];
  const read = async () =>
    (await web.ask(DONE)).posts.nodes.map((post: Record<string, unknown> & { author: { name: string } }) => [
      post.title,
      post.upvoteCount,
      post.commentCount,
      post.author.name,
    ]);
  assert.deepEqual(
    (await read()).map((row: unknown[]) => row.slice(0, 3)),
    done.map((row) => row.slice(0, 3)),
  );
  assert.equal((await read())[1]?.[3], 'Vera');
  const late = await laptop.post('/sign-in', {
    intent: 'code',
    code: await readCode(web, 'vera@example.com'),
    next: '/b/acme/continue',
  });
  assert.equal(
    await follow(laptop, late.headers.location),
    '/b/acme',
    'the code still signs in where it was asked for',
  );
  assert.equal((await read()).length, 2);
  const again = await phone.get(path);
  assert.match(again.payload, /already used or has expired/);
  assert.doesNotMatch(again.payload, /<form[^>]*method="post"[^>]*action="\?/);
});

testPages('the code carries out what was begun in the waiting tab, also without an account', async (web) => {
  await web.makePost('Dark mode');
  const laptop = await beginAll(web, 'vera@example.com');
  const waiting = await laptop.get('/sign-in?next=%2Fb%2Facme%2Fcontinue');
  assert.match(waiting.payload, /vera@example\.com/);
  assert.match(waiting.payload, /name="code"/);
  const code = await readCode(web, 'vera@example.com');
  const wrong = await laptop.post('/sign-in', { intent: 'code', code: code === '000000' ? '1' : '000000' });
  assert.equal(wrong.statusCode, 422);
  assert.match(wrong.payload, /The code is wrong or has expired/);
  const right = await laptop.post('/sign-in', { intent: 'code', code, next: '/b/acme/continue' });
  await follow(laptop, right.headers.location);
  const { posts } = await web.ask(DONE);
  assert.deepEqual(
    posts.nodes.map((post: Record<string, unknown>) => [post.title, post.upvoteCount, post.commentCount]),
    [
      ['Dark mode', 1, 1],
      ['Export to CSV', 1, 0],
    ],
  );
});

testPages(
  'all that a mail would do in the name of its reader is shown, also on what not everyone sees',
  async (web) => {
    await web.makePost('Dark mode');
    await beginAll(web, 'olga@example.com');
    const { path } = await readMail(web, 'olga@example.com');
    await web.db.transaction((tx) => tx.updateTable('posts').set({ moderation_status: 'REJECTED' }).execute());
    const { payload } = await web.makeVisitor().get(path);
    assert.match(payload, /A vote.*An idea.*Export to CSV.*A comment.*Me too\./s);
    assert.doesNotMatch(payload, /Dark mode/);
  },
);

testWeb('a mail gets what was begun before it was asked for, and nothing later', async (web) => {
  await web.makePost('Dark mode');
  const laptop = await beginAll(web, 'vera@example.com');
  await laptop.post('/b/acme?index', { title: 'Something else', comment: '' });
  const { path } = await readMail(web, 'vera@example.com');
  const phone = web.makeVisitor();
  const joined = await phone.post(path, { name: 'Vera', password: '' });
  await follow(phone, joined.headers.location);
  const { posts } = await web.ask(DONE);
  assert.deepEqual(
    posts.nodes.map(({ title }: { title: string }) => title),
    ['Dark mode', 'Export to CSV'],
  );
});

testPages('sign-in pages have the header of their board, and name what waits for signing in', async (web) => {
  await web.makePost('Dark mode');
  const visitor = web.makeVisitor();
  await visitor.post('/b/acme/votes/1', { vote: 'up', next: '/b/acme' });
  const page = await visitor.get('/sign-in?next=%2Fb%2Facme%2Fcontinue');
  assert.match(page.payload, /<title>Sign in to vote for “Dark mode” · Acme<\/title>/);
  assert.match(page.payload, /<header class="site-header">.*href="\/b\/acme"/s);
  for (const path of ['/sign-in/link/none', '/sign-up/none', '/sign-in/code', '/reset-password']) {
    // Without a board to go on to, that of the only one.
    for (const framed of [`${path}?next=%2Fb%2Facme`, path])
      assert.match((await visitor.get(framed)).payload, /<a class="site-name" href="\/b\/acme"/, framed);
    assert.match((await visitor.get(`${path}?next=%2Fb%2Fnone`)).payload, /<a class="site-name" href="\/"/, path);
  }
});

testPages('a page that does not exist offers a search and the pages of the board', async (web) => {
  for (const path of ['/b/acme/nothing-here', '/b/acme/posts/99', '/nothing-here']) {
    const { payload, statusCode } = await web.makeVisitor().get(path);
    const [main = ''] = /<main.*<\/main>/s.exec(payload) ?? [];
    assert.equal(statusCode, 404);
    assert.match(main, /<form class="search-form"[^>]* action="\/b\/acme".*href="\/b\/acme\/roadmap"/s, path);
  }
});

testPages('forms of other sites neither vote nor post, nor leave anything to be done', async (web) => {
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

testWeb('a member posts at most twenty ideas an hour on the pages; the team may post more', async (web) => {
  const [vera, mo] = [await signUp(web, 'Vera'), await web.makeMember('Mo', 'MODERATOR')];
  const post = (visitor: WebVisitor, n: number) => visitor.post('/b/acme?index', { title: `Idea ${n}`, comment: '' });
  for (let n = 1; n <= 20; n++) assert.equal((await post(vera, n)).statusCode, 302, String(n));
  const refused = await post(vera, 21);
  assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, '3600']);
  assert.match(refused.payload, /Too many attempts.*Idea 21/s);
  const byScript = await vera.post('/b/acme.data?index', { title: 'Idea 21', comment: '' });
  assert.deepEqual([byScript.statusCode, byScript.headers['retry-after']], [429, '3600']);
  for (let n = 1; n <= 21; n++) assert.equal((await post(mo, n)).statusCode, 302, String(n));
  const anonymous = web.makeVisitor();
  await post(anonymous, 21);
  for (const [name, value] of vera.cookies) anonymous.cookies.set(name, value);
  const kept = await anonymous.get('/b/acme/continue');
  assert.match(kept.payload, /Too many attempts.*Idea 21/s, 'signing in afterwards is no way around');
  web.clock.advance(3_600_000);
  assert.equal((await post(vera, 22)).statusCode, 302);
});

testPages('what is hidden, locked or gone takes no votes', async (web) => {
  const id = await web.makePost('Dark mode');
  const vera = await signUp(web, 'Vera');
  const vote = () => vera.post('/b/acme/votes/1', { vote: 'up', next: '/b/acme?sort=top' });
  await web.api.updatePost({ id, isLocked: true });
  const locked = await vote();
  assert.equal(locked.statusCode, 422);
  assert.match(locked.payload, /This idea is locked/);
  assert.match(locked.payload, /href="\/b\/acme\?sort=top"/);
  await web.api.deletePost({ postId: id });
  assert.equal((await vote()).statusCode, 404);
  for (const number of ['0', 'x', '1e3', '%00']) {
    assert.equal((await vera.post(`/b/acme/votes/${number}`, { vote: 'up' })).statusCode, 404, number);
  }
  assert.equal((await vera.get('/b/acme/votes/1')).statusCode, 200);
});

testWeb('ideas similar to a title are found, by users who may see them', async (web) => {
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
