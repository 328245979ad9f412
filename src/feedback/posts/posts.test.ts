import assert from 'node:assert/strict';
import type { Arguments } from '../../../sdk/src/schema.ts';
import { errorOf } from '../../../test/support/api.ts';
import { START, testBoth } from '../../../test/support/app.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';

const CREATE = `mutation($title: String!, $comment: String, $externalId: String, $author: UserRef, $dateCreated: DateTime) {
  createPost(title: $title, comment: $comment, externalId: $externalId, author: $author, dateCreated: $dateCreated) {
    id number title content excerpt author { ssoId } dateCreated externalId
  }
}`;

testBoth('createPost returns the post with its number, address and description', async ({ ask }) => {
  const query = `mutation { createPost(title: "  Dark mode, please! ", comment: "My eyes.") {
    id number pid title url content excerpt upvoteCount commentCount dateCreated dateCompleted
    author { ssoId } user { ssoId } status { name type } board { pid }
  } }`;
  const { createPost } = await ask(query);
  assert.match(createPost.id, /^[0-9a-f-]{36}$/);
  assert.deepEqual(
    { ...createPost, id: '' },
    {
      id: '',
      number: 1,
      pid: '1',
      title: 'Dark mode, please!',
      url: 'http://board.test/b/acme/posts/1/dark-mode-please',
      content: 'My eyes.',
      excerpt: 'My eyes.',
      upvoteCount: 0,
      commentCount: 0,
      dateCreated: '2026-11-21T09:30:01.000Z',
      dateCompleted: null,
      author: { ssoId: 'ada' },
      user: { ssoId: 'ada' },
      status: { name: 'Open', type: 'UNASSIGNED' },
      board: { pid: 'acme' },
    },
  );
});

testBoth('a post needs no description', async ({ api }) => {
  const post = await api.createPost({ title: 'Short' }, { content: true, excerpt: true });
  assert.deepEqual([post.content, post.excerpt], [null, null]);
});

testBoth('texts in any language come back as they were sent', async ({ api }) => {
  for (const text of [
    'Dunkelmodus für Übergrößen',
    '深色模式',
    'الوضع الداكن',
    'ダークモード',
    '🌒 emoji 👩‍👩‍👧',
    'O\'Reilly "x" <b>\\',
  ]) {
    const post = await api.createPost({ title: text, comment: `${text}\n\tend` }, { title: true, content: true });
    assert.deepEqual([post.title, post.content], [text.normalize('NFC'), `${text}\n\tend`.normalize('NFC')]);
  }
});

testBoth('a known externalId returns the post that has it', async ({ api, ask }) => {
  const first = await ask(CREATE, { title: 'One', externalId: 'x-1' });
  const again = await ask(CREATE, { title: 'Two', externalId: 'x-1' });
  assert.deepEqual(again.createPost, first.createPost);
  assert.equal((await api.createPost({ title: 'Two', externalId: 'x-1', statusId: 'gone' })).id, first.createPost.id);
  await api.deletePost({ postId: first.createPost.id });
  await assert.rejects(api.createPost({ title: 'Three', externalId: 'x-1' }), { code: 'CONFLICT' });
});

testBoth('many calls at once with one externalId make one post', async ({ api, ask }) => {
  const calls = Array.from({ length: 20 }, () => ask(CREATE, { title: 'Same', externalId: 'same' }));
  const ids = new Set((await Promise.all(calls)).map((data) => data.createPost.id));
  assert.equal(ids.size, 1);
  assert.equal((await api.board({ postCount: true })).postCount, 1);
});

testBoth('numbers count up without gaps whatever happens at once', async ({ api, gql }) => {
  const titles = Array.from({ length: 30 }, (_, n) => (n % 3 === 0 ? '' : `Post ${n}`));
  await Promise.all(titles.map((title) => gql(CREATE, { title })));
  const posts = await api.posts({ sort: 'OLDEST', limit: 100 }, { nodes: { number: true }, totalCount: true });
  const numbers = posts.nodes.map((post) => post.number).sort((a, b) => a - b);
  assert.deepEqual(
    numbers,
    Array.from({ length: 20 }, (_, n) => n + 1),
  );
  assert.equal(posts.totalCount, 20);
});

testBoth('acting for another user, or at another time, is for admins and API users', async (app) => {
  await app.makeUser('bob');
  await app.makeUser('mod', 'MODERATOR');
  const dateCreated = new Date(START - DAY_MS).toISOString();
  for (const input of [{ author: { ssotype: 'SSO', userId: 'bob' } }, { dateCreated }]) {
    for (const as of ['bob', 'mod']) {
      await assert.rejects(app.api.as(as).createPost({ title: 'T', ...input }), { code: 'FORBIDDEN' });
    }
  }
  const post = await app.api.createPost(
    { title: 'T', author: { ssotype: 'SSO', userId: 'bob' }, dateCreated },
    { author: { ssoId: true }, dateCreated: true },
  );
  assert.equal(post.author?.ssoId, 'bob');
  assert.equal(post.dateCreated, dateCreated);
  await app.api.createUser({ ssoType: 'SSO', ssoId: 'bot', isApiUser: true });
  const byBot = await app.api
    .as('bot')
    .createPost({ title: 'T', author: { ssotype: 'SSO', userId: 'bob' } }, { author: { ssoId: true } });
  assert.equal(byBot.author?.ssoId, 'bob');
  await assert.rejects(app.api.createPost({ title: 'T', dateCreated: new Date(START + DAY_MS).toISOString() }), {
    field: 'dateCreated',
  });
});

