import assert from 'node:assert/strict';
import { findTexts, finish } from '../../../test/support/erasing.ts';
import { PNG } from '../../../test/support/files.ts';
import { startNotifying } from '../../../test/support/notifying.ts';
import { comeByCode, comeBySso } from '../../../test/support/own-account.ts';
import { textOfMail } from '../../../test/support/sender.ts';
import { PASSWORD, signUp, type TestWeb, testWeb, type WebVisitor } from '../../../test/support/web.ts';
import { addSubscriber } from '../../feedback/changelog/subscribers.ts';
import { makeFileFolder } from '../../feedback/files/folder.ts';
import { cleanFiles } from '../../feedback/files/removing.ts';
import { joinBoard } from '../../identity/team/members.ts';

const PAGE = '/b/acme/settings/data';
const VERA = { intent: 'delete', confirm: 'Vera@example.com ', currentPassword: PASSWORD };

const accountOf = ({ db }: TestWeb, name: string) =>
  db.read.selectFrom('accounts').selectAll().where('name', '=', name).executeTakeFirst();

const titlesOf = async ({ db }: TestWeb) =>
  (await db.read.selectFrom('posts').select('title').orderBy('number').execute()).map(({ title }) => title);

/** Someone who has left something wherever members can. */
async function takePart(web: TestWeb, visitor: WebVisitor): Promise<void> {
  await web.makePost('Idea of ada');
  await visitor.post('/b/acme?index', { title: 'Dark mode', comment: 'Because.' });
  await visitor.post('/b/acme/votes/1', {});
  await visitor.post('/b/acme/posts/1', { intent: 'comment', text: 'Me too' });
  await visitor.postForm('/b/acme/settings/profile', [
    { field: 'intent', bytes: 'picture' },
    { field: 'picture', filename: 'me.png', bytes: PNG },
  ]);
}

testWeb(
  'a user deletes their account: from then on nothing names them, and a last mail confirms it',
  async (web, t) => {
    const vera = await signUp(web, 'Vera');
    await takePart(web, vera);
    // With a confirmed address one subscribes where one is no user, too.
    const elsewhere = await web.makeBoard({ name: 'Elsewhere' });
    const subscription = { address: 'vera@example.com', labels: [], locale: 'en' };
    await addSubscriber(web.db, elsewhere.id, subscription, web.clock.now());
    const phone = web.makeVisitor();
    await phone.post('/sign-in', { intent: 'password', email: 'vera@example.com', password: PASSWORD });
    assert.match((await vera.get(PAGE)).payload, /are removed from all boards/);
    const done = await vera.post(PAGE, VERA);
    assert.equal(done.headers.location, '/b/acme?done=accountDeleted', done.payload);
    assert.match((await vera.get('/b/acme?done=accountDeleted')).payload, /Your account is deleted/);
    for (const visitor of [vera, phone]) {
      assert.doesNotMatch((await visitor.get('/b/acme')).payload, /\/sign-out/);
      assert.equal((await visitor.get(PAGE)).headers.location, `/sign-in?next=${encodeURIComponent(PAGE)}`);
    }
    const again = { intent: 'password', email: 'vera@example.com', password: PASSWORD };
    assert.notEqual((await web.makeVisitor().post('/sign-in', again)).statusCode, 302);

    await finish(web);
    assert.deepEqual(
      (await findTexts(web.db, ['vera'])).filter((place) => !place.startsWith('mails.')),
      [],
    );
    const [last] = await web.db.read
      .selectFrom('mails')
      .selectAll()
      .where('recipient', '=', 'vera@example.com')
      .execute();
    assert.ok(last, 'the mail about it is not erased before it is sent');
    assert.match(textOfMail(last), /Hello Vera,.*last email to this address.*stay, without your name/s);
    const { server, deliver } = await startNotifying(t, web);
    await deliver();
    assert.deepEqual(server.mails.at(-1)?.to, ['vera@example.com']);
    assert.deepEqual(await findTexts(web.db, ['vera']), []);
    await cleanFiles({ ...web, folder: makeFileFolder(web.dataDir) });
    assert.deepEqual(await web.db.read.selectFrom('account_pictures').select('id').execute(), []);
    assert.deepEqual(await titlesOf(web), ['Idea of ada', 'Dark mode']);
    const { posts } = await web.ask(
      '{ posts(sort: OLDEST) { nodes { title upvoteCount commentCount author { id } } } }',
    );
    assert.deepEqual(posts.nodes, [
      { title: 'Idea of ada', upvoteCount: 1, commentCount: 1, author: posts.nodes[0].author },
      { title: 'Dark mode', upvoteCount: 1, commentCount: 0, author: null },
    ]);
  },
);

