import assert from 'node:assert/strict';
import { readHead } from '../../test/support/page-head.ts';
import { listPaths } from '../../test/support/page-paths.ts';
import { signUp, type TestWeb, testPages, testWeb } from '../../test/support/web.ts';
import { INDEX_AFTER_MS } from '../feedback/sharing/indexing.ts';
import { setBoard } from '../identity/board/board.ts';

const HOME = 'http://board.test/b/acme';

async function headOf({ makeVisitor }: TestWeb, path: string, headers: Record<string, string> = {}) {
  return readHead((await makeVisitor().get(path, headers)).payload);
}

const change = ({ db, board }: TestWeb, set: Parameters<typeof setBoard>[2]) =>
  db.transaction((tx) => setBoard(tx, board.id, set));

testPages('every page that search engines may show has a title, a description and an address', async (web) => {
  await web.makePost('Dark mode');
  await web.makeMember('Olga', 'OWNER');
  const shown: string[] = [];
  for (const path of listPaths({ pid: 'acme', number: '1', file: '1.xml' })) {
    const { statusCode, headers, payload } = await web.makeVisitor().get(path);
    if (!/html/.test(String(headers['content-type']))) continue;
    const { title, canonical, meta } = readHead(payload);
    assert.ok(title, `${path} has a title`);
    if (meta.robots === 'noindex') continue;
    shown.push(path);
    assert.ok(statusCode === 200 && canonical && meta.description && meta['og:image'], path);
    assert.equal(meta['og:url'], canonical);
  }
  assert.deepEqual(shown, ['/b/acme', '/b/acme/posts/1/x', '/b/acme/roadmap']);
});

testPages('lists are called by what they show; only the board itself is for search engines', async (web) => {
  await web.api.createTag({ name: 'Look & feel' });
  await Promise.all(Array.from({ length: 201 }, (_, n) => web.makePost(`Idea ${n}`)));
  const vera = await signUp(web, 'Vera');
  const views: [path: string, title: string, canonical: string, robots: string | undefined][] = [
    ['/b/acme', 'Acme', '', undefined],
    ['/b/acme?sort=top', 'Top ideas · Acme', '', undefined],
    ['/b/acme?sort=new&done=saved', 'New ideas · Acme', '', undefined],
    ['/b/acme?status=planned', 'Ideas: Planned · Acme', '?status=planned', 'noindex'],
    [
      '/b/acme?tag=look-feel&sort=top&status=planned&status=open&status=gone',
      'Ideas: Open, Planned, and #Look & feel · Acme',
      '?status=open&status=planned&tag=look-feel',
      'noindex',
    ],
    ['/b/acme?q=dark+%3Cb%3E', '“dark <b>” · Acme', '?q=dark+%3Cb%3E', 'noindex'],
    ['/b/acme?q=dark&status=planned', '“dark” · Ideas: Planned · Acme', '?q=dark&status=planned', 'noindex'],
  ];
  for (const [path, title, canonical, robots] of views) {
    const head = await headOf(web, path);
    assert.deepEqual([head.title, head.canonical, head.meta.robots], [title, HOME + canonical, robots], path);
  }
  assert.equal(readHead((await vera.get('/b/acme?sort=mine')).payload).title, 'Your ideas · Acme');
  const next = /href="(\/b\/acme\?sort=new&amp;after=[^"]+)"/.exec(
    (await vera.get('/b/acme?sort=new&shown=200')).payload,
  )?.[1];
  const later = await headOf(web, next?.replace('&amp;', '&') ?? '');
  assert.deepEqual([later.title, later.meta.robots], ['New ideas, continued · Acme', 'noindex']);
  assert.match(later.canonical ?? '', /\?sort=new&after=/);
  await change(web, { locale: 'de' });
  assert.equal((await headOf(web, '/b/acme?status=planned')).title, 'Ideen: Geplant · Acme');
});

