import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';
import { findUserById } from '../../identity/users/users.ts';
import { addPastVotes } from './importing.ts';

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

testBoth('a hundred votes of one person at once count once', async ({ api, ask, makePost }) => {
  const postId = await makePost('Post');
  await Promise.all(Array.from({ length: 100 }, () => ask(vote('upvotePost'), { postId })));
  const post = await api.post({ id: postId }, { upvoteCount: true });
  assert.equal(post?.upvoteCount, 1);
});

testBoth('votes of many people at once are all counted', async (app) => {
  const postId = await app.makePost('Post');
  const people = Array.from({ length: 25 }, (_, n) => `person-${n}`);
  for (const person of people) await app.makeUser(person);
  await Promise.all(people.map((as, n) => app.ask(vote(n < 20 ? 'upvotePost' : 'downvotePost'), { postId }, { as })));
  const post = await app.api.post({ id: postId }, { upvoteCount: true, downvoteCount: true });
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

testBoth('who voted on a post elsewhere goes on following it after an unmerge', async (app) => {
  const { db, clock, board } = app;
  const bob = await app.makeUser('bob');
  const actor = await findUserById(db.read, board.id, await app.makeUser('olga', 'OWNER'));
  assert.ok(actor);
  const [source, target] = [await app.makePost('Source'), await app.makePost('Target')];
  await app.api.as('bob').createComment({ postId: source, text: 'I follow' });
  await app.api.mergePosts({ sourceIds: [source], targetId: target });
  const votes = [{ userId: bob, type: 'UP' as const, dateCreated: 1 }];
  assert.equal(await addPastVotes({ db, clock, board, actor, baseUrl: '' }, target, votes), 1);
  await app.api.unmergePost({ id: source });
  const follows = db.read.selectFrom('subscriptions').select('post_id').where('user_id', '=', bob);
  const rows = await follows.where('date_ended', 'is', null).execute();
  assert.deepEqual(new Set(rows.map(({ post_id }) => post_id)), new Set([source, target]));
});
