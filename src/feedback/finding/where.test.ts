import assert from 'node:assert/strict';
import type { PostFilter, PostSortOrder, PostWhere } from '../../../sdk/src/schema.ts';
import { errorOf } from '../../../test/support/api.ts';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { makeTags } from '../../../test/support/tags.ts';
import type { Tx } from '../../platform/db/db.ts';
import { makeId } from '../../platform/lib/ids.ts';

/** Adds copies of a post, as an import of thousands would. */
async function copyPost(tx: Tx, copies: number): Promise<void> {
  const post = await tx.selectFrom('posts').selectAll().orderBy('number', 'desc').executeTakeFirstOrThrow();
  const rows = Array.from({ length: copies }, (_, n) => ({ ...post, id: makeId(), number: post.number + n + 1 }));
  for (let n = 0; n < rows.length; n += 500)
    await tx
      .insertInto('posts')
      .values(rows.slice(n, n + 500))
      .execute();
}

const ref = (userId: string) => ({ ssotype: 'SSO', userId });

async function setUp(app: TestApp) {
  for (const name of ['bob', 'cleo']) await app.makeUser(name);
  await app.makeUser('mod', 'MODERATOR');
  const [bug = '', idea = ''] = await makeTags(app, 'Bug', 'Idea');
  const add = async (title: string, as: string, tagIds: string[]) => {
    app.clock.advance(60_000);
    return (await app.api.as(as).createPost({ title, tagIds, externalId: title })).id;
  };
  const ids = [await add('a', 'bob', [bug]), await add('b', 'bob', [bug, idea]), await add('c', 'cleo', [])];
  const [a = '', b = '', c = ''] = ids;
  await app.api.changePostStatus({ postId: a, statusType: 'COMPLETED' });
  await app.api.as('cleo').upvotePost({ postId: b });
  await app.api.assignPost({ postId: b, user: { ssotype: 'SSO', userId: 'mod' } });
  await app.api.changePostModerationStatus({ id: c, moderationStatus: 'PENDING' });
  const statuses = await app.api.listStatuses({ id: true, type: true });
  const find = async (
    where: PostWhere | null,
    options: { as?: string; filters?: PostFilter[]; sort?: PostSortOrder } = {},
  ) => {
    const { as = 'ada', ...variables } = options;
    const posts = await app.api.as(as).posts({ where, ...variables }, { totalCount: true, nodes: { title: true } });
    assert.equal(posts.totalCount, posts.nodes.length, JSON.stringify(where));
    return posts.nodes
      .map((node) => node.title)
      .sort()
      .join('');
  };
  return { bug, idea, ids, find, statuses };
}

testBoth('each condition of where narrows the choice, in every order', async (app) => {
  const { bug, idea, find, statuses } = await setUp(app);
  const open = statuses.find(({ type }) => type === 'UNASSIGNED')?.id;
  const second = new Date(app.clock.now() - 60_000).toISOString();
  const cases: [where: object, found: string][] = [
    [{}, 'abc'],
    [{ statusTypes: ['COMPLETED'] }, 'a'],
    [{ statusIds: [open] }, 'bc'],
    [{ statusIds: [open], statusTypes: ['COMPLETED'] }, ''],
    [{ statusIds: [], tagIds: [], moderationStatus: [] }, 'abc'],
    [{ tagIds: [bug] }, 'ab'],
    [{ tagIds: [bug, idea] }, 'ab'],
    [{ tagIds: [bug, idea], tagMode: 'ALL' }, 'b'],
    [{ tagIds: [idea, idea], tagMode: 'ALL' }, 'b'],
    [{ author: ref('bob') }, 'ab'],
    [{ author: ref('bob'), statusTypes: ['UNASSIGNED', 'COMPLETED'] }, 'ab'],
    [{ votedBy: ref('cleo') }, 'b'],
    [{ assignedTo: ref('mod') }, 'b'],
    [{ createdAfter: second }, 'bc'],
    [{ createdBefore: second }, 'a'],
    [{ createdAfter: second, createdBefore: second }, ''],
    [{ updatedAfter: new Date(app.clock.now()).toISOString() }, 'ac'],
    [{ minUpvotes: 1 }, 'b'],
    [{ minUpvotes: 0 }, 'abc'],
    [{ moderationStatus: ['PENDING', 'REJECTED'] }, 'c'],
    [{ externalId: 'b' }, 'b'],
    [{ externalId: 'nothing' }, ''],
    [{ number: 2 }, 'b'],
    [{ number: 2, author: ref('cleo') }, ''],
    ...[0, -1, 4, 2_147_483_647, -2_147_483_648].map((number): [object, string] => [{ number }, '']),
  ];
  for (const [where, found] of cases) {
    for (const sort of ['TRENDING', 'OLDEST', 'MOST_COMMENTED'] as const) {
      assert.equal(await find(where, { sort }), found, `${JSON.stringify(where)} ${sort}`);
    }
  }
  const filters: PostFilter[] = [{ type: 'STATUS', is: 'UNASSIGNED' }];
  assert.equal(await find({ tagIds: [bug] }, { filters }), 'b');
  assert.equal(await find(null, { filters }), 'bc');
});

