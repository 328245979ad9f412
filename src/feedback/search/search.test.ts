import assert from 'node:assert/strict';
import type { TestApp } from '../../../test/support/app.ts';
import { type SearchApp, testSearch } from '../../../test/support/search.ts';

const SEARCH = `query($search: String, $sort: PostSortOrder, $limit: Int, $cursor: String, $filters: [PostFilter!]) {
  posts(search: $search, sort: $sort, limit: $limit, cursor: $cursor, filters: $filters) {
    nodes { title } hasMore cursor totalCount
  }
}`;

type Post = string | { title: string; text: string };

async function makePosts({ api }: TestApp, posts: readonly Post[]): Promise<void> {
  for (const post of posts) {
    const { title, text } = typeof post === 'string' ? { title: post, text: null } : post;
    await api.createPost({ title, comment: text });
  }
}

async function find({ ask, index }: SearchApp, search: string, variables: object = {}): Promise<string[]> {
  await index();
  const { posts } = await ask(SEARCH, { search, ...variables });
  return posts.nodes.map((post: { title: string }) => post.title);
}

testSearch('a search finds words in titles and descriptions, those in the title first', async (app) => {
  await makePosts(app, [
    { title: 'Quick access', text: 'An export of everything would do.' },
    'Export to CSV',
    'Something else',
    { title: 'A calendar', text: 'For the team.' },
  ]);
  assert.deepEqual(await find(app, 'export'), ['Export to CSV', 'Quick access']);
  assert.deepEqual(await find(app, 'EXPORT csv'), ['Export to CSV']);
  assert.deepEqual(await find(app, 'calendar team'), ['A calendar']);
  assert.deepEqual(await find(app, 'calendar export'), []);
});

testSearch(
  'relevance goes by where the words stand: together in the title, as words, as parts, in the text',
  async (app) => {
    await makePosts(app, [
      { title: 'Other', text: 'A dark, dark mode.' },
      'Modeling of darkness',
      'Mode for the dark',
      'Dark mode in the editor',
      'Dark mode',
    ]);
    assert.deepEqual(await find(app, 'dark mode'), [
      'Dark mode',
      'Dark mode in the editor',
      'Mode for the dark',
      'Modeling of darkness',
      'Other',
    ]);
  },
);

testSearch('German: umlauts, sharp s, capitals and parts of compounds', async (app) => {
  await makePosts(app, [
    'Größenänderung von Bildern',
    'Datenexport für Buchhaltungssysteme',
    'Übersetzung der Oberfläche',
    'Straßenkarte anzeigen',
  ]);
  assert.deepEqual(await find(app, 'export'), ['Datenexport für Buchhaltungssysteme']);
  assert.deepEqual(await find(app, 'buchhaltung'), ['Datenexport für Buchhaltungssysteme']);
  assert.deepEqual(await find(app, 'GRÖSSE'), ['Größenänderung von Bildern']);
  assert.deepEqual(await find(app, 'ubersetzung'), ['Übersetzung der Oberfläche']);
  assert.deepEqual(await find(app, 'strassenkarte'), ['Straßenkarte anzeigen']);
  assert.deepEqual(await find(app, 'Export der Daten'), []);
  assert.deepEqual(await find(app, 'Exportdaten'), ['Datenexport für Buchhaltungssysteme']);
});

testSearch('French, Turkish, Greek and Cyrillic: accents and elisions', async (app) => {
  await makePosts(app, [
    'Améliorer l’export des données',
    'Cœur et œuvre',
    'İstanbul ışık',
    'Τέλος',
    'Ёлка и тёмная тема',
  ]);
  assert.deepEqual(await find(app, 'ameliorer donnees'), ['Améliorer l’export des données']);
  assert.deepEqual(await find(app, "l'export"), ['Améliorer l’export des données']);
  assert.deepEqual(await find(app, 'oeuvre'), ['Cœur et œuvre']);
  assert.deepEqual(await find(app, 'istanbul isik'), ['İstanbul ışık']);
  assert.deepEqual(await find(app, 'ΤΕΛΟΣ'), ['Τέλος']);
  assert.deepEqual(await find(app, 'темная'), ['Ёлка и тёмная тема']);
});

testSearch('Chinese, Japanese and Korean: words of any length without spaces', async (app) => {
  await makePosts(app, [
    '导出数据到表格',
    '支持深色模式',
    'ダークモードを追加してください',
    '検索がとても遅い',
    '다크 모드를 추가해 주세요',
    'GraphQLの検索',
  ]);
  assert.deepEqual(await find(app, '数据'), ['导出数据到表格']);
  assert.deepEqual(await find(app, '深色模式'), ['支持深色模式']);
  assert.deepEqual(await find(app, '色'), ['支持深色模式']);
  assert.deepEqual(await find(app, 'ダークモード'), ['ダークモードを追加してください']);
  assert.deepEqual(await find(app, 'ﾀﾞｰｸ'), ['ダークモードを追加してください']);
  assert.deepEqual((await find(app, '検索')).sort(), ['GraphQLの検索', '検索がとても遅い']);
  assert.deepEqual(await find(app, 'graphql 検索'), ['GraphQLの検索']);
  assert.deepEqual(await find(app, '모드'), ['다크 모드를 추가해 주세요']);
});

