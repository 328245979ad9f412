import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { EventData } from '../../../sdk/src/event-types.ts';
import type { PostModerationStatus } from '../../../sdk/src/schema.ts';
import { recount } from '../../../test/crash/recount.ts';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { skipLocked } from '../../platform/db/prepare.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { lockMerging } from './merging.ts';
import { purgePosts } from './purge.ts';

const moderate = ({ api }: TestApp, id: string, moderationStatus: PostModerationStatus) =>
  api.changePostModerationStatus({ id, moderationStatus });

async function typesOf({ api }: TestApp, as = 'ada'): Promise<string[]> {
  const events = await api.as(as).events({ limit: 100 }, { nodes: { type: true } });
  return events.nodes.map((event) => event.type);
}

testBoth('a post that is held back emits no events, and is up to date when it comes back', async (app) => {
  await app.makeUser('bob');
  const id = await app.makePost('Post', { as: 'bob' });
  const early = await app.api.createComment({ postId: id, text: 'early' });
  await moderate(app, id, 'PENDING');
  await app.api.as('bob').createComment({ postId: id, text: 'late' });
  await app.api.deleteComment({ id: early.id });
  await app.api.changePostStatus({ postId: id, statusType: 'COMPLETED' });
  const tag = (await app.api.createTag({ name: 'Bug' })).id;
  await app.api.updatePost({ id, tagIds: [tag] });
  await moderate(app, id, 'REJECTED');
  const before = ['post.created', 'comment.created', 'post.deleted'];
  assert.deepEqual(await typesOf(app), before);
  await moderate(app, id, 'APPROVED');
  assert.deepEqual(await typesOf(app), [...before, 'post.created', 'comment.deleted', 'comment.created']);
  const events = await app.api.events({ types: ['post.created'] }, { nodes: { data: true, actor: { ssoId: true } } });
  const again = events.nodes[1] ?? assert.fail();
  const { post } = again.data as EventData['post.created'];
  assert.deepEqual([post.status.name, post.tags.length, post.user?.name], ['Completed', 1, 'bob']);
  assert.equal(again.actor?.ssoId, 'ada');
  assert.deepEqual(await recount(app.db.read), []);
});

testBoth('members read no events of what they may not see, not even of its deletion', async (app) => {
  await app.makeUser('bob');
  const [open, held] = [await app.makePost('Open'), await app.makePost('Held')];
  await moderate(app, held, 'REJECTED');
  for (const id of [open, held]) await app.api.deletePost({ postId: id });
  assert.deepEqual(await typesOf(app, 'bob'), ['post.created', 'post.deleted']);
  assert.deepEqual(await typesOf(app), ['post.created', 'post.created', 'post.deleted', 'post.deleted']);
  await app.api.restorePost({ id: held });
  await moderate(app, held, 'APPROVED');
  assert.equal((await typesOf(app, 'bob')).length, 5);
  assert.deepEqual(await recount(app.db.read), []);
});

testBoth('a deleted post is gone permanently after 30 days, with everything that hangs on it', async (app) => {
  await app.makeUser('bob');
  const ids = { gone: await app.makePost('Gone'), merged: await app.makePost('Merged', { as: 'bob' }) };
  const others = { held: await app.makePost('Held'), later: await app.makePost('Later') };
  const vote =
    'mutation($id: String!) { upvotePost(postId: $id) { id } createComment(postId: $id, text: "text") { id } }';
  for (const id of [ids.gone, ids.merged]) await app.ask(vote, { id }, { as: 'bob' });
  await app.api.mergePosts({ sourceIds: [ids.merged], targetId: ids.gone });
  await moderate(app, others.held, 'PENDING');
  for (const id of [ids.gone, others.held]) await app.api.deletePost({ postId: id });
  app.clock.advance(DAY_MS);
  await app.api.deletePost({ postId: others.later });
  app.clock.advance(29 * DAY_MS - 1);
  await purgePosts({ ...app, baseUrl: 'http://board.test' });
  for (const id of [ids.gone]) await app.api.restorePost({ id });
  await app.api.deletePost({ postId: ids.gone });
  app.clock.advance(30 * DAY_MS);
  await assert.rejects(app.api.restorePost({ id: ids.gone }), { message: 'Post not found' });
  await purgePosts({ ...app, baseUrl: 'http://board.test' });
  const rows = await app.db.read.selectFrom('posts').select('id').execute();
  assert.deepEqual(
    rows.map((row) => row.id),
    [ids.merged],
  );
  const query = 'query($id: String!) { post(id: $id) { status { name } upvoteCount commentCount mergedInto { id } } }';
  assert.deepEqual((await app.ask(query, { id: ids.merged })).post, {
    status: { name: 'Open' },
    upvoteCount: 1,
    commentCount: 1,
    mergedInto: null,
  });
  const { events } = await app.ask('{ events(limit: 100) { nodes { type data post { id } } } }', {}, { as: 'bob' });
  const texts = JSON.stringify(events.nodes);
  assert.ok(!texts.includes('Gone') && !texts.includes(others.held) && texts.includes(ids.gone), texts);
  assert.deepEqual(events.nodes[0].data, { post: { id: ids.gone } });
  // Numbers of posts that are gone are free; events of what was hidden lead to a post that is gone.
  const mistakes = (await recount(app.db.read)).filter(
    (mistake) => !/^(boards\.post_number|post numbers)/.test(mistake),
  );
  assert.deepEqual(mistakes, [`events belong to a post: ${others.held}`]);
});

testBoth('moderating a merged post waits for a merge before it locks the post', async (app) => {
  await app.makeUser('mod', 'MODERATOR');
  const [id, target] = [await app.makePost('Dark mode'), await app.makePost('Night mode')];
  await app.api.as('mod').mergePosts({ sourceIds: [id], targetId: target });
  const reject = 'mutation($id: String!) { changePostModerationStatus(id: $id, moderationStatus: REJECTED) { id } }';
  let moderating: Promise<unknown> | null = null;
  await app.db.transaction(async (tx) => {
    await lockMerging(tx, app.board.id);
    moderating = app.ask(reject, { id }, { as: 'mod' });
    await delay(300);
    const post = tx.selectFrom('posts').select('id').where('board_id', '=', app.board.id).where('id', '=', id);
    assert.equal((await skipLocked(tx, post).execute()).length, 1);
  });
  await moderating;
});
