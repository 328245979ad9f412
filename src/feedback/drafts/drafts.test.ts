import assert from 'node:assert/strict';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { findUserById } from '../../identity/users/users.ts';
import { makeId } from '../../platform/lib/ids.ts';
import {
  applyDrafts,
  DRAFT_MS,
  type Draft,
  discardDraft,
  discardVote,
  keepDraft,
  listDrafts,
  listDraftsOf,
  listPendingVotes,
  moveDrafts,
} from './drafts.ts';

async function callOf({ db, clock, board, makeUser }: TestApp, ssoId: string): Promise<ActorContext> {
  const actor = await findUserById(db.read, board.id, await makeUser(ssoId));
  assert.ok(actor);
  return { db, clock, board, baseUrl: 'http://board.test', actor };
}

const post = (title: string): Draft => ({ kind: 'post', id: makeId(), title, text: 'Because.' });
const READ = '{ posts(sort: OLDEST) { nodes { title upvoteCount author { ssoId } commentCount } } }';

testBoth('a draft is carried out once, in the name of the user who has signed in', async (app) => {
  const postId = await app.makePost('Dark mode');
  const context = await callOf(app, 'bob');
  const comment: Draft = { kind: 'comment', id: makeId(), postId, parentId: null, text: 'Me too.' };
  for (const draft of [{ kind: 'vote', postId } as const, comment, post('Export')]) {
    await keepDraft(context, 'browser', draft);
  }
  const [applied] = await Promise.all([applyDrafts(context, 'browser'), applyDrafts(context, 'browser')]);
  assert.deepEqual(
    applied.map(({ kind }) => kind),
    ['vote', 'comment', 'post'],
  );
  assert.deepEqual(await listDrafts(context, 'browser'), []);
  assert.deepEqual((await app.ask(READ)).posts.nodes, [
    { title: 'Dark mode', upvoteCount: 1, author: { ssoId: 'ada' }, commentCount: 1 },
    { title: 'Export', upvoteCount: 1, author: { ssoId: 'bob' }, commentCount: 0 },
  ]);
});

testBoth('a draft that cannot be carried out any more stays, with the reason', async (app) => {
  const postId = await app.makePost('Dark mode');
  const context = await callOf(app, 'bob');
  await keepDraft(context, 'browser', { kind: 'comment', id: makeId(), postId, parentId: null, text: 'Me too.' });
  await keepDraft(context, 'browser', post('Export'));
  await app.api.updatePost({ id: postId, isLocked: true });
  assert.equal((await applyDrafts(context, 'browser')).length, 1);
  const [kept, ...others] = await listDrafts(context, 'browser');
  assert.deepEqual(others, []);
  assert.match(kept?.refusal ?? '', /This post is locked/);
  assert.match(kept?.content ?? '', /Me too/);
  await discardDraft(context, 'another browser', kept?.id ?? '');
  assert.equal((await listDrafts(context, 'browser')).length, 1);
  await discardDraft(context, 'browser', kept?.id ?? '');
  assert.deepEqual(await listDrafts(context, 'browser'), []);
});

testBoth('drafts are of one browser, twenty at most, and wait for an hour', async (app) => {
  const context = await callOf(app, 'bob');
  for (let n = 0; n < 21; n++) await keepDraft(context, 'browser', post(`Idea ${n}`));
  assert.deepEqual(await listDrafts(context, 'another browser'), []);
  const drafts = await listDrafts(context, 'browser');
  assert.equal(drafts.length, 20);
  assert.match(drafts[0]?.content ?? '', /Idea 1"/);
  assert.ok(!JSON.stringify(drafts).includes('"browser":"browser"'), 'only a hash of the secret is kept');
  app.clock.advance(DRAFT_MS - 1);
  assert.equal((await listDrafts(context, 'browser')).length, 20);
  app.clock.advance(1);
  assert.deepEqual(await listDrafts(context, 'browser'), []);
  await keepDraft(context, 'browser', post('Later'));
  assert.equal((await app.db.read.selectFrom('drafts').select('id').execute()).length, 1);
});

testBoth('texts that cannot be posted are refused before the visitor signs in', async (app) => {
  const context = await callOf(app, 'bob');
  const field = (name: string) => (error: { extensions: { field?: string } }) => error.extensions.field === name;
  await assert.rejects(keepDraft(context, 'browser', post(' ')), field('title'));
  await assert.rejects(keepDraft(context, 'browser', post('x'.repeat(201))), field('title'));
  await keepDraft(context, 'browser', post('x'.repeat(200)));
  const comment = { kind: 'comment', id: makeId(), postId: makeId(), parentId: null, text: '' } as const;
  await assert.rejects(keepDraft(context, 'browser', comment), field('text'));
});

testBoth('the id of another user’s post or comment creates nothing', async (app) => {
  const postId = await app.makePost('Dark mode');
  const context = await callOf(app, 'bob');
  await keepDraft(context, 'browser', { kind: 'post', id: postId, title: 'Mine', text: null });
  assert.deepEqual(await applyDrafts(context, 'browser'), []);
  assert.match((await listDrafts(context, 'browser'))[0]?.refusal ?? '', /There is already a post with this id/);
});

testBoth('drafts can be given to another browser, as far as they are named and wait', async (app) => {
  const context = await callOf(app, 'bob');
  await keepDraft(context, 'laptop', post('Export'));
  const named = { boardId: app.board.id, ids: (await listDrafts(context, 'laptop')).map(({ id }) => id) };
  await keepDraft(context, 'laptop', post('Later'));
  const elsewhere = await app.makeBoard();
  await moveDrafts(context, { ...named, boardId: elsewhere.id }, 'phone');
  assert.deepEqual(await listDrafts(context, 'phone'), []);
  await moveDrafts(context, named, 'phone');
  assert.deepEqual([(await listDrafts(context, 'phone')).length, (await listDrafts(context, 'laptop')).length], [1, 1]);
  assert.equal((await listDraftsOf(context, named)).length, 1);
  app.clock.advance(DRAFT_MS);
  assert.deepEqual(await listDraftsOf(context, named), []);
});

testBoth('a vote that waits can be taken back', async (app) => {
  const postId = await app.makePost('Dark mode');
  const context = await callOf(app, 'bob');
  await keepDraft(context, 'browser', { kind: 'vote', postId });
  await keepDraft(context, 'browser', post('Export'));
  assert.deepEqual(await listPendingVotes(context, 'browser'), new Set([postId]));
  await discardVote(context, 'another browser', postId);
  assert.equal((await listPendingVotes(context, 'browser')).size, 1);
  await discardVote(context, 'browser', postId);
  assert.deepEqual(await listPendingVotes(context, 'browser'), new Set());
  assert.equal((await listDrafts(context, 'browser')).length, 1);
});