testPages('an idea is described by its text, its votes and who wrote it', async (web) => {
  const text = '## Why\nOur **eyes** hurt, see [here](https://example.com).\n\n```\ncode\n```';
  await web.api.createPost({ title: 'Dark mode', comment: text });
  const head = await headOf(web, '/b/acme/posts/1?comments=newest');
  assert.equal(head.title, 'Dark mode · Acme');
  assert.equal(head.canonical, `${HOME}/posts/1/dark-mode`);
  assert.equal(head.meta.description, 'Why Our eyes hurt, see here.');
  assert.deepEqual([head.meta['og:title'], head.meta['og:type']], ['Dark mode', 'article']);
  assert.match(head.meta['og:image'] ?? '', /^http:\/\/board\.test\/b\/acme\/posts\/1\/picture\.png\?v=[\w-]{22}$/);
  const [posting, breadcrumbs] = (head.data as { '@graph': Record<string, unknown>[] })['@graph'];
  assert.equal(posting?.['@type'], 'DiscussionForumPosting');
  assert.deepEqual(posting?.author, { '@type': 'Person', name: 'ada' });
  assert.equal(posting?.headline, 'Dark mode');
  assert.equal(posting?.datePublished, '2026-11-21T09:30:01.000Z');
  const items = breadcrumbs?.itemListElement as { item: string }[] | undefined;
  assert.deepEqual(
    items?.map(({ item }) => item),
    [HOME, `${HOME}/posts/1/dark-mode`],
  );
  await web.api.createPost({ title: 'Dark mode', comment: null });
  assert.equal((await headOf(web, '/b/acme/posts/2')).meta.description, '0 votes for this idea on Acme. Status: Open');
});

/** As Slack asks, see https://docs.slack.dev/messaging/unfurling-links-in-messages: the beginning, and then the picture. */
const SLACKBOT = {
  'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  range: 'bytes=0-32768',
  accept: '*/*',
};
const SLACK_READS = 32_768;

testPages('a link to an idea unfolds in Slack with its text, votes and status', async (web) => {
  const id = (await web.api.createPost({ title: 'Dark mode', comment: 'Our **eyes** hurt.' })).id ?? '';
  await web.api.upvotePost({ postId: id });
  await change(web, { locale: 'de' });
  const { statusCode, payload } = await web.makeVisitor().get('/b/acme/posts/1/dark-mode', SLACKBOT);
  assert.equal(statusCode, 200);
  const begins = Buffer.from(payload).subarray(0, SLACK_READS).toString();
  const { meta } = readHead(`${begins.slice(0, begins.indexOf('</head>'))}</head>`);
  const shown = [
    'og:title',
    'og:site_name',
    'og:description',
    'twitter:label1',
    'twitter:data1',
    'twitter:label2',
    'twitter:data2',
  ];
  assert.deepEqual(
    shown.map((name) => meta[name]),
    ['Dark mode', 'Acme', 'Our eyes hurt.', 'Stimmen', '1', 'Status', 'Offen'],
  );
  const picture = (meta['og:image'] ?? '').replace('http://board.test', '');
  const { headers } = await web
    .makeVisitor()
    .get(picture, { 'user-agent': 'Slack-ImgProxy (+https://api.slack.com/robots)' });
  assert.equal(headers['content-type'], 'image/png');
});

testPages('nothing of an idea that not everyone may see unfolds', async (web) => {
  await web.api.createPost({ title: 'Dark mode', comment: 'Our eyes hurt.' });
  const look = () => web.makeVisitor().get('/b/acme/posts/1/dark-mode', SLACKBOT);
  const set = (values: { moderation_status: 'PENDING' } | { date_deleted: number }) =>
    web.db.transaction((tx) => tx.updateTable('posts').set(values).execute());
  await change(web, { access: 'MEMBERS' });
  web.clock.advance(5_000);
  const isPrivate = await look();
  await change(web, { access: 'PUBLIC' });
  web.clock.advance(5_000);
  await set({ moderation_status: 'PENDING' });
  const isHeld = await look();
  await set({ date_deleted: 1 });
  const isDeleted = await look();
  for (const { statusCode, payload, headers } of [isPrivate, isHeld, isDeleted]) {
    assert.notEqual(statusCode, 200);
    assert.doesNotMatch(`${payload} ${JSON.stringify(headers)}`, /Dark mode|eyes|twitter:data|og:title/);
  }
});

