import assert from 'node:assert/strict';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import type { Approval } from '../../identity/board/board.ts';
import type { Standing } from '../../identity/users/users.ts';

async function setApproval({ db, board, clock }: TestApp, approval: Approval) {
  await db.transaction((tx) => tx.updateTable('boards').set({ approval }).where('id', '=', board.id).execute());
  clock.advance(5_000);
}

async function setStanding({ db, clock }: TestApp, ssoId: string, standing: Standing) {
  await db.transaction((tx) => tx.updateTable('users').set({ standing }).where('sso_id', '=', ssoId).execute());
  clock.advance(5_000);
}

const comment = ({ api }: TestApp, postId: string) =>
  api.as('mia').createComment({ postId, text: 'C' }, { id: true, moderationStatus: true });

const write = ({ api }: TestApp, as: string) =>
  api.as(as).createPost({ title: 'T', comment: 'C' }, { id: true, moderationStatus: true });

const approve = ({ api }: TestApp, id: string) => api.changePostModerationStatus({ id, moderationStatus: 'APPROVED' });

testBoth('without approval everything is there at once', async (app) => {
  await app.makeUser('mia');
  assert.equal((await write(app, 'mia')).moderationStatus, 'APPROVED');
});

testBoth('with approval of all, posts and comments wait, and become events when they are approved', async (app) => {
  await app.makeUser('mia');
  await app.makeUser('zoe');
  await setApproval(app, 'ALL');
  const eventsSeen = async () => {
    const events = await app.api.as('zoe').events({ limit: 100 }, { nodes: { type: true } });
    return events.nodes.map(({ type }) => type);
  };
  const post = await write(app, 'mia');
  assert.equal(post.moderationStatus, 'PENDING');
  assert.deepEqual(await eventsSeen(), []);
  const seenBy = (as: string) => app.api.as(as).posts({}, { totalCount: true });
  assert.deepEqual([(await seenBy('mia')).totalCount, (await seenBy('zoe')).totalCount], [1, 0]);
  await approve(app, post.id);
  assert.deepEqual(await eventsSeen(), ['post.created']);
  assert.equal((await seenBy('zoe')).totalCount, 1);
  const held = await comment(app, post.id);
  assert.equal(held.moderationStatus, 'PENDING');
  const count = async (as: string) =>
    (await app.api.as(as).comments({ limit: 10 }, { nodes: { id: true } })).nodes.length;
  assert.equal((await count('mia')) - (await count('zoe')), 1);
  await app.api.changeCommentModerationStatus({ id: held.id, moderationStatus: 'APPROVED' });
  assert.deepEqual(await eventsSeen(), ['post.created', 'comment.created']);
  assert.equal((await write(app, 'mia')).moderationStatus, 'PENDING');
  const { event_seq, post_count } = await app.db.read
    .selectFrom('boards')
    .select(['event_seq', 'post_count'])
    .where('id', '=', app.board.id)
    .executeTakeFirstOrThrow();
  assert.deepEqual([Number(event_seq), Number(post_count)], [2, 2], 'what waits takes no number of an event');
});

testBoth('with approval of the first, all that a user writes waits until something of it is approved', async (app) => {
  await app.makeUser('mia');
  await app.makeUser('zoe');
  await setApproval(app, 'FIRST');
  const first = await write(app, 'mia');
  assert.equal(first.moderationStatus, 'PENDING');
  assert.equal((await write(app, 'mia')).moderationStatus, 'PENDING');
  await app.api.as('mia').updatePost({ id: first.id, title: 'New' });
  assert.equal(
    (await write(app, 'mia')).moderationStatus,
    'PENDING',
    'the service tells of a title; that is no approval',
  );
  await approve(app, first.id);
  assert.equal((await write(app, 'mia')).moderationStatus, 'APPROVED');
  assert.equal((await comment(app, first.id)).moderationStatus, 'APPROVED');
  assert.equal((await write(app, 'zoe')).moderationStatus, 'PENDING');
  await app.api.changePostModerationStatus({ id: (await write(app, 'zoe')).id, moderationStatus: 'REJECTED' });
  assert.equal((await write(app, 'zoe')).moderationStatus, 'PENDING', 'rejected is not approved');
});

testBoth('the team, API users and trusted users do not wait', async (app) => {
  await app.makeUser('mod', 'MODERATOR');
  await app.makeUser('mia');
  await app.api.createUser({ ssoType: 'SSO', ssoId: 'bot', isApiUser: true });
  await setApproval(app, 'ALL');
  for (const as of ['ada', 'mod', 'bot']) assert.equal((await write(app, as)).moderationStatus, 'APPROVED', as);
  assert.equal((await write(app, 'mia')).moderationStatus, 'PENDING');
  await setStanding(app, 'mia', 'TRUSTED');
  assert.equal((await write(app, 'mia')).moderationStatus, 'APPROVED');
});

testBoth('blocked users can read but not take part, even when another user acts for them', async (app) => {
  const postId = await app.makePost('Dark mode');
  await app.makeUser('bob');
  const own = await write(app, 'bob');
  await setStanding(app, 'bob', 'BLOCKED');
  const author = { ssotype: 'SSO', userId: 'bob' };
  const [bob, ada] = [app.api.as('bob'), app.api];
  for (const call of [
    () => bob.createPost({ title: 'T' }),
    () => bob.createComment({ postId, text: 'C' }),
    () => bob.upvotePost({ postId }),
    () => bob.downvotePost({ postId }),
    () => bob.subscribeToPost({ postId }),
    () => bob.updatePost({ id: own.id, title: 'Buy now' }),
    () => ada.createPost({ title: 'T', author }),
    () => ada.createComment({ postId, text: 'C', author }),
    () => ada.upvotePost({ postId, voter: author }),
    () => ada.subscribeToPost({ postId, user: author }),
  ]) {
    await assert.rejects(call, { code: 'FORBIDDEN', message: /blocked/ });
  }
  assert.equal((await bob.post({ id: postId }, { title: true }))?.title, 'Dark mode');
  await bob.removeVote({ postId });
  await bob.unsubscribeFromPost({ postId });
  await ada.createPost({ title: 'Old', author, dateCreated: '2020-01-01T00:00:00.000Z' });
  await bob.deletePost({ postId: own.id });
  await setStanding(app, 'bob', 'NORMAL');
  assert.equal((await write(app, 'bob')).moderationStatus, 'APPROVED');
});
