import assert from 'node:assert/strict';
import { type TestApp, testBoth } from '../../../test/support/app.ts';

const FOLLOWERS = `query($id: String!, $limit: Int, $cursor: String) {
  post(id: $id) { isSubscribed subscribers(limit: $limit, cursor: $cursor) { totalCount nodes { ssoId } hasMore cursor } }
}`;

async function followers({ ask }: TestApp, id: string, as = 'ada'): Promise<string[]> {
  const { subscribers } = (await ask(FOLLOWERS, { id }, { as })).post;
  assert.equal(subscribers.totalCount, subscribers.nodes.length);
  return subscribers.nodes.map((user: { ssoId: string }) => user.ssoId);
}

testBoth('authors and commenters follow a post by themselves, others when they ask', async (app) => {
  for (const name of ['bob', 'cleo', 'dan']) await app.makeUser(name);
  const id = await app.makePost('Post', { as: 'bob' });
  await app.ask('mutation($id: String!) { createComment(postId: $id, text: "x") { id } }', { id }, { as: 'cleo' });
  const change = (field: string, as: string) =>
    app.ask(`mutation($id: String!) { ${field}(postId: $id) { isSubscribed } }`, { id }, { as });
  assert.deepEqual(await change('subscribeToPost', 'dan'), { subscribeToPost: { isSubscribed: true } });
  await change('subscribeToPost', 'dan');
  assert.deepEqual(await followers(app, id), ['bob', 'cleo', 'dan']);
  assert.deepEqual(await change('unsubscribeFromPost', 'bob'), { unsubscribeFromPost: { isSubscribed: false } });
  await change('unsubscribeFromPost', 'bob');
  assert.deepEqual(await followers(app, id), ['cleo', 'dan']);
  assert.deepEqual(await followers(app, id, 'dan'), ['dan']);
  assert.deepEqual(await followers(app, id, 'bob'), []);
  const first = (await app.ask(FOLLOWERS, { id, limit: 1 })).post.subscribers;
  const second = (await app.ask(FOLLOWERS, { id, limit: 1, cursor: first.cursor })).post.subscribers;
  assert.deepEqual(
    [first.nodes, first.totalCount, second.nodes, second.cursor],
    [[{ ssoId: 'cleo' }], 2, [{ ssoId: 'dan' }], null],
  );
});

testBoth('posts are assigned to people of the team', async (app) => {
  await app.makeUser('bob');
  await app.makeUser('mod', 'MODERATOR');
  const id = await app.makePost('Post');
  const change = (field: string, user: string) =>
    app.gql(
      `mutation($id: String!, $user: String) { ${field}(postId: $id, user: { ssotype: "SSO", userId: $user }) {
        assignments { nodes { user { ssoId } assignedBy { ssoId } dateCreated } }
      } }`,
      { id, user },
    );
  const assigned = {
    user: { ssoId: 'mod' },
    assignedBy: { ssoId: 'ada' },
    dateCreated: new Date(app.clock.now()).toISOString(),
  };
  for (let n = 0; n < 2; n++) {
    assert.deepEqual((await change('assignPost', 'mod')).data.assignPost.assignments.nodes, [assigned]);
  }
  assert.equal((await change('assignPost', 'bob')).errors[0]?.extensions.field, 'user');
  assert.equal((await change('assignPost', 'nobody')).errors[0]?.message, 'User not found');
  assert.deepEqual((await change('unassignPost', 'mod')).data.unassignPost.assignments.nodes, []);
});
