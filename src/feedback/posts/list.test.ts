import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { makeTestApp, type TestApp, testBoth } from '../../../test/support/app.ts';
import { encodeCursor } from '../../platform/lib/page.ts';
import { listStatuses } from '../statuses/statuses.ts';
import { listPosts, postOrders } from './list.ts';

type Row = { id: string; title: string };

const PAGE = `query($sort: PostSortOrder, $cursor: String, $limit: Int, $filters: [PostFilter!]) {
  posts(sort: $sort, cursor: $cursor, limit: $limit, filters: $filters) { nodes { id title } hasMore cursor totalCount }
}`;

/** Twelve posts with different votes, comments and dates, some of them equal. */
async function makePosts(app: TestApp): Promise<void> {
  for (const voter of ['v1', 'v2', 'v3']) await app.makeUser(voter);
  for (let n = 0; n < 12; n++) {
    const id = await app.makePost(`Post ${n}`);
    for (let v = 1; v <= n % 4; v++) await app.api.as(`v${v}`).upvotePost({ postId: id });
    for (let c = 0; c < n % 3; c++) await app.api.createComment({ postId: id, text: 'x' });
    if (n % 5 === 0) await app.api.changePostStatus({ postId: id, statusType: 'COMPLETED' });
    if (n % 2 === 0) app.clock.advance(1_000);
  }
}

async function walk(app: TestApp, variables: Record<string, unknown>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = null; ; ) {
    const { posts } = await app.ask(PAGE, { ...variables, cursor });
    rows.push(...posts.nodes);
    assert.equal(posts.hasMore, posts.cursor !== null);
    if (!posts.hasMore) return rows;
    cursor = posts.cursor;
  }
}

testBoth('every order gives every post once, whatever the page size', async (app) => {
  await makePosts(app);
  for (const sort of postOrders) {
    const all = await walk(app, { sort, limit: 100 });
    assert.equal(new Set(all.map((row) => row.id)).size, 12);
    for (const limit of [1, 5, 12]) assert.deepEqual(await walk(app, { sort, limit }), all);
  }
});

testBoth('orders sort by what they are named after', async (app) => {
  await makePosts(app);
  const first = async (sort: string) =>
    (await app.ask(PAGE, { sort, limit: 3 })).posts.nodes.map((row: Row) => row.title);
  assert.deepEqual(await first('TOP'), ['Post 11', 'Post 7', 'Post 3']);
  assert.deepEqual(await first('NEWEST'), ['Post 11', 'Post 10', 'Post 9']);
  assert.deepEqual(await first('OLDEST'), ['Post 0', 'Post 1', 'Post 2']);
  assert.deepEqual(await first('MOST_COMMENTED'), ['Post 11', 'Post 8', 'Post 5']);
  assert.deepEqual(await first('COMPLETED'), ['Post 10', 'Post 5', 'Post 0']);
  assert.deepEqual(await first('TRENDING'), ['Post 11', 'Post 7', 'Post 3']);
});

testBoth('posts added between two pages are neither skipped nor doubled', async (app) => {
  await makePosts(app);
  const { posts } = await app.ask(PAGE, { sort: 'OLDEST', limit: 6 });
  await app.makePost('Added');
  const rest = await app.ask(PAGE, { sort: 'OLDEST', limit: 100, cursor: posts.cursor });
  const titles = [...posts.nodes, ...rest.posts.nodes].map((row) => row.title);
  assert.deepEqual(titles, [...Array.from({ length: 12 }, (_, n) => `Post ${n}`), 'Added']);
});

testBoth('a STATUS filter takes ids and types, and several of them widen the choice', async (app) => {
  await makePosts(app);
  const statuses = await app.api.listStatuses({ id: true, type: true, name: true });
  const completed = statuses.find((status) => status.type === 'COMPLETED')?.id ?? '';
  const count = async (...is: string[]) => {
    const filters = is.map((value) => ({ type: 'STATUS', is: value }));
    const rows = await walk(app, { filters, limit: 2, sort: 'NEWEST' });
    const { posts } = await app.ask(PAGE, { filters });
    assert.equal(posts.totalCount, rows.length);
    return rows.length;
  };
  assert.equal(await count(completed), 3);
  assert.equal(await count('COMPLETED'), 3);
  assert.equal(await count('UNASSIGNED'), 9);
  assert.equal(await count('UNASSIGNED', 'COMPLETED', completed), 12);
});

testBoth('wrong filters, cursors and page sizes get a clear error', async (app) => {
  await app.makePost('One');
  await app.makePost('Two');
  const problem = async (variables: object) => (await app.gql(PAGE, { ...variables })).errors[0];
  assert.equal((await problem({ filters: [{ type: 'STATUS', is: 'nope' }] }))?.message, 'Status not found');
  assert.equal((await problem({ filters: [{ type: 'STATUS' }] }))?.extensions.field, 'filters');
  assert.equal((await problem({ filters: [{ type: 'FIELD', label: 'Size', is: 'L' }] }))?.message, 'Field not found');
  const { posts } = await app.ask(PAGE, { sort: 'TOP', limit: 1 });
  for (const cursor of ['x', '', 'WyJ4Il0', posts.cursor.slice(0, -3), 'a'.repeat(1_000)]) {
    assert.equal((await problem({ sort: 'TOP', cursor }))?.extensions.field, 'cursor');
  }
  assert.equal((await problem({ sort: 'NEWEST', cursor: posts.cursor }))?.extensions.field, 'cursor');
  const forged = (order: string, ...place: unknown[]) => encodeCursor(`posts:${order}`, place as never);
  for (const [value, id] of [
    [1e300, ''],
    [1.5, ''],
    ['1', ''],
    [1, 'a\0b'],
    [1, 7],
  ]) {
    assert.equal((await problem({ sort: 'TOP', cursor: forged('TOP', value, id) }))?.extensions.field, 'cursor');
  }
  assert.equal((await problem({ sort: 'TRENDING', cursor: forged('TRENDING', '1', '') }))?.extensions.field, 'cursor');
  for (const limit of [0, -1, 101, 1e6]) assert.equal((await problem({ limit }))?.extensions.field, 'limit');
  for (const limit of [1, 100]) assert.equal(await problem({ limit }), undefined);
});

test('the pinned posts of some statuses are looked up, not by scanning all posts of these statuses [sqlite]', async (t) => {
  const app = await makeTestApp(t, 'sqlite');
  const { db, board } = app;
  const statusIds = (await listStatuses(db.read, board.id)).map(({ id }) => id);
  const query = {
    viewer: null,
    order: 'TRENDING',
    limit: 20,
    cursor: null,
    filter: { statusIds, isPinned: true },
  } as const;
  app.takeStatements();
  await listPosts(db.read, board.id, query);
  const [statement = ''] = app.takeStatements();
  const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(statement)}`.execute(db.read);
  assert.match(rows[0]?.detail ?? '', /USING INDEX posts_pinned/);
});
