import assert from 'node:assert/strict';
import { START, testBoth } from '../../../test/support/app.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';

const CREATE = `mutation($title: String!, $comment: String, $externalId: String, $author: UserRef, $dateCreated: DateTime) {
  createPost(title: $title, comment: $comment, externalId: $externalId, author: $author, dateCreated: $dateCreated) {
    id number title content excerpt author { ssoId } dateCreated externalId
  }
}`;

testBoth('createPost gives the post with its number, address and description', async ({ ask }) => {
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

testBoth('a post needs no description', async ({ ask }) => {
  const { createPost } = await ask(CREATE, { title: 'Short' });
  assert.deepEqual([createPost.content, createPost.excerpt], [null, null]);
});

testBoth('texts in any language come back as they were sent', async ({ ask }) => {
  for (const text of [
    'Dunkelmodus für Übergrößen',
    '深色模式',
    'الوضع الداكن',
    'ダークモード',
    '🌒 emoji 👩‍👩‍👧',
    'O\'Reilly "x" <b>\\',
  ]) {
    const { createPost } = await ask(CREATE, { title: text, comment: `${text}\n\tend` });
    assert.deepEqual(
      [createPost.title, createPost.content],
      [text.normalize('NFC'), `${text}\n\tend`.normalize('NFC')],
    );
  }
});

testBoth('a known externalId returns the post that has it', async ({ ask, gql }) => {
  const first = await ask(CREATE, { title: 'One', externalId: 'x-1' });
  const again = await ask(CREATE, { title: 'Two', externalId: 'x-1' });
  assert.deepEqual(again.createPost, first.createPost);
  const withStatus = 'mutation { createPost(title: "Two", externalId: "x-1", statusId: "gone") { id } }';
  assert.equal((await ask(withStatus)).createPost.id, first.createPost.id);
  await ask('mutation($id: String!) { deletePost(postId: $id) { id } }', { id: first.createPost.id });
  const { errors } = await gql(CREATE, { title: 'Three', externalId: 'x-1' });
  assert.equal(errors[0]?.extensions.code, 'CONFLICT');
});

testBoth('many calls at once with one externalId make one post', async ({ ask }) => {
  const calls = Array.from({ length: 20 }, () => ask(CREATE, { title: 'Same', externalId: 'same' }));
  const ids = new Set((await Promise.all(calls)).map((data) => data.createPost.id));
  assert.equal(ids.size, 1);
  assert.equal((await ask('{ board { postCount } }')).board.postCount, 1);
});

testBoth('numbers count up without gaps whatever happens at once', async ({ ask, gql }) => {
  const titles = Array.from({ length: 30 }, (_, n) => (n % 3 === 0 ? '' : `Post ${n}`));
  await Promise.all(titles.map((title) => gql(CREATE, { title })));
  const { posts } = await ask('{ posts(sort: OLDEST, limit: 100) { nodes { number } totalCount } }');
  const numbers = posts.nodes.map((post: { number: number }) => post.number).sort((a: number, b: number) => a - b);
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
      const { errors } = await app.gql(CREATE, { title: 'T', ...input }, { as });
      assert.equal(errors[0]?.extensions.code, 'FORBIDDEN');
    }
  }
  const { createPost } = await app.ask(CREATE, { title: 'T', author: { ssotype: 'SSO', userId: 'bob' }, dateCreated });
  assert.equal(createPost.author.ssoId, 'bob');
  assert.equal(createPost.dateCreated, dateCreated);
  await app.ask('mutation { createUser(ssotype: "SSO", userId: "bot", isApiUser: true) { isAPIUser } }');
  const byBot = await app.ask(CREATE, { title: 'T', author: { ssotype: 'SSO', userId: 'bob' } }, { as: 'bot' });
  assert.equal(byBot.createPost.author.ssoId, 'bob');
  const { errors } = await app.gql(CREATE, { title: 'T', dateCreated: new Date(START + DAY_MS).toISOString() });
  assert.equal(errors[0]?.extensions.field, 'dateCreated');
});

