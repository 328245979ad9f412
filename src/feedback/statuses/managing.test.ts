import assert from 'node:assert/strict';
import type { Arguments } from '../../../sdk/src/schema.ts';
import { recount } from '../../../test/crash/recount.ts';
import { errorOf } from '../../../test/support/api.ts';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { setRole } from '../../identity/users/users.ts';

/** `createStatus` gives a status flat, and in `node`. */
const CREATE = `mutation($name: String!, $color: String!, $id: String, $boardId: String, $postId: String) {
  createStatus(name: $name, color: $color, id: $id, boardId: $boardId, postId: $postId) {
    id name color type postVisibility node { id name color type postVisibility position }
  }
}`;
const DELETE = 'mutation($id: String!) { deleteStatus(id: $id) { id name node { posts { nodes { title } } } } }';

const ID = '019ab000-0000-7000-8000-000000000001';
const initial = ['Open', 'Planned', 'In progress', 'Completed', 'Archived', 'Merged'];

/** The statuses by their names, and their names in order. @throws when positions have gaps */
async function list({ api }: TestApp): Promise<{ names: string[]; ids: Record<string, string> }> {
  const statuses = await api.listStatuses({ id: true, name: true, position: true });
  statuses.forEach((status, n) => {
    assert.equal(status.position, n);
  });
  const entries: [string, string][] = statuses.map((s) => [s.name, s.id]);
  return { names: entries.map(([name]) => name), ids: Object.fromEntries(entries) };
}

testBoth('a new status comes behind the last of the board, flat and in node', async (app) => {
  const postId = await app.makePost('Post');
  const variables = { name: ' Later ', color: '#12aBcD', id: ID.toUpperCase(), boardId: app.board.id, postId };
  const { createStatus } = await app.ask(CREATE, variables);
  const flat = { id: ID, name: 'Later', color: '#12aBcD', type: 'CUSTOM', postVisibility: 'PUBLIC' };
  assert.deepEqual(createStatus, { ...flat, node: { ...flat, position: 3 } });
  assert.deepEqual((await list(app)).names, initial.toSpliced(3, 0, 'Later'));
  const roadmap = await app.api.roadmap({ status: { name: true } });
  assert.deepEqual(roadmap.at(-2)?.status.name, 'Later');
  const { names, ids } = await list(app);
  for (const name of ['Planned', 'In progress', 'Later']) await app.api.deleteStatus({ id: ids[name] ?? '' });
  await app.api.createStatus({ name: 'First', color: '#fff' });
  assert.deepEqual((await list(app)).names, ['Open', 'First', 'Completed', 'Archived', 'Merged']);
  assert.equal(names.length, 7);
});

testBoth('names, colors, ids and boards of statuses are checked', async (app) => {
  const problem = async (input: Partial<Arguments['Mutation']['createStatus']>) => {
    const error = await errorOf(app.api.createStatus({ name: 'New', color: '#fff', ...input }));
    return error && [error.code, error.field ?? error.message];
  };
  assert.equal(await problem({ name: 'x' }), undefined);
  assert.equal(await problem({ name: '👍'.repeat(50) }), undefined);
  assert.deepEqual(await problem({ name: 'x'.repeat(51) }), ['BAD_REQUEST', 'name']);
  assert.deepEqual(await problem({ name: ' ' }), ['BAD_REQUEST', 'name']);
  for (const color of ['', 'red', 'fff', '#ff', '#ffff', '#ggg', '#fff\n']) {
    assert.deepEqual(await problem({ color }), ['BAD_REQUEST', 'color'], color);
  }
  for (const id of ['', 'new', '1']) assert.deepEqual(await problem({ id }), ['BAD_REQUEST', 'id']);
  assert.equal(await problem({ id: ID, boardId: app.board.pid }), undefined);
  assert.deepEqual(await problem({ name: 'Other', id: ID }), ['CONFLICT', 'There is already a status with this id']);
  assert.deepEqual(await problem({ name: 'COMPLETED' }), ['CONFLICT', 'There is already a status "Completed"']);
  for (const boardId of ['', 'other', (await app.makeBoard()).id]) {
    assert.deepEqual(await problem({ name: 'Other', boardId }), ['NOT_FOUND', 'Board not found']);
  }
});

testBoth('a former pid still names the board, until another board has it', async (app) => {
  const { board, db } = app;
  const create = (name: string) => app.api.createStatus({ name, color: '#fff', boardId: 'before' });
  await db.transaction((tx) =>
    tx.insertInto('board_addresses').values({ pid: 'before', board_id: board.id, date_created: 0 }).execute(),
  );
  await create('One');
  const { id } = await app.makeBoard();
  await db.transaction((tx) => tx.updateTable('boards').set({ pid: 'before' }).where('id', '=', id).execute());
  await assert.rejects(create('Two'), { message: 'Board not found' });
});

