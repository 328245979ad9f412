import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { fill } from '../../platform/db/migrations/0045-compounds.ts';
import { MINUTE_MS } from '../../platform/lib/clock.ts';
import { foldText } from '../../platform/texts/fold.ts';
import { chooseSegments, indexBoards } from './indexer.ts';
import { readIndex } from './segments.ts';

const SEARCH = 'query($w: String) { posts(search: $w, limit: 100) { nodes { title } totalCount } }';

async function find({ ask }: TestApp, w: string): Promise<string[]> {
  return (await ask(SEARCH, { w })).posts.nodes.map((post: { title: string }) => post.title);
}

/** How many posts are in each segment, and how many in none. */
async function sizes({ db, board }: TestApp) {
  const { segments, pending } = await readIndex(db.read, board.id);
  return { segments: segments.map(({ post_count }) => post_count), pending: pending.length };
}

testBoth('256 pending posts become a segment, 255 do not, nor do those of several boards', async (app) => {
  const other = { key: await app.makeKey({}, await app.makeBoard()), as: 'zoe' };
  await app.makeUser('zoe', undefined, { key: other.key });
  await app.makePost('Elsewhere', other);
  for (let n = 0; n < 255; n++) await app.makePost(`Export ${n}`);
  await indexBoards(app);
  assert.deepEqual(await sizes(app), { segments: [], pending: 255 });
  await app.makePost('Export 255');
  await indexBoards(app);
  assert.deepEqual(await sizes(app), { segments: [256], pending: 0 });
  assert.equal((await app.ask(SEARCH, { w: 'export' })).posts.totalCount, 256);
  assert.deepEqual(await find(app, 'elsewhere'), []);
});

testBoth('a post that is changed while its segment is made is found by its latest text', async (app) => {
  const id = await app.makePost('Version 0');
  for (let n = 1; n <= 10; n++) {
    const title = `Version ${n}`;
    await Promise.all([indexBoards(app, { least: 1 }), app.api.updatePost({ id, title })]);
    assert.deepEqual(await find(app, `version ${n}`), [title]);
    await indexBoards(app, { least: 1 });
    assert.deepEqual(await find(app, `version ${n}`), [title]);
    assert.deepEqual(await find(app, `version ${n - 1}`), []);
  }
});

testBoth('several processes make one segment of each post', async (app) => {
  for (let n = 0; n < 40; n++) await app.makePost(`Export ${n}`);
  await Promise.all(Array.from({ length: 4 }, () => indexBoards(app, { least: 1 })));
  assert.deepEqual(await sizes(app), { segments: [40], pending: 0 });
});

testBoth('eight segments of a size become one, and what they were goes after a minute', async (app) => {
  const { db, clock } = app;
  const count = async (table: 'search_segments' | 'search_blocks') =>
    (
      await db.read
        .selectFrom(table)
        .select((e) => e.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    ).n;
  for (let n = 0; n < 7; n++) {
    await app.makePost(`Export ${n} 导出数据`);
    await indexBoards(app, { least: 1 });
  }
  assert.deepEqual((await sizes(app)).segments, [1, 1, 1, 1, 1, 1, 1]);
  const before = await readIndex(db.read, app.board.id);
  await app.makePost('Export 7');
  await Promise.all(Array.from({ length: 3 }, () => indexBoards(app, { least: 1 })));
  assert.deepEqual(await sizes(app), { segments: [8], pending: 0 });
  assert.equal((await find(app, 'export')).length, 8);
  assert.deepEqual(await find(app, '导出 3'), ['Export 3 导出数据']);
  assert.equal(await count('search_segments'), 9);
  assert.ok(before.segments.length === 7 && (await count('search_blocks')) > 8);
  clock.advance(MINUTE_MS - 1);
  await indexBoards(app);
  assert.equal(await count('search_segments'), 9);
  clock.advance(1);
  await indexBoards(app);
  assert.equal(await count('search_segments'), 1);
  assert.equal((await find(app, 'export')).length, 8);
});

test('segments of about one size are merged, the oldest first, as far as the result is not too large', () => {
  const choose = (...counts: number[]) => chooseSegments(counts.map((post_count) => ({ post_count }))).length;
  const times = (n: number, count: number) => Array.from({ length: n }, () => count);
  assert.equal(choose(...times(7, 256)), 0);
  assert.equal(choose(...times(8, 256)), 8);
  assert.equal(choose(...times(7, 300), ...times(7, 2_048)), 0);
  assert.equal(choose(...times(7, 300), ...times(8, 2_048)), 8);
  assert.equal(choose(...times(8, 16_384)), 8);
  assert.equal(choose(...times(8, 32_768)), 4);
  assert.equal(choose(...times(8, 32_769)), 0);
  assert.equal(choose(...times(100, 131_072)), 0);
  const [newest, ...others] = [300, 260, 261, 262, 263, 264, 265, 266, 267].map((post_count) => ({ post_count }));
  assert.deepEqual(chooseSegments([newest, ...others].flatMap((s) => s ?? [])), others);
});

testBoth('a post that is deleted permanently before it is indexed is left out', async (app) => {
  const { db, board } = app;
  const id = await app.makePost('Gone');
  await app.makePost('Here');
  await db.transaction(async (tx) => {
    await tx.deleteFrom('post_search').where('board_id', '=', board.id).where('post_id', '=', id).execute();
  });
  await indexBoards(app, { least: 1 });
  assert.equal((await sizes(app)).pending, 0);
  assert.deepEqual(await find(app, 'here'), ['Here']);
});

testBoth('posts that an earlier version indexed are found with and without a hyphen', async (app) => {
  const { api, db } = app;
  const posts = [
    { title: 'E-mail digests', comment: 'Every day.' },
    { title: 'Login', comment: 'With [@Jean-Luc](user:0), over Wi‑Fi.' },
    { title: 'Email 1.2', comment: 'In dark-mode, i.e. at night.' },
  ];
  for (const { title, comment } of posts) {
    const { id } = await api.createPost({ title, comment });
    const earlier = { title: ` ${foldText(title)} `, text: ` ${foldText(comment)} ` };
    await db.transaction((tx) => tx.updateTable('post_search').set(earlier).where('post_id', '=', id).execute());
  }
  await indexBoards(app, { least: 1 });
  assert.deepEqual(await find(app, 'E-mail'), ['Email 1.2', 'E-mail digests']);
  assert.deepEqual(await find(app, 'wi-fi'), ['Login']);
  assert.deepEqual(await find(app, 'wifi'), []);
  await db.transaction(fill);
  assert.deepEqual(await sizes(app), { segments: [3], pending: 2 }, 'only those that have such words');
  for (const least of [10, 1]) {
    await indexBoards(app, { least });
    assert.deepEqual(await find(app, 'email'), ['Email 1.2', 'E-mail digests']);
    assert.deepEqual(await find(app, 'E-mail'), ['Email 1.2', 'E-mail digests']);
    assert.deepEqual(await find(app, 'wifi'), ['Login']);
    assert.deepEqual(await find(app, 'mail digest'), ['E-mail digests']);
  }
});
