import assert from 'node:assert/strict';
import { signUp, testWeb } from '../../test/support/web.ts';

testWeb(
  'an admin downloads what is stored about a user, and erases the user, after a look at what that does',
  async (web) => {
    const vera = await signUp(web, 'Vera');
    await web.makePost('Dark mode');
    await vera.post('/b/acme/votes/1', { vote: 'up', next: '/b/acme' });
    await vera.post('/b/acme/posts/1', { intent: 'comment', text: 'My eyes hurt.' });
    const admin = await web.makeMember('Ada', 'ADMIN');
    const mo = await web.makeMember('Mo', 'MODERATOR');
    const users = await web.db.read.selectFrom('users').select(['id', 'name']).execute();
    const page = (name: string) => `/b/acme/people/${users.find((user) => user.name === name)?.id}`;

    const seen = (await admin.get(page('Vera'))).payload;
    assert.match(seen, /Personal data.*Their ideas \(0\) and comments \(1\)/s);
    const file = await admin.get(`${page('Vera')}/file`);
    assert.match(String(file.headers['content-disposition']), /^attachment; filename="user-/);
    const { account, boards } = JSON.parse(file.payload);
    assert.equal(account, null);
    assert.equal(boards[0].profile.email, 'vera@example.com');
    assert.match(file.payload, /My eyes hurt/);

    for (const visitor of [mo, vera, web.makeVisitor()]) {
      assert.notEqual((await visitor.get(`${page('Vera')}/file`)).statusCode, 200);
      assert.notEqual((await visitor.post(page('Ada'), { intent: 'erase' })).statusCode, 302);
    }
    assert.equal((await admin.post(page('Ada'), { intent: 'erase' })).statusCode, 403);
    assert.doesNotMatch((await mo.get(page('Vera'))).payload, /Personal data/);
    assert.doesNotMatch((await admin.get(page('Ada'))).payload, /Personal data/, 'their own is in their settings');

    const erased = await admin.post(page('Vera'), { intent: 'erase', content: 'keep' });
    assert.equal(erased.headers.location, '/b/acme/people?done=erased');
    assert.equal((await admin.get(page('Vera'))).statusCode, 404);
    assert.equal((await vera.get('/b/acme/settings/profile')).statusCode, 302, 'signed out');
    const post = await web.api.postByNumber(
      { number: 1 },
      { upvoteCount: true, comments: { nodes: { text: true, user: { name: true } } } },
    );
    assert.equal(post?.upvoteCount, 1);
    assert.ok(post?.comments.nodes.some(({ text, user }) => text === 'My eyes hurt.' && user === null));
  },
);