testBoth('a board has at most 50 statuses, also when many are made at once', async (app) => {
  for (let n = 6; n < 45; n++) await app.api.createStatus({ name: `Step ${n}`, color: '#fff' });
  const create = (name: string) => app.api.createStatus({ name, color: '#fff' });
  const calls = Array.from({ length: 10 }, (_, n) => errorOf(create(`More ${n % 8}`)));
  const problems = (await Promise.all(calls)).map((error) => error?.code ?? 'made').sort();
  assert.deepEqual(problems, [...Array(5).fill('CONFLICT'), ...Array(5).fill('made')]);
  const { names, ids } = await list(app);
  assert.equal(names.length, 50);
  await assert.rejects(create('Further'), { message: 'A board has at most 50 statuses' });
  await app.api.deleteStatus({ id: ids['Step 6'] ?? '' });
  await create('Further');
  const roadmap = await app.api.roadmap({ posts: { nodes: { title: true } } });
  assert.equal(roadmap.length, 47); // all but Open, Archived and Merged
});

testBoth('updateStatus changes what is given, of built-in statuses too', async (app) => {
  const { ids } = await list(app);
  const { Archived: id = '' } = ids;
  const change = (variables: Partial<Arguments['Mutation']['updateStatus']>) =>
    app.api.updateStatus({ id, ...variables }, { id: true, name: true, color: true, postVisibility: true });
  const before = await change({});
  assert.deepEqual(await change({ name: null, color: null, postVisibility: null }), before);
  assert.deepEqual(await change({ name: 'Attic' }), { ...before, name: 'Attic' });
  assert.deepEqual(await change({ name: 'ATTIC', color: '#000', postVisibility: 'TEAM' }), {
    id,
    name: 'ATTIC',
    color: '#000',
    postVisibility: 'TEAM',
  });
  const problem = (input: { name?: string; color?: string }) => errorOf(app.api.updateStatus({ id, ...input }));
  assert.equal((await problem({ name: 'open' }))?.message, 'There is already a status "Open"');
  assert.equal((await problem({ name: '' }))?.field, 'name');
  assert.equal((await problem({ color: 'red' }))?.field, 'color');
});

testBoth('postVisibility hides the posts of a status from now on, and shows them again', async (app) => {
  for (const [name, role] of [['bob'], ['mod', 'MODERATOR']] as const) await app.makeUser(name, role);
  const { ids } = await list(app);
  const postId = await app.makePost('Secret plan');
  await app.api.changePostStatus({ postId, statusType: 'CUSTOM', statusId: ids.Planned });
  const seenBy = async (as: string) => (await app.api.as(as).post({ id: postId })) !== null;
  const seen = async () => [await seenBy('bob'), await seenBy('mod'), await seenBy('ada')];
  assert.deepEqual(await seen(), [true, true, true]);
  await app.api.updateStatus({ id: ids.Planned ?? '', postVisibility: 'TEAM' });
  assert.deepEqual(await seen(), [false, true, true]);
  await app.api.updateStatus({ id: ids.Planned ?? '', postVisibility: 'HIDDEN' });
  assert.deepEqual(await seen(), [false, false, true]);
  await app.api.updateStatus({ id: ids.Planned ?? '', postVisibility: 'PUBLIC' });
  assert.deepEqual(await seen(), [true, true, true]);
});

testBoth('rearrangeStatuses puts those that are named in order, and leaves the others in place', async (app) => {
  const { ids } = await list(app);
  const { Open: open = '' } = ids;
  const order = async (...names: string[]) => {
    const answer = await app.api.rearrangeStatuses({ ids: names.map((name) => ids[name] ?? '') });
    assert.equal(answer, true);
    return (await list(app)).names;
  };
  assert.deepEqual(await order(), initial);
  assert.deepEqual(await order('In progress', 'Planned'), initial.with(1, 'In progress').with(2, 'Planned'));
  assert.deepEqual(await order(...initial.toReversed()), initial.toReversed());
  assert.deepEqual(await order('Open'), initial.toReversed());
  const problem = (ids: string[]) => errorOf(app.api.rearrangeStatuses({ ids }));
  assert.equal((await problem([open, open]))?.field, 'ids');
  assert.equal((await problem([open, 'x']))?.message, 'Status not found');
  assert.deepEqual((await list(app)).names, initial.toReversed());
});

