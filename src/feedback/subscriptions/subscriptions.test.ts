import assert from 'node:assert/strict';
import type { Calls } from '../../../test/support/api.ts';
import { type TestApp, testBoth } from '../../../test/support/app.ts';

const FOLLOWERS = `query($id: String!, $limit: Int, $cursor: String) {
  post(id: $id) { isSubscribed subscribers(limit: $limit, cursor: $cursor) { totalCount nodes { ssoId } hasMore cursor } }
}`;

async function followers({ ask }: TestApp, id: string, as = 'ada'): Promise<string[]> {
  const { subscribers } = (await ask(FOLLOWERS, { id }, { as })).post;
  assert.equal(subscribers.totalCount, subscribers.nodes.length);
  return subscribers.nodes.map((user: { ssoId: string }) => user.ssoId);
}

type Change = 'upvotePost' | 'downvotePost' | 'removeVote' | 'subscribeToPost' | 'unsubscribeFromPost';

testBoth('authors and commenters follow a post automatically, others on request', async (app) => {
  for (const name of ['bob', 'cleo', 'dan']) await app.makeUser(name);
  const id = await app.makePost('Post', { as: 'bob' });
  await app.api.as('cleo').createComment({ postId: id, text: 'x' });
  const change = (field: Change, as: string) =>
    (app.api.as(as)[field] as Calls['removeVote'])({ postId: id }, { isSubscribed: true });
  assert.deepEqual(await change('subscribeToPost', 'dan'), { isSubscribed: true });
  await change('subscribeToPost', 'dan');
  assert.deepEqual(await followers(app, id), ['bob', 'cleo', 'dan']);
  assert.deepEqual(await change('unsubscribeFromPost', 'bob'), { isSubscribed: false });
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

testBoth(
  'voters follow a post, and users who have unfollowed it do not follow it again by voting or commenting',
  async (app) => {
    for (const name of ['bob', 'cleo']) await app.makeUser(name);
    const id = await app.makePost('Post', { as: 'bob' });
    const change = (field: Change, as: string) => (app.api.as(as)[field] as Calls['removeVote'])({ postId: id });
    const comment = (as: string) => app.api.as(as).createComment({ postId: id, text: 'x' });
    await change('upvotePost', 'cleo');
    assert.deepEqual(await followers(app, id), ['bob', 'cleo']);
    await change('removeVote', 'cleo');
    assert.deepEqual(await followers(app, id), ['bob'], 'only the vote made cleo follow');
    await change('downvotePost', 'cleo');
    await comment('cleo');
    await change('removeVote', 'cleo');
    assert.deepEqual(await followers(app, id), ['bob', 'cleo'], 'the comment remains');
    for (const name of ['bob', 'cleo']) await change('unsubscribeFromPost', name);
    await change('upvotePost', 'cleo');
    await change('removeVote', 'cleo');
    await comment('cleo');
    await comment('bob');
    assert.deepEqual(await followers(app, id), []);
    await change('subscribeToPost', 'cleo');
    assert.deepEqual(await followers(app, id), ['cleo']);
  },
);

testBoth('a user who has unfollowed a post does not follow the one that it is merged into', async (app) => {
  for (const name of ['bob', 'cleo']) await app.makeUser(name);
  const [source, target] = [await app.makePost('Source'), await app.makePost('Target')];
  const change = (field: Change, id: string, as: string) =>
    (app.api.as(as)[field] as Calls['removeVote'])({ postId: id });
  for (const name of ['bob', 'cleo']) await change('upvotePost', source, name);
  await change('unsubscribeFromPost', source, 'bob');
  await app.api.mergePosts({ sourceIds: [source], targetId: target });
  await change('upvotePost', target, 'bob');
  assert.deepEqual(await followers(app, target), ['ada', 'cleo']);
  await app.api.unmergePost({ id: source });
  assert.deepEqual([await followers(app, source), await followers(app, target)], [['ada', 'cleo'], ['ada']]);
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