testSearch(
  'Arabic and Hebrew: without vowel signs, with the article attached, whatever form a letter has',
  async (app) => {
    await makePosts(app, ['إضافة الوضع الداكن', 'تصدير البيانات إلى ملف', 'מצב כהה']);
    assert.deepEqual(await find(app, 'الوضع'), ['إضافة الوضع الداكن']);
    assert.deepEqual(await find(app, 'وضع داكن'), ['إضافة الوضع الداكن']);
    assert.deepEqual(await find(app, 'اضافة'), ['إضافة الوضع الداكن']);
    assert.deepEqual(await find(app, 'تَصْدِير'), ['تصدير البيانات إلى ملف']);
    assert.deepEqual(await find(app, 'כהה'), ['מצב כהה']);
  },
);

testSearch('mistyped words find what is nearly the same, after what is exactly so', async (app) => {
  await makePosts(app, ['Export to CSV', 'Kalender mit Feiertagen', 'Calendar', 'Keyboard shortcuts', '暗色模式支持']);
  assert.deepEqual(await find(app, 'exprot'), ['Export to CSV']);
  assert.deepEqual(await find(app, 'calender'), ['Calendar', 'Kalender mit Feiertagen']);
  assert.deepEqual(await find(app, 'keybord shortcut'), ['Keyboard shortcuts']);
  assert.deepEqual(await find(app, 'feiertage kalneder'), ['Kalender mit Feiertagen']);
  assert.deepEqual(await find(app, 'zebra'), []);
});

testSearch('a compound is found with a hyphen or dot and in one word, whichever was written', async (app) => {
  await makePosts(app, [
    'E-mail digests',
    'Email address',
    { title: 'Login', text: 'Over Wi-Fi and with Node.js.' },
    { title: 'Log-in page', text: 'On a wifi with nodejs, in the USA.' },
    { title: 'Node JS', text: 'From the U.S.A.' },
    'Mail to everyone',
  ]);
  for (const sort of ['RELEVANCE', 'NEWEST']) {
    const sorted = async (search: string) => (await find(app, search, { sort })).sort();
    for (const search of ['email', 'E-mail', 'E‑Mail']) {
      assert.deepEqual(await sorted(search), ['E-mail digests', 'Email address'], search);
    }
    for (const search of ['login', 'log-in', 'wifi', 'wi-fi', 'wi.fi login']) {
      assert.deepEqual(await sorted(search), ['Log-in page', 'Login'], search);
    }
    assert.deepEqual(await sorted('nodejs'), ['Log-in page', 'Login']);
    for (const search of ['Node.js', 'node-js']) {
      assert.deepEqual(await sorted(search), ['Log-in page', 'Login', 'Node JS'], `${search} is also written apart`);
    }
    for (const search of ['usa', 'U.S.A.']) assert.deepEqual(await sorted(search), ['Log-in page', 'Node JS'], search);
    assert.deepEqual(await sorted('js'), ['Login', 'Node JS']);
    assert.deepEqual(await sorted('E-mail-address'), ['Email address']);
  }
  assert.deepEqual(await find(app, 'E-mail'), ['Email address', 'E-mail digests']);
});

testSearch('one letter is a word of its own, and two begin one', async (app) => {
  await makePosts(app, ['UI for R', 'Build guide', 'Reports in R and Go', 'Google sign-in', 'Room 5', '🌒 at night']);
  assert.deepEqual(await find(app, 'ui'), ['UI for R']);
  assert.deepEqual((await find(app, 'r')).sort(), ['Reports in R and Go', 'UI for R']);
  assert.deepEqual((await find(app, 'go')).sort(), ['Google sign-in', 'Reports in R and Go']);
  assert.deepEqual(await find(app, '5'), ['Room 5']);
  assert.deepEqual(await find(app, '🌒'), ['🌒 at night']);
});

testSearch('what is syntax elsewhere is only text here', async (app) => {
  await makePosts(app, ['Fifty % off', 'snake_case names', 'C:\\path', 'Plain']);
  const hostile = [
    '%',
    '_',
    '\\',
    '"',
    "'",
    '*',
    '^',
    ':',
    '()',
    '{}',
    '-',
    '+',
    '\0',
    '\ud800',
    '"; drop table posts; --',
  ];
  for (const search of hostile) assert.deepEqual(await find(app, search), [], search);
  for (const search of ['plain OR snake', 'plain NOT x', 'NEAR(plain x)', 'title:plain', 'plain AND']) {
    assert.ok(Array.isArray(await find(app, search)), search);
  }
  assert.deepEqual(await find(app, 'plain*'), ['Plain']);
  assert.deepEqual(await find(app, 'snake_case'), ['snake_case names']);
  assert.deepEqual(await find(app, '"plain'), ['Plain']);
  assert.deepEqual(await find(app, 'pl%in'), []);
});