testBoth('author names exactly one person', async ({ api, makeUser }) => {
  const id = await makeUser('bob');
  await api.createUser({ ssoType: 'SSO', ssoId: 'bob', email: 'Bob@Example.com' });
  for (const author of [{ id }, { email: 'bob@example.com ' }, { ssotype: 'SSO', userId: 'bob' }]) {
    assert.equal((await api.createPost({ title: 'T', author }, { author: { ssoId: true } })).author?.ssoId, 'bob');
  }
  for (const author of [{}, { id, email: 'bob@example.com' }, { ssotype: 'SSO' }, { userId: 'bob' }]) {
    await assert.rejects(api.createPost({ title: 'T', author }), { field: 'author' });
  }
  for (const author of [{ id: 'nobody' }, { email: 'x@y' }, { ssotype: 'SSO', userId: 'x' }]) {
    await assert.rejects(api.createPost({ title: 'T', author }), { message: 'User not found' });
  }
});

testBoth('a post is changed by its author and by moderators', async (app) => {
  await app.makeUser('bob');
  await app.makeUser('eve');
  await app.makeUser('mod', 'MODERATOR');
  const id = await app.makePost('Mine', { as: 'bob' });
  const query = `mutation($id: String!, $title: String, $comment: String, $isLocked: Boolean, $isPinned: Boolean) {
    updatePost(id: $id, title: $title, comment: $comment, isLocked: $isLocked, isPinned: $isPinned) {
      node { title excerpt isLocked isPinned dateUpdated } comment { text isFirst dateUpdated }
    }
  }`;
  app.clock.advance(60_000);
  const { updatePost } = await app.ask(query, { id, title: 'Ours', comment: 'New text' }, { as: 'bob' });
  assert.deepEqual(
    [updatePost.node.title, updatePost.node.excerpt, updatePost.comment.text],
    ['Ours', 'New text', 'New text'],
  );
  assert.equal(updatePost.comment.dateUpdated, updatePost.node.dateUpdated);
  assert.equal((await app.gql(query, { id, title: 'No' }, { as: 'eve' })).errors[0]?.extensions.code, 'FORBIDDEN');
  assert.equal((await app.gql(query, { id, isLocked: true }, { as: 'bob' })).errors[0]?.extensions.code, 'FORBIDDEN');
  const locked = await app.ask(query, { id, isLocked: true, isPinned: true }, { as: 'mod' });
  assert.deepEqual([locked.updatePost.node.isLocked, locked.updatePost.node.isPinned], [true, true]);
  app.clock.advance(1_000);
  const untouched = (await app.ask(query, { id, title: null }, { as: 'eve' })).updatePost.node;
  assert.deepEqual([untouched.title, untouched.dateUpdated], ['Ours', locked.updatePost.node.dateUpdated]);
});

testBoth('moderators set the quarter or month in which a post is expected', async (app) => {
  await app.makeUser('bob');
  await app.makeUser('mod', 'MODERATOR');
  const id = await app.makePost('Mine', { as: 'bob' });
  const expect = async (expected: string, as = 'mod') =>
    await app.gql(
      'mutation($id: String!, $e: String) { updatePost(id: $id, expected: $e) { node { expected } } }',
      { id, e: expected },
      { as },
    );
  assert.equal((await expect(' 2027-q1 ')).data?.updatePost.node.expected, '2027-Q1');
  assert.equal((await expect('2027-12')).data?.updatePost.node.expected, '2027-12');
  for (const wrong of ['2027', '2027-Q5', '2027-13', '2027-1', '27-Q1', 'soon', '2027-01-01']) {
    assert.equal((await expect(wrong)).errors[0]?.extensions.code, 'BAD_REQUEST', wrong);
  }
  assert.equal((await expect('2027-Q2', 'bob')).errors[0]?.extensions.code, 'FORBIDDEN');
  assert.equal((await expect('')).data?.updatePost.node.expected, null);
});

testBoth('a description can be added later', async ({ api, ask }) => {
  const post = await api.createPost({ title: 'Short' });
  const query =
    'mutation($id: String!) { updatePost(id: $id, comment: "Longer") { comment { text isFirst } node { content } } }';
  const { updatePost } = await ask(query, { id: post.id });
  assert.deepEqual(updatePost, { comment: { text: 'Longer', isFirst: true }, node: { content: 'Longer' } });
});

