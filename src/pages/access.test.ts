import assert from 'node:assert/strict';
import { fetchFile, makeForm, sendForm, upload } from '../../test/support/files.ts';
import { type TestWeb, testPages, testWeb } from '../../test/support/web.ts';
import { MAX_MAIL_DOMAINS } from '../identity/settings/mail-domains.ts';

const PAGE = '/b/acme/settings/access';

const readBoard = ({ db, board }: TestWeb) =>
  db.read.selectFrom('boards').selectAll().where('id', '=', board.id).executeTakeFirstOrThrow();

testWeb('before a board becomes private, the settings show what changes for each group of users', async (web) => {
  const owner = await web.makeMember('Olga', 'OWNER');
  const form = { access: 'MEMBERS', mailDomains: '@Example.com, example.org', approval: 'FIRST' };
  const asked = await owner.post(PAGE, { intent: 'save', ...form });
  assert.match(asked.payload, /have taken part so far/);
  assert.equal((await readBoard(web)).access, 'PUBLIC');
  assert.equal((await owner.post(PAGE, { intent: 'close', ...form })).statusCode, 302);
  const { access, mail_domains, approval } = await readBoard(web);
  assert.deepEqual([access, mail_domains, approval], ['MEMBERS', 'example.com example.org', 'FIRST']);
  const opened = await owner.post(PAGE, { intent: 'save', access: 'PUBLIC_READ', mailDomains: '', approval: 'NONE' });
  assert.equal(opened.statusCode, 302, 'opening needs no second question');
});

testPages(
  'a visitor who may see no board can sign in on the first page, and returns to where they voted',
  async (web) => {
    const owner = await web.makeMember('Olga', 'OWNER');
    await web.makePost('Dark mode');
    const save = (access: string) => owner.post(PAGE, { intent: 'close', access, mailDomains: '', approval: 'NONE' });
    await save('MEMBERS');
    const first = await web.makeVisitor().get('/');
    assert.deepEqual([first.statusCode, /text\/html/.test(String(first.headers['content-type']))], [404, true]);
    assert.match(first.payload, /href="\/sign-in/);
    await save('PUBLIC_READ');
    const visitor = web.makeVisitor();
    const from = (referer: string) => ({ 'sec-fetch-site': 'same-origin', origin: 'http://board.test', referer });
    const vote = async (referer: string) =>
      (await visitor.post('/b/acme/votes/1', { vote: 'up' }, from(referer))).headers.location;
    const signIn = (path: string) => `/sign-in?next=${encodeURIComponent(path)}`;
    assert.equal(await vote('http://board.test/b/acme/posts/1/dark-mode'), signIn('/b/acme/posts/1/dark-mode'));
    assert.equal(await vote('http://board.test/b/acme?sort=top'), signIn('/b/acme?sort=top'));
    assert.equal(await vote('http://board.test/b/acme-other/posts/1'), signIn('/b/acme'));
    assert.equal(await vote('https://evil.example/'), signIn('/b/acme'));
  },
);

testPages('settings of access are checked', async (web) => {
  const owner = await web.makeMember('Olga', 'OWNER');
  const domains = (count: number) => Array.from({ length: count }, (_, n) => `d${n}.example.com`).join('\n');
  const save = (form: object) =>
    owner.post(PAGE, { intent: 'save', access: 'PUBLIC', approval: 'NONE', mailDomains: '', ...form });
  for (const count of [MAX_MAIL_DOMAINS - 1, MAX_MAIL_DOMAINS]) {
    assert.equal((await save({ mailDomains: domains(count) })).statusCode, 302, String(count));
  }
  const refused = [{ mailDomains: domains(MAX_MAIL_DOMAINS + 1) }, { mailDomains: 'nothing' }, { approval: 'SOME' }];
  for (const form of [...refused, { access: 'OPEN' }]) assert.equal((await save(form)).statusCode, 422);
  const moderator = await web.makeMember('Mo', 'MODERATOR');
  assert.equal((await moderator.get(PAGE)).statusCode, 403);
});

testWeb('moderators block an author in the menu of the post, and unblock them in the settings', async (web) => {
  const owner = await web.makeMember('Olga', 'OWNER');
  const mo = await web.makeMember('Mo', 'MODERATOR');
  const author = await web.makeUser('bob');
  await web.api.as('bob').createPost({ title: 'Spam' });
  assert.match((await mo.get('/b/acme/posts/1')).payload, /Block the author/);
  await mo.post('/b/acme/posts/1', { intent: 'standing', author, standing: 'BLOCKED' });
  const post = () => web.gql('mutation { createPost(title: "More") { id } }', {}, { as: 'bob' });
  assert.match((await post()).errors[0]?.message ?? '', /blocked/);
  assert.match((await owner.get(PAGE)).payload, /bob/);
  await owner.post(PAGE, { intent: 'normal', id: author });
  assert.deepEqual((await post()).errors, []);
  const { id } = await web.db.read
    .selectFrom('users')
    .select('id')
    .where('name', '=', 'Olga')
    .executeTakeFirstOrThrow();
  const team = await mo.post('/b/acme/posts/1', { intent: 'standing', author: id, standing: 'BLOCKED' });
  assert.equal(team.statusCode, 403);
});

testWeb(
  'a key works on a private board; a blocked user gets nothing through any entry point of the API',
  async (web) => {
    await web.makeUser('bob');
    const file = await upload(web, { filename: 'a.txt', bytes: 'Text' });
    await web.api.createPost({ title: 'T', files: [file.id] });
    const other = await web.makeKey({}, await web.makeBoard());
    await web.db.transaction(async (tx) => {
      await tx.updateTable('boards').set({ access: 'MEMBERS' }).where('id', '=', web.board.id).execute();
      await tx.updateTable('users').set({ standing: 'BLOCKED' }).where('sso_id', '=', 'bob').execute();
    });
    web.clock.advance(5_000);
    const { post } = await web.ask('{ post: postByNumber(number: 1) { files { url } } }');
    const [{ url }] = post.files;
    assert.equal((await fetchFile(web, url)).statusCode, 404);
    assert.equal((await fetchFile(web, url, { apikey: other })).statusCode, 404);
    const opened = await fetchFile(web, url, { apikey: web.key });
    assert.deepEqual(
      [opened.statusCode, opened.body, opened.headers['cache-control']],
      [200, 'Text', 'private, no-cache'],
    );
    await assert.rejects(web.api.as('bob').posts({}, { nodes: { title: true } }), { code: 'FORBIDDEN' });
    const headers = { apikey: web.key, ssotype: 'SSO', ssoid: 'bob' };
    assert.equal((await web.app.inject({ url: '/api/csv', headers })).statusCode, 403);
    const form = makeForm([{ filename: 'b.txt', bytes: 'b' }]);
    assert.equal((await sendForm(web, form, { as: 'bob' })).statusCode, 403);
  },
);
