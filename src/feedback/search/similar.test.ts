import assert from 'node:assert/strict';
import type { TestApp } from '../../../test/support/app.ts';
import { type SearchApp, testSearch } from '../../../test/support/search.ts';

const SIMILAR = `query($title: String!, $text: String, $limit: Int) {
  similarPosts(title: $title, text: $text, limit: $limit) { post { title } score matched }
}`;

type Found = { title: string; score: number; matched: string[] };

async function makePosts({ api }: TestApp, posts: readonly (string | [title: string, text: string])[]): Promise<void> {
  for (const post of posts) {
    const [title, text] = typeof post === 'string' ? [post, null] : post;
    await api.createPost({ title, comment: text });
  }
}

async function similar({ ask, index }: SearchApp, title: string, variables: object = {}): Promise<Found[]> {
  await index();
  const { similarPosts } = await ask(SIMILAR, { title, ...variables });
  return similarPosts.map(({ post, ...rest }: { post: { title: string } }) => ({ title: post.title, ...rest }));
}

const titles = (found: readonly Found[]) => found.map(({ title }) => title);

const fillers = Array.from({ length: 30 }, (_, n) => `Improve page ${n} of the settings`);

testSearch('posts about the same are found, the most alike first, with the words that make them so', async (app) => {
  await makePosts(app, [
    ...fillers,
    'Dark mode for the editor',
    ['Night theme', 'I would like a dark mode, my eyes hurt.'],
    'Export to CSV',
    'Dark mode',
  ]);
  const found = await similar(app, 'Please add a dark mode');
  assert.deepEqual(titles(found), ['Dark mode', 'Dark mode for the editor', 'Night theme']);
  assert.deepEqual(found[0]?.matched.toSorted(), ['Dark', 'mode']);
  assert.ok(found.every(({ score }, n) => score > 0 && score <= (found[n - 1]?.score ?? 1)));
  assert.equal((await similar(app, 'Dark mode'))[0]?.score, 1);
  assert.deepEqual(titles(await similar(app, 'Please add a dark mode', { limit: 1 })), ['Dark mode']);
  assert.deepEqual(await similar(app, 'Quantum entanglement'), []);
});

testSearch('the description helps to find posts about the same', async (app) => {
  await makePosts(app, [
    ...fillers,
    ['Slow on Mondays', 'The weekly spreadsheet import takes an hour.'],
    'Spreadsheet import',
  ]);
  const found = await similar(app, 'It takes too long', { text: 'Every Monday I wait for the spreadsheet import.' });
  assert.deepEqual(titles(found).toSorted(), ['Slow on Mondays', 'Spreadsheet import']);
});

testSearch('words that say nothing make no posts similar, unless there are no others', async (app) => {
  await makePosts(app, [
    'Import from the bank for me',
    'Wo ist die App für das Handy',
    'More for all',
    ['Receipts on paper', 'Because of us.'],
  ]);
  const [found, ...others] = await similar(app, 'Receipts from the post for all of us', { text: 'Because of me.' });
  assert.deepEqual([found?.title, found?.matched, others], ['Receipts on paper', ['Receipts'], []]);
  assert.deepEqual(titles(await similar(app, 'Die Suche für das Archiv')), []);
  assert.deepEqual(titles(await similar(app, 'More for all')).slice(0, 1), ['More for all']);
});

testSearch('German compounds and mistyped words: parts of words suffice, and are named', async (app) => {
  await makePosts(app, [...fillers, 'Datenexport nach Excel', 'Kalenderansicht für Teams', 'Rechnungen drucken']);
  const [first] = await similar(app, 'Export der Daten');
  assert.equal(first?.title, 'Datenexport nach Excel');
  assert.ok(
    first?.matched.some((word) => word.toLowerCase().includes('export')),
    `${first?.matched}`,
  );
  assert.deepEqual(titles(await similar(app, 'Ansicht im Kalender')), ['Kalenderansicht für Teams']);
  assert.deepEqual(titles(await similar(app, 'Kalendaransicht')), ['Kalenderansicht für Teams']);
});

testSearch('French, Chinese, Japanese and Arabic', async (app) => {
  await makePosts(app, [
    ...fillers,
    'Ajouter un thème sombre',
    '希望支持深色模式',
    '検索結果をCSVで出力したい',
    'إضافة الوضع الداكن للتطبيق',
  ]);
  const top = async (title: string) => (await similar(app, title))[0];
  assert.equal((await top('Theme sombre, s’il vous plaît'))?.title, 'Ajouter un thème sombre');
  assert.deepEqual((await top('Theme sombre'))?.matched.toSorted(), ['sombre', 'thème']);
  assert.equal((await top('能不能加个深色模式?'))?.title, '希望支持深色模式');
  assert.deepEqual((await top('能不能加个深色模式?'))?.matched, ['深色模式']);
  assert.equal((await top('検索結果の出力'))?.title, '検索結果をCSVで出力したい');
  assert.equal((await top('أريد الوضع الداكن'))?.title, 'إضافة الوضع الداكن للتطبيق');
});

testSearch('Post.similar leaves out the post itself and what is deleted', async (app) => {
  await makePosts(app, [...fillers, 'Dark mode', 'Dark mode please', 'Dark mode now']);
  const read = '{ posts(search: "dark mode now") { nodes { id similar(limit: 5) { post { title } score } } } }';
  const { posts } = await app.ask(read);
  const titlesOf = (nodes: { similar: { post: { title: string } }[] }[]) =>
    nodes.flatMap((node) => node.similar.map(({ post }) => post.title)).toSorted();
  assert.deepEqual(titlesOf(posts.nodes), ['Dark mode', 'Dark mode please']);
  const gone = await app.api.posts({ search: 'dark mode please' }, { nodes: { id: true } });
  await app.api.deletePost({ postId: gone.nodes[0]?.id ?? '' });
  assert.deepEqual(titlesOf((await app.ask(read)).posts.nodes), ['Dark mode']);
  assert.deepEqual(titles(await similar(app, 'Dark mode please')), ['Dark mode', 'Dark mode now']);
});

testSearch('similar is for a few posts at a time, and texts and limits have their bounds', async (app) => {
  await makePosts(app, fillers);
  const problem = async (query: string, variables: object = {}) => (await app.gql(query, { ...variables })).errors[0];
  assert.equal(await problem('{ posts(limit: 10) { nodes { similar(limit: 2) { score } } } }'), undefined);
  assert.match(
    (await problem('{ posts(limit: 11) { nodes { similar(limit: 2) { score } } } }'))?.message ?? '',
    /at most 10/,
  );
  assert.equal((await problem(SIMILAR, { title: '' }))?.extensions.field, 'title');
  assert.equal((await problem(SIMILAR, { title: 'x'.repeat(201) }))?.extensions.field, 'title');
  assert.equal((await problem(SIMILAR, { title: 'x', text: 'x'.repeat(20_001) }))?.extensions.field, 'text');
  assert.equal((await problem(SIMILAR, { title: 'x', limit: 101 }))?.extensions.field, 'limit');
  for (const title of ['%', '" OR 1', '*', '🌒', 'a', 'x'.repeat(200), '色'.repeat(200)]) {
    assert.ok(Array.isArray(await similar(app, title)), title);
  }
});

testSearch('similar posts of another board stay there', async (app) => {
  await makePosts(app, ['Dark mode']);
  const key = await app.makeKey({}, await app.makeBoard());
  await app.makeUser('zoe', undefined, { key });
  const { similarPosts } = await app.ask(SIMILAR, { title: 'Dark mode' }, { key, as: 'zoe' });
  assert.deepEqual(similarPosts, []);
});