testBoth('author names exactly one person', async ({ gql, ask, makeUser }) => {
  const id = await makeUser('bob');
  await ask('mutation { createUser(ssotype: "SSO", userId: "bob", email: "Bob@Example.com") { id } }');
  for (const author of [{ id }, { email: 'bob@example.com ' }, { ssotype: 'SSO', userId: 'bob' }]) {
    assert.equal((await ask(CREATE, { title: 'T', author })).createPost.author.ssoId, 'bob');
  }
  for (const author of [{}, { id, email: 'bob@example.com' }, { ssotype: 'SSO' }, { userId: 'bob' }]) {
    assert.equal((await gql(CREATE, { title: 'T', author })).errors[0]?.extensions.field, 'author');
  }
  for (const author of [{ id: 'nobody' }, { email: 'x@y' }, { ssotype: 'SSO', userId: 'x' }]) {
    assert.equal((await gql(CREATE, { title: 'T', author })).errors[0]?.message, 'User not found');
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

testBoth('moderators say in which quarter or month a post is expected', async (app) => {
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

testBoth('a description can be added later', async ({ ask }) => {
  const { createPost } = await ask(CREATE, { title: 'Short' });
  const query =
    'mutation($id: String!) { updatePost(id: $id, comment: "Longer") { comment { text isFirst } node { content } } }';
  const { updatePost } = await ask(query, { id: createPost.id });
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
  await app.ask('mutation($id: String!) { deletePost(postId: $id) { title } }', { id });
  const { post, posts, board, user } = await app.ask(look, { id });
  assert.deepEqual([post, posts.totalCount, board.postCount, user.posts.totalCount], [null, 1, 1, 1]);
  assert.deepEqual(posts.nodes, [{ title: 'Stays' }]);
  const again = await app.gql('mutation($id: String!) { deletePost(postId: $id) { id } }', { id });
  assert.equal(again.errors[0]?.message, 'Post not found');
  await app.ask('mutation($id: String!) { restorePost(id: $id) { title } }', { id });
  assert.deepEqual(await app.ask(look, { id }), before);
});

testBoth('only its author and moderators delete and restore a post', async (app) => {
  await app.makeUser('bob');
  await app.makeUser('eve');
  await app.makeUser('mod', 'MODERATOR');
  const id = await app.makePost('Mine', { as: 'bob' });
  const remove = 'mutation($id: String!) { deletePost(postId: $id) { id } }';
  const restore = 'mutation($id: String!) { restorePost(id: $id) { id } }';
  assert.equal((await app.gql(remove, { id }, { as: 'eve' })).errors[0]?.extensions.code, 'FORBIDDEN');
  await app.ask(remove, { id }, { as: 'bob' });
  assert.equal((await app.gql(restore, { id }, { as: 'eve' })).errors[0]?.extensions.code, 'FORBIDDEN');
  await app.ask(restore, { id }, { as: 'mod' });
});

testBoth('an id of another board, of another kind or of no form is not found', async (app) => {
  const other = await app.makeBoard();
  const key = await app.makeKey({}, other);
  await app.makeUser('zoe', undefined, { key });
  const foreign = await app.makePost('Theirs', { key, as: 'zoe' });
  const { viewer } = await app.ask('{ viewer { user { id } } }');
  for (const id of [foreign, viewer.user.id, 'x', '', "' or 1=1 --"]) {
    assert.equal((await app.ask('query($id: String!) { post(id: $id) { id } }', { id })).post, null);
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

testBoth('every limit of a post is tested at, below and above it', async ({ gql }) => {
  const problem = async (variables: Record<string, unknown>) => (await gql(CREATE, variables)).errors[0];
  assert.equal(await problem({ title: 'x' }), undefined);
  assert.equal(await problem({ title: 'x'.repeat(200) }), undefined);
  assert.equal(await problem({ title: '👍'.repeat(200) }), undefined);
  assert.equal(await problem({ title: 'T', comment: 'x'.repeat(20_000) }), undefined);
  assert.equal((await problem({ title: ' \n ' }))?.message, 'title must have 1 to 200 characters; it is empty');
  assert.equal((await problem({ title: 'x'.repeat(201) }))?.message, 'title must have 1 to 200 characters; it has 201');
  assert.equal((await problem({ title: 'T', comment: 'x'.repeat(20_001) }))?.extensions.field, 'comment');
  assert.equal((await problem({ title: 'T', externalId: 'x'.repeat(256) }))?.extensions.field, 'externalId');
  assert.match((await problem({ title: 'a\u0000b' }))?.message ?? '', /control character U\+0000/);
  assert.match((await problem({ title: 'a\ud800b' }))?.message ?? '', /half of a surrogate pair/);
});

testBoth(
  'what a moderator deleted is restored by moderators only, what its author deleted by the author too',
  async (app) => {
    await app.makeUser('bob');
    await app.makeUser('mod', 'MODERATOR');
    const id = await app.makePost('Post', { as: 'bob' });
    const remove = (as: string) => app.ask('mutation($id: String!) { deletePost(postId: $id) { id } }', { id }, { as });
    const restore = async (as: string) =>
      (await app.gql('mutation($id: String!) { restorePost(id: $id) { id } }', { id }, { as })).errors[0]?.message ??
      null;
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
  const { post } = await app.ask('query($id: String!) { post(id: $id) { number url } }', { id });
  assert.equal(new URL(post.url).pathname, `/b/acme/posts/${post.number}/dark-mode`);
  const find = async (number: number, options = {}) =>
    (await app.ask('query($n: Int!) { postByNumber(number: $n) { id } }', { n: number }, options)).postByNumber;
  assert.deepEqual(await find(post.number), { id });
  for (const number of [0, -1, 3, 2_147_483_647, -2_147_483_648]) assert.equal(await find(number), null);
  const elsewhere = { key: await app.makeKey({}, await app.makeBoard()), as: 'zoe' };
  await app.makeUser('zoe', undefined, elsewhere);
  assert.equal(await find(post.number, elsewhere), null);
  await app.ask('mutation($id: String!) { deletePost(postId: $id) { id } }', { id });
  assert.equal(await find(post.number), null);
});
