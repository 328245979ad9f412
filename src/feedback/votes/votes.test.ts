import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';

const vote = (field: string) => `mutation($postId: String!, $voter: UserRef) {
  ${field}(postId: $postId, voter: $voter) { upvoteCount downvoteCount viewerVote }
}`;

testBoth('a person has one vote on a post, however often they send it', async ({ ask, makePost }) => {
  const postId = await makePost('Post');
  const cast = async (field: string) => Object.values((await ask(vote(field), { postId }))[field]);
  assert.deepEqual(await cast('upvotePost'), [1, 0, 'UP']);
  assert.deepEqual(await cast('upvotePost'), [1, 0, 'UP']);
  assert.deepEqual(await cast('downvotePost'), [0, 1, 'DOWN']);
  assert.deepEqual(await cast('upvotePost'), [1, 0, 'UP']);
  assert.deepEqual(await cast('removeVote'), [0, 0, null]);
  assert.deepEqual(await cast('removeVote'), [0, 0, null]);
});

testBoth('a hundred votes of one person at once count once', async ({ ask, makePost }) => {
  const postId = await makePost('Post');
  await Promise.all(Array.from({ length: 100 }, () => ask(vote('upvotePost'), { postId })));
  const { post } = await ask('query($id: String!) { post(id: $id) { upvoteCount } }', { id: postId });
  assert.equal(post.upvoteCount, 1);
});

testBoth('votes of many people at once are all counted', async (app) => {
  const postId = await app.makePost('Post');
  const people = Array.from({ length: 25 }, (_, n) => `person-${n}`);
  for (const person of people) await app.makeUser(person);
  await Promise.all(people.map((as, n) => app.ask(vote(n < 20 ? 'upvotePost' : 'downvotePost'), { postId }, { as })));
  const { post } = await app.ask('query($id: String!) { post(id: $id) { upvoteCount downvoteCount } }', { id: postId });
  assert.deepEqual(post, { upvoteCount: 20, downvoteCount: 5 });
});

testBoth('each person sees their own vote in a list', async (app) => {
  await app.makeUser('bob');
  const [first, second] = [await app.makePost('First'), await app.makePost('Second')];
  await app.ask(vote('upvotePost'), { postId: first });
  await app.ask(vote('downvotePost'), { postId: second }, { as: 'bob' });
  const list = '{ posts(sort: OLDEST) { nodes { viewerVote } } }';
  assert.deepEqual((await app.ask(list)).posts.nodes, [{ viewerVote: 'UP' }, { viewerVote: null }]);
  assert.deepEqual((await app.ask(list, {}, { as: 'bob' })).posts.nodes, [
    { viewerVote: null },
    { viewerVote: 'DOWN' },
  ]);
});

testBoth('voting for another user is for admins and API users', async (app) => {
  await app.makeUser('bob');
  await app.makeUser('mod', 'MODERATOR');
  const postId = await app.makePost('Post');
  const voter = { ssotype: 'SSO', userId: 'bob' };
  const refused = await app.gql(vote('upvotePost'), { postId, voter }, { as: 'mod' });
  assert.equal(refused.errors[0]?.extensions.code, 'FORBIDDEN');
  const { upvotePost } = await app.ask(vote('upvotePost'), { postId, voter });
  assert.deepEqual(upvotePost, { upvoteCount: 1, downvoteCount: 0, viewerVote: null });
  const again = await app.ask(vote('upvotePost'), { postId }, { as: 'bob' });
  assert.deepEqual(again.upvotePost, { upvoteCount: 1, downvoteCount: 0, viewerVote: 'UP' });
});
