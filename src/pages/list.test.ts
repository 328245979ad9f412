import assert from 'node:assert/strict';
import { type TestWeb, testPages, testWeb } from '../../test/support/web.ts';

/** The titles of the ideas in a list, from the first to the last. */
async function titlesAt({ makeVisitor }: Pick<TestWeb, 'makeVisitor'>, search: string): Promise<string[]> {
  const { payload } = await makeVisitor().get(`/b/acme${search}`);
  const titles = payload.matchAll(/<h2 class="post-title"[^>]*><a[^>]*>(.*?)<\/a>/g);
  return [...titles].map(([, title = '']) => title.replace(/<[^>]*>/g, ''));
}

testWeb('pinned ideas stand before all others in every order, three of them at most', async (web) => {
  const ids: string[] = [];
  for (let n = 1; n <= 6; n++) {
    web.clock.advance(1_000);
    ids.push(await web.makePost(`Idea ${n}`));
  }
  for (const id of ids.slice(0, 4)) await web.api.updatePost({ id, isPinned: true });
  await web.api.upvotePost({ postId: ids[5] ?? '' });
  assert.deepEqual(await titlesAt(web, '?sort=new'), ['Idea 4', 'Idea 3', 'Idea 2', 'Idea 6', 'Idea 5', 'Idea 1']);
  assert.deepEqual(await titlesAt(web, '?sort=top'), ['Idea 4', 'Idea 3', 'Idea 2', 'Idea 6', 'Idea 5', 'Idea 1']);
  for (const sort of ['top', 'trending']) {
    const titles = await titlesAt(web, `?sort=${sort}`);
    assert.deepEqual([titles.length, new Set(titles).size, titles[3]], [6, 6, 'Idea 6'], sort);
  }
  // In a search the best match comes first.
  assert.equal((await titlesAt(web, '?q=idea+6'))[0], 'Idea 6');
});

testPages('pinned ideas stand on the first page alone, and only where they fit the filters', async (web) => {
  const [pinned] = [await web.makePost('Pinned'), web.clock.advance(1_000)];
  for (let n = 1; n <= 215; n++) await web.makePost(`Idea ${n}`);
  await web.api.updatePost({ id: pinned, isPinned: true });
  const first = '?sort=new&shown=200';
  const { payload } = await web.makeVisitor().get(`/b/acme${first}`);
  const next = /href="[^"]*(\?sort=new&amp;after=[^"]+)"/.exec(payload)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const pages = [await titlesAt(web, first), await titlesAt(web, next)];
  assert.deepEqual([pages[0]?.[0], pages.flat().length, new Set(pages.flat()).size], ['Pinned', 216, 216]);
  assert.equal((await titlesAt(web, '?sort=new&status=planned')).length, 0);
});

testPages(
  'completed ideas are left out of the list unless all are shown, or they are searched for or filtered by status',
  async (web) => {
    const done = await web.makePost('Dark mode');
    await web.makePost('Export');
    const old = await web.makePost('Telepathy');
    await web.api.changePostStatus({ postId: done, statusType: 'COMPLETED' });
    await web.api.changePostStatus({ postId: old, statusType: 'ARCHIVED' });
    assert.deepEqual(await titlesAt(web, ''), ['Export']);
    assert.equal((await titlesAt(web, '?show=all')).length, 3);
    assert.deepEqual(await titlesAt(web, '?status=completed'), ['Dark mode']);
    assert.deepEqual(await titlesAt(web, '?q=telepathy'), ['Telepathy']);
  },
);

testWeb('own ideas are all listed, those that are done or merged too', async (web) => {
  const olga = await web.makeMember('Olga', 'OWNER');
  const ids: string[] = [];
  for (const title of ['Night theme', 'Dark mode', 'Export']) {
    const { headers } = await olga.post('/b/acme?index', { title });
    ids.push(String(headers.location));
    web.clock.advance(1_000);
  }
  const posts = await web.api.posts({ sort: 'OLDEST' }, { nodes: { id: true } });
  const [night = '', dark = '', exported = ''] = posts.nodes.map(({ id }) => id);
  await web.api.mergePosts({ sourceIds: [night], targetId: dark });
  await web.api.changePostStatus({ postId: exported, statusType: 'COMPLETED' });
  const { payload } = await olga.get('/b/acme?sort=mine');
  for (const title of ['Night theme', 'Dark mode', 'Export']) assert.ok(payload.includes(`>${title}</a>`), title);
  assert.match(payload, /Merged/);
});

testPages('a list names what it is of, a search keeps its filters, and excerpts are plain text', async (web) => {
  await web.api.createPost({ title: 'Dark mode', comment: '- my **eyes**\n\n```\ncode\n```' });
  const { payload } = await web.makeVisitor().get('/b/acme?status=open&show=all');
  assert.match(payload, /<title>Ideas: Open · Acme<\/title>/);
  assert.match(payload, /<input type="hidden" name="status" value="open"\/>/);
  assert.match(payload, /<p class="excerpt" dir="auto">my eyes<\/p>/);
  assert.match((await web.makeVisitor().get('/b/acme?q=dark')).payload, /<title>“dark” · Acme<\/title>/);
});

testPages('times are shown as ages, by the clock of the server', async (web) => {
  await web.makePost('Dark mode');
  const ages = [];
  for (const minutes of [0, 5, 180, 60 * 24 * 3, 60 * 24 * 20, 60 * 24 * 100, 60 * 24 * 1_000]) {
    web.clock.advance(minutes * 60_000);
    const { payload } = await web.makeVisitor().get('/b/acme');
    ages.push(/<time[^>]*>([^<]*)</.exec(payload)?.[1]);
  }
  const expected = ['just now', '5 min ago', '3 h ago', '3 d ago', '3 w ago', '4 mo ago', '3 y ago'];
  assert.deepEqual(ages, expected);
});

testPages('visitors can choose a compact list, without scripts', async (web) => {
  await web.makePost('Dark mode');
  const visitor = web.makeVisitor();
  assert.match((await visitor.get('/b/acme')).payload, /<ol class="posts">/);
  const chosen = await visitor.post('/look', { density: 'compact', next: '/b/acme?sort=top' });
  assert.equal(chosen.headers.location, '/b/acme?sort=top');
  assert.match((await visitor.get('/b/acme')).payload, /<ol class="posts compact/);
  await visitor.post('/look', { density: 'nonsense', theme: 'dark' });
  const { payload } = await visitor.get('/b/acme');
  assert.match(payload, /<ol class="posts compact/);
  assert.match(payload, /<html[^>]*data-theme="dark"/);
  await visitor.post('/look', { density: 'comfortable' });
  assert.match((await visitor.get('/b/acme')).payload, /<ol class="posts">/);
});