testWeb('on request, ideas and comments are deleted with the account', async (web) => {
  const vera = await signUp(web, 'Vera');
  await takePart(web, vera);
  assert.equal((await vera.post(PAGE, { ...VERA, content: 'delete' })).statusCode, 302);
  await finish(web);
  assert.deepEqual(await titlesOf(web), ['Idea of ada']);
  const posts = await web.api.posts({}, { nodes: { upvoteCount: true, commentCount: true } });
  assert.deepEqual(posts.nodes, [{ upvoteCount: 1, commentCount: 0 }]);
});

testWeb('an account is deleted by its owner only, after a confirmation', async (web) => {
  const [vera, wilma] = [await signUp(web, 'Vera'), await signUp(web, 'Wilma')];
  for (const [visitor, form, words] of [
    [vera, { ...VERA, confirm: '' }, /Type the email address/],
    [vera, { ...VERA, confirm: 'wilma@example.com' }, /Type the email address/],
    [vera, { ...VERA, currentPassword: '' }, /password is wrong/],
    [vera, { ...VERA, currentPassword: 'not the password' }, /password is wrong/],
    [wilma, VERA, /Type the email address/],
  ] as const) {
    const refused = await visitor.post(PAGE, form);
    assert.equal(refused.statusCode, 422);
    assert.match(refused.payload, words);
  }
  assert.equal((await vera.post(PAGE, VERA, { origin: 'https://evil.example' })).statusCode, 403);
  assert.equal((await web.makeVisitor().post(PAGE, VERA)).statusCode, 401);
  assert.ok(await accountOf(web, 'Vera'));
  await vera.post(PAGE, VERA);
  assert.equal(await accountOf(web, 'Vera'), undefined);
  assert.ok(await accountOf(web, 'Wilma'));
  assert.match((await wilma.get('/b/acme')).payload, /\/sign-out/);
});

testWeb('a user without a password or a board deletes the account after signing in', async (web) => {
  const eve = await comeByCode(web, 'eve@example.com');
  assert.equal((await eve.post(PAGE, { intent: 'delete', confirm: 'eve@example.com' })).statusCode, 302);
  await finish(web);
  await web.db.transaction((tx) => tx.deleteFrom('mails').where('is_unlogged', '=', 1).execute());
  assert.deepEqual(await findTexts(web.db, ['eve@example.com']), []);
});

testWeb('the only owner of a board must stay, and can leave all boards once there is another owner', async (web) => {
  const { db, clock } = web;
  const olga = await web.makeMember('Olga', 'OWNER');
  await web.api.deleteUser({ ssoId: 'ada' });
  const other = await web.makeBoard({ name: 'Elsewhere' });
  const account = await accountOf(web, 'Olga');
  assert.ok(account);
  await joinBoard({ db, clock, baseUrl: '', board: other }, account);
  const form = { intent: 'delete', confirm: 'olga@example.com', currentPassword: PASSWORD };
  const { payload } = await olga.get(PAGE);
  assert.match(payload, /You are the only owner of Acme\./);
  assert.doesNotMatch(payload, /value="delete"/);
  const refused = await olga.post(PAGE, form);
  assert.equal(refused.statusCode, 422);
  assert.ok(await accountOf(web, 'Olga'));
  assert.match((await olga.get('/b/acme')).payload, /\/sign-out/);

  const max = await web.makeMember('Max', 'OWNER');
  const both = [olga.post(PAGE, form), max.post(PAGE, { ...form, confirm: 'max@example.com' })];
  const answers = (await Promise.all(both)).map(({ statusCode }) => statusCode).sort();
  assert.deepEqual(answers, [302, 422], 'of two who leave at once, one stays');
  const owners = await db.read.selectFrom('users').select('id').where('role', '=', 'OWNER').execute();
  assert.equal(owners.length, 1);
});

testWeb('users of single sign-on delete nothing here', async (web) => {
  const owner = await web.makeMember('Olga', 'OWNER');
  const grace = await comeBySso(web, owner, { id: 'g', name: 'Grace', email: 'grace@example.com' });
  const { headers } = await grace.post(PAGE, { intent: 'delete', confirm: 'grace@example.com' });
  assert.equal(headers.location, '/b/acme/settings/profile');
  assert.match((await grace.get('/b/acme')).payload, /Grace/);
});
