import assert from 'node:assert/strict';
import type { PostModerationStatus } from '../../../sdk/src/schema.ts';
import type { TestApp } from '../../../test/support/app.ts';
import { type SearchApp, testSearch } from '../../../test/support/search.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { purgePosts } from '../lifecycle/purge.ts';

const FIND = `query($w: String!, $where: PostWhere) {
  posts(search: $w, where: $where) { totalCount nodes { title } }
  newest: posts(search: $w, where: $where, sort: NEWEST) { totalCount nodes { title } }
  similarPosts(title: $w) { post { title } matched }
}`;

/** The titles that a user finds by a word, the same in every way of searching; and what is matched. */
async function find({ ask, index }: SearchApp, word: string, as: string, where: object | null = null) {
  await index();
  const { posts, newest, similarPosts } = await ask(FIND, { w: word, where }, { as });
  const titles = posts.nodes.map((post: { title: string }) => post.title).toSorted();
  assert.deepEqual(newest.nodes.map((post: { title: string }) => post.title).toSorted(), titles);
  assert.deepEqual([posts.totalCount, newest.totalCount], [titles.length, titles.length]);
  if (where === null) {
    assert.deepEqual(similarPosts.map(({ post }: { post: { title: string } }) => post.title).toSorted(), titles);
  }
  return { titles, matched: similarPosts.flatMap(({ matched }: { matched: string[] }) => matched) };
}

const moderate = ({ api }: TestApp, id: string, moderationStatus: PostModerationStatus) =>
  api.changePostModerationStatus({ id, moderationStatus });

testSearch('posts that are held back are found and counted only for the team and their author', async (app) => {
  for (const name of ['ann', 'mia']) await app.makeUser(name);
  await app.makePost('Zanzibar open');
  const held = await app.makePost('Zanzibar held', { as: 'ann' });
  for (const status of ['PENDING', 'REJECTED'] as const) {
    await moderate(app, held, status);
    assert.deepEqual((await find(app, 'zanzibar', 'mia')).titles, ['Zanzibar open']);
    assert.deepEqual((await find(app, 'zanzibar', 'ann')).titles, ['Zanzibar held', 'Zanzibar open']);
    assert.deepEqual((await find(app, 'zanzibar', 'ada')).titles, ['Zanzibar held', 'Zanzibar open']);
    assert.deepEqual(await find(app, 'held', 'mia'), { titles: [], matched: [] });
    assert.deepEqual((await find(app, 'heldd', 'mia')).titles, []);
  }
  await moderate(app, held, 'APPROVED');
  assert.deepEqual(await find(app, 'held', 'mia'), { titles: ['Zanzibar held'], matched: ['held'] });
});

testSearch('internal comments and those of other people are not searched', async (app) => {
  const id = await app.makePost('Title');
  for (const type of ['BASIC', 'INTERNAL'] as const)
    await app.api.createComment({ postId: id, text: 'Zanzibar', type });
  assert.deepEqual((await find(app, 'zanzibar', 'ada')).titles, []);
});

testSearch('a description changed as a comment is found by its current text', async (app) => {
  const id = await app.makePost('Title');
  const post = await app.api.post({ id }, { comments: { nodes: { id: true, isFirst: true } } });
  const first = post?.comments.nodes.find((comment) => comment.isFirst);
  await app.api.updateComment({ id: first?.id ?? '', text: 'Zanzibar' });
  assert.deepEqual((await find(app, 'zanzibar', 'ada')).titles, ['Title']);
  assert.deepEqual((await app.api.posts({ search: 'because' }, { totalCount: true })).totalCount, 0);
});

testSearch('a search can be combined with every condition of where', async (app) => {
  const { api } = app;
  await app.makeUser('bob');
  const tag = await api.createTag({ name: 'Later', isPrivate: true });
  const tagIds = [tag.id];
  await api.createPost({ title: 'Zanzibar tagged', tagIds });
  const voted = await app.makePost('Zanzibar voted', { as: 'bob' });
  await api.upvotePost({ postId: voted });
  const bob = { ssotype: 'SSO', userId: 'bob' };
  const found = async (where: object) => (await find(app, 'zanzibar', 'ada', where)).titles;
  assert.deepEqual(await found({ tagIds }), ['Zanzibar tagged']);
  assert.deepEqual(await found({ tagIds, tagMode: 'ALL' }), ['Zanzibar tagged']);
  assert.deepEqual(await found({ author: bob }), ['Zanzibar voted']);
  assert.deepEqual(await found({ minUpvotes: 1, statusTypes: ['UNASSIGNED'] }), ['Zanzibar voted']);
  assert.deepEqual(await found({ votedBy: bob }), []);
  assert.deepEqual(await found({ statusTypes: ['COMPLETED'] }), []);
  const { errors } = await app.gql(FIND, { w: 'zanzibar', where: { tagIds } }, { as: 'bob' });
  assert.equal(errors[0]?.message, 'Tag not found');
});

testSearch(
  'merged posts are found as lists have them, and a post deleted permanently leaves nothing in the index',
  async (app) => {
    const { api, db, clock } = app;
    const target = await app.makePost('Kilimanjaro');
    const source = await app.makePost('Zanzibar');
    await api.mergePosts({ sourceIds: [source], targetId: target });
    assert.deepEqual((await find(app, 'zanzibar', 'ada')).titles, ['Zanzibar']);
    await api.deletePost({ postId: target });
    clock.advance(31 * DAY_MS);
    await purgePosts({ db, clock, baseUrl: '' });
    const rows = await db.read.selectFrom('post_search').select('post_id').execute();
    assert.deepEqual(rows, [{ post_id: source }]);
  },
);
