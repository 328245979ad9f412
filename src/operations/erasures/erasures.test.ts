import assert from 'node:assert/strict';
import { errorOf } from '../../../test/support/api.ts';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { ACCOUNT, findTexts, finish, MAIL, nowhere } from '../../../test/support/erasing.ts';
import { PASSWORD, testWeb } from '../../../test/support/web.ts';
import { joinTeam } from '../../identity/team/members.ts';
import { carryOutErasures } from './worker.ts';

testBoth('an erased user is unknown at once, and a new user when they come again', async (app) => {
  await app.makeUser('bob', 'MODERATOR');
  const id = await app.makePost('Post', { as: 'bob' });
  await app.api.as('bob').deleteUser({ ssoId: 'bob' });
  for (const [query, as] of [
    ['{ posts { totalCount } }', 'bob'],
    ['{ user(ssoId: "bob") { id } }', 'ada'],
    ['mutation { deleteUser(ssoId: "bob") { id } }', 'ada'],
  ] as const) {
    assert.equal((await app.gql(query, {}, { as })).errors[0]?.message, 'User not found');
  }
  const anew = await app.makeUser('bob');
  await finish(app);
  const { user, post } = await app.ask(
    'query($id: String!) { user(ssoId: "bob") { id role posts { totalCount } } post(id: $id) { author { id } } }',
    { id },
  );
  assert.deepEqual([user, post.author], [{ id: anew, role: 'MEMBER', posts: { totalCount: 0 } }, null]);
});

testBoth('users can erase themselves, but no one with a higher role, nor the last owner', async (app) => {
  for (const [name, role] of [
    ['adm', 'ADMIN'],
    ['mod', 'MODERATOR'],
    ['mia', undefined],
    ['zoe', undefined],
  ] as const) {
    await app.makeUser(name, role);
  }
  const erase = async (id: string, as: string) =>
    (await errorOf(app.api.as(as).deleteUser({ ssoId: id })))?.message ?? null;
  const words = 'Only admins and API users can erase another user';
  assert.equal(await erase('zoe', 'mia'), `${words}; your role is member`);
  assert.equal(await erase('zoe', 'mod'), `${words}; your role is moderator`);
  assert.equal(await erase('ada', 'adm'), 'This requires the role owner; yours is admin');
  assert.equal(await erase('ada', 'ada'), 'A board needs an owner: make someone else an owner first');
  assert.equal(await erase('mia', 'mia'), null);
  assert.equal(await erase('mod', 'adm'), null);
  await app.api.createUser({ ssoType: 'SSO', ssoId: 'bot', isApiUser: true });
  assert.equal(await erase('adm', 'bot'), 'This requires the role admin; yours is member');
  assert.equal(await erase('zoe', 'bot'), null);
});

testBoth('an account is deleted with its person, unless they sign in to other boards with it', async (app) => {
  const other = await app.makeBoard();
  const accounts = { one: ACCOUNT, both: MAIL };
  const context = (board: TestApp['board']) => ({ db: app.db, clock: app.clock, baseUrl: '', board });
  const ids: Record<string, string> = {};
  await app.db.transaction(async (tx) => {
    for (const [name, id] of Object.entries(accounts)) {
      const row = { id, email: `${name}@example.com`, name, image: null, is_email_verified: 1 as const };
      await tx
        .insertInto('accounts')
        .values({ ...row, is_second_factor_on: 0, date_created: 0, date_updated: 0 })
        .execute();
      ids[name] = (await joinTeam(tx, context(app.board), row, 'MODERATOR')).id;
      if (name === 'both') await joinTeam(tx, context(other), row, 'OWNER');
    }
  });
  for (const name of ['one', 'both']) await app.api.deleteUser({ ssoId: ids[name] ?? '' });
  const left = await app.db.read.selectFrom('accounts').select('name').execute();
  assert.deepEqual(left, [{ name: 'both' }]);
  const people = await app.db.read
    .selectFrom('users')
    .select(['board_id', 'role'])
    .where('account_id', '=', MAIL)
    .execute();
  assert.deepEqual(people, [{ board_id: other.id, role: 'OWNER' }]);
  await finish(app);
  assert.deepEqual(await findTexts(app.db, ['one@example.com']), []);
});

testBoth('an interrupted erasure is continued, and does not touch other people and boards', async (app) => {
  const other = await app.makeBoard();
  const key = await app.makeKey({}, other);
  await app.makeUser('bob', undefined, { key });
  const elsewhere = await app.makePost('Elsewhere', { key, as: 'bob' });
  await app.makeUser('bob');
  const posts = [await app.makePost('One', { as: 'bob' }), await app.makePost('Two', { as: 'bob' })];
  await app.makePost('Of ada');
  await app.api.deleteUser({ ssoId: 'bob', keepContent: false });
  const failing = { ...nowhere, forget: () => Promise.reject(new Error('the disk is full')) };
  await assert.rejects(carryOutErasures({ ...app, baseUrl: '', transport: failing }), /disk is full/);
  await finish(app);
  assert.deepEqual(await app.db.read.selectFrom('erasures').select('id').execute(), []);
  const left = await app.db.read.selectFrom('posts').select(['title', 'author_id']).orderBy('id').execute();
  assert.deepEqual(
    left.map(({ title, author_id }) => [title, author_id !== null]),
    [
      ['Elsewhere', true],
      ['Of ada', true],
    ],
  );
  assert.ok(posts.length === 2 && elsewhere);
});

testWeb('a user who has signed in is signed out when they are erased', async (web) => {
  const owner = await web.makeMember('Olga', 'OWNER');
  assert.equal((await owner.get('/b/acme/settings')).statusCode, 200);
  const olga = await web.db.read.selectFrom('users').select('id').where('name', '=', 'Olga').executeTakeFirstOrThrow();
  await web.api.deleteUser({ ssoId: olga.id });
  assert.equal((await owner.get('/b/acme/settings')).statusCode, 302);
  const again = await web
    .makeVisitor()
    .post('/sign-in', { intent: 'password', email: 'olga@example.com', password: PASSWORD });
  assert.notEqual(again.statusCode, 302);
  await finish(web);
  assert.deepEqual(await findTexts(web.db, ['olga']), []);
});
