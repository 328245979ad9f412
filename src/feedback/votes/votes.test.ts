import assert from 'node:assert/strict';
import type { Calls } from '../../../test/support/api.ts';
import { testBoth } from '../../../test/support/app.ts';
import { findUserById } from '../../identity/users/users.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { addPastVotes } from './importing.ts';

const COUNTS = { upvoteCount: true, downvoteCount: true, viewerVote: true } as const;

testBoth('a person has one vote on a post, however often they send it', async ({ api, makePost }) => {
  const postId = await makePost('Post');
  const cast = async (field: 'upvotePost' | 'downvotePost' | 'removeVote') =>
    Object.values(await (api[field] as Calls['removeVote'])({ postId }, COUNTS));
  assert.deepEqual(await cast('upvotePost'), [1, 0, 'UP']);
  assert.deepEqual(await cast('upvotePost'), [1, 0, 'UP']);
  assert.deepEqual(await cast('downvotePost'), [0, 1, 'DOWN']);
  assert.deepEqual(await cast('upvotePost'), [1, 0, 'UP']);
  assert.deepEqual(await cast('removeVote'), [0, 0, null]);
  assert.deepEqual(await cast('removeVote'), [0, 0, null]);
});

testBoth('a hundred votes of one person at once count once', async ({ api, makePost }) => {
  const postId = await makePost('Post');
  await Promise.all(Array.from({ length: 100 }, () => api.upvotePost({ postId })));
  const post = await api.post({ id: postId }, { upvoteCount: true });
  assert.equal(post?.upvoteCount, 1);
});

testBoth('votes of many people at once are all counted', async (app) => {
  const postId = await app.makePost('Post');
  const people = Array.from({ length: 25 }, (_, n) => `person-${n}`);
  for (const person of people) await app.makeUser(person);
  await Promise.all(people.map((as, n) => app.api.as(as)[n < 20 ? 'upvotePost' : 'downvotePost']({ postId })));
  const post = await app.api.post({ id: postId }, { upvoteCount: true, downvoteCount: true });
  assert.deepEqual(post, { upvoteCount: 20, downvoteCount: 5 });
});

testBoth('each person sees their own vote in a list', async (app) => {
  await app.makeUser('bob');
  const [first, second] = [await app.makePost('First'), await app.makePost('Second')];
  await app.api.upvotePost({ postId: first });
  await app.api.as('bob').downvotePost({ postId: second });
  const list = async (as: string) =>
    (await app.api.as(as).posts({ sort: 'OLDEST' }, { nodes: { viewerVote: true } })).nodes;
  assert.deepEqual(await list('ada'), [{ viewerVote: 'UP' }, { viewerVote: null }]);
  assert.deepEqual(await list('bob'), [{ viewerVote: null }, { viewerVote: 'DOWN' }]);
});

testBoth('voting for another user is for admins and API users', async (app) => {
  await app.makeUser('bob');
  await app.makeUser('mod', 'MODERATOR');
  const postId = await app.makePost('Post');
  const voter = { ssotype: 'SSO', userId: 'bob' };
  await assert.rejects(app.api.as('mod').upvotePost({ postId, voter }), { code: 'FORBIDDEN' });
  const voted = await app.api.upvotePost({ postId, voter }, COUNTS);
  assert.deepEqual(voted, { upvoteCount: 1, downvoteCount: 0, viewerVote: null });
  const again = await app.api.as('bob').upvotePost({ postId }, COUNTS);
  assert.deepEqual(again, { upvoteCount: 1, downvoteCount: 0, viewerVote: 'UP' });
});

testBoth('a user who voted on a post before its merge still follows it after an unmerge', async (app) => {
  const { db, clock, board } = app;
  const bob = await app.makeUser('bob');
  const actor = await findUserById(db.read, board.id, await app.makeUser('olga', 'OWNER'));
  assert.ok(actor);
  const [source, target] = [await app.makePost('Source'), await app.makePost('Target')];
  await app.api.as('bob').createComment({ postId: source, text: 'I follow' });
  await app.api.mergePosts({ sourceIds: [source], targetId: target });
  const votes = [{ id: makeId(), userId: bob, type: 'UP' as const, dateCreated: 1 }];
  assert.equal(await addPastVotes({ db, clock, board, actor, baseUrl: '' }, target, votes), 1);
  await app.api.unmergePost({ id: source });
  const follows = db.read.selectFrom('subscriptions').select('post_id').where('user_id', '=', bob);
  const rows = await follows.where('date_ended', 'is', null).execute();
  assert.deepEqual(new Set(rows.map(({ post_id }) => post_id)), new Set([source, target]));
});