testSearch(
  'an empty search is ignored; one that is too long, and RELEVANCE without a search, are refused',
  async (app) => {
    await makePosts(app, ['One', 'Two']);
    assert.equal((await find(app, ' \n')).length, 2);
    const problem = async (variables: object) => (await app.gql(SEARCH, { ...variables })).errors[0]?.extensions;
    assert.equal(await problem({ search: 'x'.repeat(200) }), undefined);
    assert.equal((await problem({ search: 'x'.repeat(201) }))?.field, 'search');
    assert.equal((await problem({ sort: 'RELEVANCE' }))?.field, 'sort');
  },
);

testSearch('pages of a search give every post once, also when posts are added between them', async (app) => {
  await makePosts(
    app,
    Array.from({ length: 25 }, (_, n) => (n % 3 === 0 ? `Export ${n}` : `A post ${n} about exports`)),
  );
  for (const sort of ['RELEVANCE', 'NEWEST', 'OLDEST', 'TOP']) {
    const seen: string[] = [];
    for (let cursor: string | null = null, pages = 0; ; pages++) {
      await app.index();
      const { posts } = await app.ask(SEARCH, { search: 'export', sort, limit: 7, cursor });
      seen.push(...posts.nodes.map((post: { title: string }) => post.title));
      if (sort === 'RELEVANCE' && pages === 0) await makePosts(app, ['Export added later']);
      cursor = posts.cursor;
      if (!posts.hasMore) break;
    }
    const others = seen.filter((title) => title !== 'Export added later');
    assert.equal(others.length, 25, sort);
    assert.equal(new Set(seen).size, seen.length, sort);
  }
  const { posts } = await app.ask(SEARCH, { search: 'export', sort: 'RELEVANCE', limit: 1 });
  assert.equal(posts.totalCount, 26);
  const other = await app.gql(SEARCH, { search: 'post', sort: 'RELEVANCE', cursor: posts.cursor });
  assert.equal(other.errors[0]?.extensions.field, 'cursor');
});

testSearch('a search can be combined with filters and other orders', async (app) => {
  await makePosts(app, ['Export A', 'Export B', 'Import C']);
  const posts = await app.api.posts({ search: 'export b' }, { nodes: { id: true } });
  await app.api.changePostStatus({ postId: posts.nodes[0]?.id ?? '', statusType: 'COMPLETED' });
  const filters = [{ type: 'STATUS', is: 'COMPLETED' }];
  for (const sort of [null, 'RELEVANCE', 'TOP', 'OLDEST']) {
    assert.deepEqual(await find(app, 'export', { filters, sort }), ['Export B'], `${sort}`);
  }
  assert.deepEqual(await find(app, 'port', { sort: 'OLDEST' }), ['Export A', 'Export B', 'Import C']);
  assert.equal((await app.ask(SEARCH, { search: 'port', sort: 'OLDEST', filters })).posts.totalCount, 1);
});

testSearch('a post is found by its current text, and not at all while it is deleted', async (app) => {
  const { api, ask } = app;
  await makePosts(app, [{ title: 'Dark mode', text: 'For the night.' }, 'Something']);
  const posts = await api.posts({ search: 'dark' }, { nodes: { id: true } });
  const id = posts.nodes[0]?.id ?? '';
  await api.updatePost({ id, title: 'Light mode' });
  assert.deepEqual(await find(app, 'dark'), []);
  assert.deepEqual(await find(app, 'light night'), ['Light mode']);
  await api.updatePost({ id, comment: 'For the day.' });
  assert.deepEqual(await find(app, 'night'), []);
  assert.deepEqual(await find(app, 'light day'), ['Light mode']);
  await api.deletePost({ postId: id });
  for (const sort of ['RELEVANCE', 'NEWEST']) {
    const { posts: found } = await ask(SEARCH, { search: 'light', sort });
    assert.deepEqual(found, { nodes: [], hasMore: false, cursor: null, totalCount: 0 });
  }
  await api.restorePost({ id });
  assert.deepEqual(await find(app, 'light'), ['Light mode']);
});

testSearch('a change that is undone is not found', async (app) => {
  const { gql } = app;
  await gql('mutation { a: createPost(title: "Phantom", tagIds: ["no such tag"]) { id } }');
  assert.deepEqual(await find(app, 'phantom'), []);
});

testSearch('a search stays on its board', async (app) => {
  await makePosts(app, ['Ours']);
  const key = await app.makeKey({}, await app.makeBoard());
  await app.makeUser('zoe', undefined, { key });
  const { posts } = await app.ask(SEARCH, { search: 'ours' }, { key, as: 'zoe' });
  assert.equal(posts.totalCount, 0);
});