testBoth('posts found by conditions other than the status are counted up to 10,000', async ({ api, db, makePost }) => {
  const first = await makePost('Dark mode');
  await api.upvotePost({ postId: first });
  await db.transaction((tx) => copyPost(tx, 9_999));
  const count = async () => {
    const posts = await api.posts({ where: { minUpvotes: 1 } }, { totalCount: true, nodes: { id: true } });
    assert.equal(posts.nodes.length, 20);
    return posts.totalCount;
  };
  assert.equal(await count(), 10_000);
  await db.transaction((tx) => copyPost(tx, 1));
  assert.equal(await count(), 10_000);
  const deleted = { date_deleted: 1 };
  for (const expected of [10_000, 9_999]) {
    const { id } = await db.read
      .selectFrom('posts')
      .selectAll()
      .where('date_deleted', 'is', null)
      .executeTakeFirstOrThrow();
    await db.transaction((tx) => tx.updateTable('posts').set(deleted).where('id', '=', id).execute());
    assert.equal(await count(), expected);
  }
});

testBoth('where finds and counts only what may be seen', async (app) => {
  const { find } = await setUp(app);
  for (const [as, found] of [
    ['bob', ''],
    ['cleo', 'c'],
    ['mod', 'c'],
  ] as const) {
    assert.equal(await find({ moderationStatus: ['PENDING'] }, { as }), found);
    assert.equal(await find({ externalId: 'c' }, { as }), found);
    assert.equal(await find({ number: 3 }, { as }), found);
    assert.equal(await find({ statusTypes: ['UNASSIGNED'] }, { as }), `b${found}`);
  }
});

testBoth('everything named in where must exist', async (app) => {
  await setUp(app);
  const problem = (where: object, as = 'ada') =>
    errorOf(app.api.as(as).posts({ where }, { totalCount: true, nodes: { title: true } }));
  assert.equal((await problem({ statusIds: ['nothing'] }))?.message, 'Status not found');
  assert.equal((await problem({ tagIds: ['nothing'] }))?.message, 'Tag not found');
  assert.equal((await problem({ author: ref('nobody') }))?.message, 'User not found');
  assert.equal((await problem({ votedBy: {} }))?.field, 'votedBy');
  assert.equal((await problem({ assignedTo: ref('mod') }, 'bob'))?.code, 'FORBIDDEN');
});

testBoth('the roadmap has a column for each step, with the most wanted first', async (app) => {
  const { ids } = await setUp(app);
  const statuses = await app.api.listStatuses({ id: true, name: true });
  const planned = statuses.find((status) => status.name === 'Planned')?.id;
  for (const id of ids.slice(1))
    await app.api.changePostStatus({ postId: id, statusType: 'CUSTOM', statusId: planned });
  const query = '{ roadmap { status { name } posts(limit: 5) { nodes { title } } } }';
  const { roadmap } = await app.ask(query);
  assert.deepEqual(roadmap, [
    { status: { name: 'Planned' }, posts: { nodes: [{ title: 'b' }, { title: 'c' }] } },
    { status: { name: 'In progress' }, posts: { nodes: [] } },
    { status: { name: 'Completed' }, posts: { nodes: [{ title: 'a' }] } },
  ]);
  assert.deepEqual((await app.ask(query, {}, { as: 'bob' })).roadmap[0].posts.nodes, [{ title: 'b' }]);
});

testBoth('a condition that every post meets changes nothing, alone or with others, in every order', async (app) => {
  const { find, statuses } = await setUp(app);
  const types = ['CUSTOM', 'ARCHIVED', 'COMPLETED', 'MERGED', 'UNASSIGNED'];
  const everything: Record<string, unknown> = {
    statusIds: statuses.map(({ id }) => id),
    statusTypes: types,
    tagIds: [],
    createdAfter: '0001-01-01T00:00:00.000Z',
    createdBefore: '9999-12-31T23:59:59.999Z',
    updatedAfter: '1970-01-01T00:00:00.000Z',
    minUpvotes: -2_147_483_648,
    moderationStatus: ['APPROVED', 'REJECTED', 'FLAGGED', 'PENDING'],
  };
  const filters = [...types, ...statuses.map(({ id }) => id)].map((is) => ({ type: 'STATUS' as const, is }));
  const wheres = [everything, ...Object.entries(everything).map(([name, value]) => ({ [name]: value }))];
  const sorts = ['TRENDING', 'TOP', 'NEWEST', 'OLDEST', 'RECENTLY_UPDATED', 'MOST_COMMENTED', 'COMPLETED'] as const;
  for (const sort of sorts) {
    for (const where of wheres) assert.equal(await find(where, { sort, filters }), 'abc', JSON.stringify(where));
  }
  assert.equal(await find(everything, { filters, as: 'bob' }), 'ab');
});

testBoth('a status type that no status has finds no posts', async (app) => {
  const { find, statuses } = await setUp(app);
  for (const { id, type } of statuses) {
    if (type === 'CUSTOM') await app.api.deleteStatus({ id });
  }
  for (const sort of ['TRENDING', 'MOST_COMMENTED'] as const) {
    assert.equal(await find({ statusTypes: ['CUSTOM'] }, { sort }), '');
    assert.equal(await find({ statusTypes: ['CUSTOM', 'COMPLETED'] }, { sort }), 'a');
    assert.equal(await find(null, { filters: [{ type: 'STATUS', is: 'CUSTOM' }], sort }), '');
    assert.equal(await find({ statusTypes: ['CUSTOM'], minUpvotes: 0 }, { sort }), '');
  }
});