testBoth('a deleted post is gone from every list and count, and comes back as it was', async (app) => {
  const id = await app.makePost('Gone');
  await app.makePost('Stays');
  const look = `query($id: String!) {
    post(id: $id) { title } posts { totalCount nodes { title } } board { postCount }
    listStatuses { type posts { nodes { title } } } user(ssoId: "ada") { posts { totalCount } }
  }`;
  const before = await app.ask(look, { id });
  await app.api.deletePost({ postId: id });
  const { post, posts, board, user } = await app.ask(look, { id });
  assert.deepEqual([post, posts.totalCount, board.postCount, user.posts.totalCount], [null, 1, 1, 1]);
  assert.deepEqual(posts.nodes, [{ title: 'Stays' }]);
  await assert.rejects(app.api.deletePost({ postId: id }), { message: 'Post not found' });
  await app.api.restorePost({ id });
  assert.deepEqual(await app.ask(look, { id }), before);
});

testBoth('only its author and moderators delete and restore a post', async (app) => {
  await app.makeUser('bob');
  await app.makeUser('eve');
  await app.makeUser('mod', 'MODERATOR');
  const id = await app.makePost('Mine', { as: 'bob' });
  await assert.rejects(app.api.as('eve').deletePost({ postId: id }), { code: 'FORBIDDEN' });
  await app.api.as('bob').deletePost({ postId: id });
  await assert.rejects(app.api.as('eve').restorePost({ id }), { code: 'FORBIDDEN' });
  await app.api.as('mod').restorePost({ id });
});

testBoth('an id of another board, of another kind or of no form is not found', async (app) => {
  const other = await app.makeBoard();
  const key = await app.makeKey({}, other);
  await app.makeUser('zoe', undefined, { key });
  const foreign = await app.makePost('Theirs', { key, as: 'zoe' });
  const viewer = await app.api.viewer({ user: { id: true } });
  for (const id of [foreign, viewer.user?.id ?? '', 'x', '', "' or 1=1 --"]) {
    assert.equal(await app.api.post({ id }), null);
    for (const field of [
      'updatePost(id: $id) { node { id } }',
      'deletePost(postId: $id) { id }',
      'restorePost(id: $id) { id }',
      'upvotePost(postId: $id) { id }',
    ]) {
      const { errors } = await app.gql(`mutation($id: String!) { ${field} }`, { id });
      assert.equal(errors[0]?.message, 'Post not found');
    }
  }
});

testBoth('every limit of a post is tested at, below and above it', async ({ api }) => {
  const problem = (input: Arguments['Mutation']['createPost']) => errorOf(api.createPost(input));
  assert.equal(await problem({ title: 'x' }), undefined);
  assert.equal(await problem({ title: 'x'.repeat(200) }), undefined);
  assert.equal(await problem({ title: '👍'.repeat(200) }), undefined);
  assert.equal(await problem({ title: 'T', comment: 'x'.repeat(20_000) }), undefined);
  assert.equal((await problem({ title: ' \n ' }))?.message, 'title must have 1 to 200 characters; it is empty');
  assert.equal((await problem({ title: 'x'.repeat(201) }))?.message, 'title must have 1 to 200 characters; it has 201');
  assert.equal((await problem({ title: 'T', comment: 'x'.repeat(20_001) }))?.field, 'comment');
  assert.equal((await problem({ title: 'T', externalId: 'x'.repeat(256) }))?.field, 'externalId');
  assert.match((await problem({ title: 'a\u0000b' }))?.message ?? '', /control character U\+0000/);
  assert.match((await problem({ title: 'a\ud800b' }))?.message ?? '', /half of a surrogate pair/);
});

testBoth(
  'what a moderator deleted is restored by moderators only, what its author deleted by the author too',
  async (app) => {
    await app.makeUser('bob');
    await app.makeUser('mod', 'MODERATOR');
    const id = await app.makePost('Post', { as: 'bob' });
    const remove = (as: string) => app.api.as(as).deletePost({ postId: id });
    const restore = async (as: string) => (await errorOf(app.api.as(as).restorePost({ id })))?.message ?? null;
    await remove('bob');
    assert.equal(await restore('bob'), null);
    await remove('mod');
    const refusal = 'Only moderators can restore a post that another user deleted; your role is member';
    assert.equal(await restore('bob'), refusal);
    assert.equal(await restore('ada'), null);
    assert.equal(await restore('bob'), null); // it is there
    await remove('bob');
    assert.equal(await restore('bob'), null);
  },
);

testBoth('a post is found by the number in its address, on its board alone', async (app) => {
  await app.makePost('First');
  const id = await app.makePost('Dark mode');
  const post = (await app.api.post({ id }, { number: true, url: true })) ?? assert.fail();
  assert.equal(new URL(post.url).pathname, `/b/acme/posts/${post.number}/dark-mode`);
  const find = (number: number, options = {}) => app.api.as(options).postByNumber({ number });
  assert.deepEqual(await find(post.number), { id });
  for (const number of [0, -1, 3, 2_147_483_647, -2_147_483_648]) assert.equal(await find(number), null);
  const elsewhere = { key: await app.makeKey({}, await app.makeBoard()), as: 'zoe' };
  await app.makeUser('zoe', undefined, elsewhere);
  assert.equal(await find(post.number, elsewhere), null);
  await app.api.deletePost({ postId: id });
  assert.equal(await find(post.number), null);
});