testWeb('search engines see what the team, trusted users and a week have made sure of', async (web) => {
  const vera = await signUp(web, 'Vera');
  for (const title of ['First', 'Second']) await vera.post('/b/acme?index', { title, comment: '' });
  const robots = async (number: number) => (await headOf(web, `/b/acme/posts/${number}`)).meta.robots;
  const standing = (value: 'NORMAL' | 'TRUSTED' | 'BLOCKED') =>
    web.db.transaction((tx) => tx.updateTable('users').set({ standing: value }).where('name', '=', 'Vera').execute());
  assert.equal(await robots(1), 'noindex');
  assert.equal((await headOf(web, '/b/acme/posts/1')).data, null);
  await standing('TRUSTED');
  assert.equal(await robots(1), undefined);
  await standing('NORMAL');
  const mo = await web.makeMember('Mo', 'MODERATOR');
  for (const moderationStatus of ['PENDING', 'APPROVED']) {
    await mo.post('/b/acme/posts/1/first', { intent: 'moderate', moderationStatus });
  }
  assert.deepEqual([await robots(1), await robots(2)], [undefined, 'noindex']);
  web.clock.advance(INDEX_AFTER_MS - 60_000);
  assert.equal(await robots(2), 'noindex');
  web.clock.advance(60_000);
  assert.equal(await robots(2), undefined);
  await standing('BLOCKED');
  assert.deepEqual([await robots(1), await robots(2)], ['noindex', 'noindex']);
  await web.makePost('Of the owner');
  assert.equal(await robots(3), undefined);
});

testPages('an owner hides a board from search engines; links to it still have pictures', async (web) => {
  await web.makePost('Dark mode');
  const owner = await web.makeMember('Olga', 'OWNER');
  const form = { intent: 'basics', name: 'Acme', description: '', locale: 'en', roadmap: 'on' };
  assert.match((await owner.get('/b/acme/settings/general')).payload, /name="indexed" checked/);
  assert.equal((await owner.post('/b/acme/settings/general', form)).statusCode, 302);
  for (const path of ['/b/acme', '/b/acme/posts/1', '/b/acme/roadmap']) {
    const { meta, data } = await headOf(web, path);
    assert.deepEqual([meta.robots, data], ['noindex', null], path);
    assert.ok(meta['og:image'], path);
  }
  assert.equal((await web.makeVisitor().get('/b/acme/sitemap/1.xml')).statusCode, 404);
  await owner.post('/b/acme/settings/general', { ...form, indexed: 'on' });
  assert.equal((await headOf(web, '/b/acme')).meta.robots, undefined);
});

testPages('addresses of a board with a custom domain are on it, by whatever host it is reached', async (web) => {
  await web.makePost('Dark mode');
  await change(web, { domain: 'ideas.example.com' });
  for (const host of ['board.test', 'ideas.example.com', 'evil.example']) {
    const { canonical, meta } = await headOf(web, '/b/acme/posts/1/dark-mode', {
      host,
      'x-forwarded-host': 'x.example',
    });
    assert.equal(canonical, 'https://ideas.example.com/b/acme/posts/1/dark-mode', host);
    assert.ok(meta['og:image']?.startsWith('https://ideas.example.com/b/acme/posts/1/picture.png'), host);
  }
});

testPages('texts of visitors end no attribute, element or script of the head', async (web) => {
  const hostile = '</script><script>alert(1)</script>"><meta name="robots" content="x">&lt;!--<!-- \u2028 ]]>';
  await change(web, { name: hostile, description: hostile });
  await web.api.createPost({ title: hostile, comment: hostile });
  for (const path of ['/b/acme', '/b/acme/posts/1', `/b/acme?q=${encodeURIComponent(hostile)}`]) {
    const { payload } = await web.makeVisitor().get(path);
    assert.doesNotMatch(payload, /<script>alert|<meta name="robots" content="x"/, path);
    const { title, meta, data } = readHead(payload);
    assert.ok(title?.includes('</script><script>alert(1)</script>"><meta'), path);
    assert.equal(meta['og:site_name'], hostile);
    if (data) assert.equal((data as { '@graph': { headline?: string }[] })['@graph'][0]?.headline, hostile.trim());
  }
});

testPages('pages of private boards have neither pictures nor a place in search engines', async (web) => {
  await web.makePost('Dark mode');
  const owner = await web.makeMember('Olga', 'OWNER');
  await change(web, { access: 'MEMBERS' });
  web.clock.advance(5_000);
  for (const path of ['/b/acme', '/b/acme/posts/1', '/b/acme/roadmap']) {
    const { meta, data } = readHead((await owner.get(path)).payload);
    assert.deepEqual([meta.robots, meta['og:image'], data], ['noindex', undefined, null], path);
  }
  for (const path of ['picture.png', 'posts/1/picture.png', 'sitemap/1.xml']) {
    assert.equal((await owner.get(`/b/acme/${path}`)).statusCode, 404, path);
  }
});