testBoth('the posts of a deleted status become UNASSIGNED, each with an event', async (app) => {
  const { ids } = await list(app);
  const statusId = ids.Planned;
  const into = async (title: string) => {
    const postId = await app.makePost(title);
    await app.api.changePostStatus({ postId, statusType: 'CUSTOM', statusId });
    return postId;
  };
  const plain = await into('Plain');
  const held = await into('Held');
  await app.api.changePostModerationStatus({ id: held, moderationStatus: 'PENDING' });
  const gone = await into('Gone');
  await app.api.deletePost({ postId: gone });
  const merged = await into('Merged away');
  await app.api.mergePosts({ sourceIds: [merged], targetId: await app.makePost('Target') });
  const start = (await app.api.events({ limit: 100 }, { cursor: true })).cursor;
  const { deleteStatus } = await app.ask(DELETE, { id: statusId });
  assert.deepEqual(deleteStatus, { id: statusId, name: 'Planned', node: { posts: { nodes: [] } } });
  const query = `query($id: String!, $after: String) {
    post(id: $id) { status { type } comments(types: [STATUS_CHANGE]) { nodes { text } } }
    events(after: $after, limit: 100) { nodes { type data } }
    listStatuses { name }
  }`;
  const { post, events, listStatuses } = await app.ask(query, { id: plain, after: start });
  assert.equal(post.status.type, 'UNASSIGNED');
  assert.equal(post.comments.nodes.at(-1).text, 'Changed the status from “Planned” to “Open”');
  const told = events.nodes.filter((event: { data: { status?: object } }) => event.data.status);
  assert.deepEqual(
    told.map((event: { type: string; data: { post: { id: string }; status: { name: string } } }) => [
      event.type,
      event.data.post.id,
      event.data.status.name,
    ]),
    [['post.status.updated', plain, 'Open']],
  );
  assert.equal(listStatuses.length, 5);
  assert.equal((await app.api.restorePost({ id: gone }, { status: { type: true } })).status.type, 'UNASSIGNED');
  assert.equal((await app.api.unmergePost({ id: merged }, { status: { type: true } })).status.type, 'UNASSIGNED');
  assert.deepEqual(await recount(app.db.read), []);
});

for (const count of [50, 51]) {
  testBoth(`a status with ${count} posts is deleted with all of them moved`, async (app) => {
    const { ids } = await list(app);
    for (let n = 0; n < count; n++) {
      await app.api.createPost({ title: 'T', statusId: ids.Planned });
    }
    await app.api.deleteStatus({ id: ids.Planned ?? '' });
    const posts = await app.api.posts({ where: { statusTypes: ['UNASSIGNED'] } }, { totalCount: true });
    assert.equal(posts.totalCount, count);
    assert.deepEqual(await recount(app.db.read), []);
  });
}

testBoth('posts that come while their status is deleted are moved too or find it gone', async (app) => {
  const { Planned: statusId = '' } = (await list(app)).ids;
  const create = () => errorOf(app.api.createPost({ title: 'T', statusId }));
  const move = (postId: string) => errorOf(app.api.changePostStatus({ postId, statusType: 'CUSTOM', statusId }));
  const postIds = await Promise.all(Array.from({ length: 10 }, () => app.makePost('Moving')));
  const calls = [
    ...Array.from({ length: 10 }, create),
    ...postIds.map(move),
    errorOf(app.api.deleteStatus({ id: statusId })),
    ...Array.from({ length: 10 }, create),
    ...postIds.map(move),
  ];
  const answers = await Promise.all(calls);
  assert.ok(answers.every((error) => (error?.message ?? 'Status not found') === 'Status not found'));
  assert.equal(answers[20], undefined);
  const posts = await app.api.posts({ limit: 100 }, { totalCount: true, nodes: { status: { type: true } } });
  assert.ok(posts.nodes.every((post) => post.status.type === 'UNASSIGNED'));
  assert.equal(posts.totalCount, posts.nodes.length);
  assert.deepEqual(await recount(app.db.read), []);
});

testBoth('built-in statuses and those of other boards cannot be deleted', async (app) => {
  const { ids } = await list(app);
  for (const [name, type] of [
    ['Open', 'UNASSIGNED'],
    ['Completed', 'COMPLETED'],
    ['Archived', 'ARCHIVED'],
    ['Merged', 'MERGED'],
  ] as const) {
    const refused = { code: 'CONFLICT', message: `Every board needs its status of type ${type}` };
    await assert.rejects(app.api.deleteStatus({ id: ids[name] ?? '' }), refused);
  }
  const other = await app.makeBoard();
  const key = await app.makeKey({}, other);
  await app.makeUser('zoe', undefined, { key });
  const context = { db: app.db, clock: app.clock, baseUrl: 'http://board.test', board: other };
  await setRole(context, { ssoType: 'SSO', ssoId: 'zoe' }, 'OWNER');
  const zoe = app.api.as({ key, as: 'zoe' });
  for (const id of ['x', '', ID, 'a\u0000b', ids.Planned ?? '']) {
    await assert.rejects(zoe.deleteStatus({ id }), { message: 'Status not found' });
    await assert.rejects(zoe.updateStatus({ id }), { message: 'Status not found' });
  }
});
