import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { recount } from '../../../test/crash/recount.ts';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { skipLocked } from '../../platform/db/prepare.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { lockMerging } from './merging.ts';
import { purgePosts } from './purge.ts';

const moderate = ({ ask }: TestApp, id: string, status: string) =>
  ask(`mutation($id: String!) { changePostModerationStatus(id: $id, moderationStatus: ${status}) { moderatedBy } }`, {
    id,
  });

async function typesOf({ ask }: TestApp, as = 'ada'): Promise<string[]> {
  const { events } = await ask('{ events(limit: 100) { nodes { type } } }', {}, { as });
  return events.nodes.map((event: { type: string }) => event.type);
}

testBoth('nothing is told of a post while it is held back, and everything when it comes back', async (app) => {
  await app.makeUser('bob');
  const id = await app.makePost('Post', { as: 'bob' });
  const comment = 'mutation($id: String!, $text: String!) { createComment(postId: $id, text: $text) { id } }';
  const { createComment: early } = await app.ask(comment, { id, text: 'early' });
  await moderate(app, id, 'PENDING');
  await app.ask(comment, { id, text: 'late' }, { as: 'bob' });
  await app.ask('mutation($id: String!) { deleteComment(id: $id) { id } }', { id: early.id });
  await app.ask('mutation($id: String!) { changePostStatus(postId: $id, statusType: COMPLETED) { id } }', { id });
  const tag = (await app.ask('mutation { createTag(name: "Bug") { id } }')).createTag.id;
  await app.ask('mutation($id: String!, $t: [String!]) { updatePost(id: $id, tagIds: $t) { node { id } } }', {
    id,
    t: [tag],
  });
  await moderate(app, id, 'REJECTED');
  const before = ['post.created', 'comment.created', 'post.deleted'];
  assert.deepEqual(await typesOf(app), before);
  await moderate(app, id, 'APPROVED');
  assert.deepEqual(await typesOf(app), [...before, 'post.created', 'comment.deleted', 'comment.created']);
  const { events } = await app.ask('{ events(types: ["post.created"]) { nodes { data actor { ssoId } } } }');
  const { post } = events.nodes[1].data;
  assert.deepEqual([post.status.name, post.tags.length, post.user.name], ['Completed', 1, 'bob']);
  assert.equal(events.nodes[1].actor.ssoId, 'ada');
  assert.deepEqual(await recount(app.db.read), []);
});

testBoth('members read no events of what they may not see, and of no deletion of it', async (app) => {
  await app.makeUser('bob');
  const [open, held] = [await app.makePost('Open'), await app.makePost('Held')];
  await moderate(app, held, 'REJECTED');
  for (const id of [open, held]) await app.ask('mutation($id: String!) { deletePost(postId: $id) { id } }', { id });
  assert.deepEqual(await typesOf(app, 'bob'), ['post.created', 'post.deleted']);
  assert.deepEqual(await typesOf(app), ['post.created', 'post.created', 'post.deleted', 'post.deleted']);
  await app.ask('mutation($id: String!) { restorePost(id: $id) { id } }', { id: held });
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
  await app.ask('mutation($s: [String!]!, $t: String!) { mergePosts(sourceIds: $s, targetId: $t) { id } }', {
    s: [ids.merged],
    t: ids.gone,
  });
  await moderate(app, others.held, 'PENDING');
  const remove = 'mutation($id: String!) { deletePost(postId: $id) { id } }';
  const restore = 'mutation($id: String!) { restorePost(id: $id) { id } }';
  for (const id of [ids.gone, others.held]) await app.ask(remove, { id });
  app.clock.advance(DAY_MS);
  await app.ask(remove, { id: others.later });
  app.clock.advance(29 * DAY_MS - 1);
  await purgePosts({ ...app, baseUrl: 'http://board.test' });
  for (const id of [ids.gone]) await app.ask(restore, { id });
  await app.ask(remove, { id: ids.gone });
  app.clock.advance(30 * DAY_MS);
  assert.equal((await app.gql(restore, { id: ids.gone })).errors[0]?.message, 'Post not found');
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
  const merge = 'mutation($id: String!, $target: String!) { mergePosts(sourceIds: [$id], targetId: $target) { id } }';
  await app.ask(merge, { id, target }, { as: 'mod' });
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
