import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { parseSitemapIndex } from 'sitemap';
import { type TestWeb, testPages, testWeb } from '../../test/support/web.ts';
import { INDEX_AFTER_MS, POSTS_PER_FILE } from '../feedback/sharing/indexing.ts';
import { setBoard } from '../identity/board/board.ts';
import { makeId } from '../platform/lib/ids.ts';

type Robots = { isAllowed(url: string, agent: string): boolean | undefined; getSitemaps(): string[] };

/** Its own types are those of an ES module, which it is not. */
const parseRobots: (url: string, text: string) => Robots = createRequire(import.meta.url)('robots-parser');

/** The schema of sitemaps.org, as a package has it. */
const schema = readFileSync(new URL('../../node_modules/sitemap/schema/sitemap.xsd', import.meta.url), 'utf8');

/** @throws for a document that the schema does not allow */
function validate(text: string, schemaText: string): void {
  XsdValidator.fromDoc(XmlDocument.fromString(schemaText)).validate(XmlDocument.fromString(text));
}

/** The addresses in a sitemap, which must be valid, with the day on which each was changed. */
async function readSitemap(
  { makeVisitor }: TestWeb,
  path: string,
): Promise<[url: string, changed: string | undefined][]> {
  const { statusCode, headers, payload } = await makeVisitor().get(path);
  assert.deepEqual([statusCode, headers['content-type']], [200, 'application/xml; charset=utf-8'], path);
  validate(payload, schema);
  const entries = payload.matchAll(/<url><loc>(.*?)<\/loc>(?:<lastmod>(.*?)T.*?<\/lastmod>)?<\/url>/g);
  return [...entries].map(([, url = '', changed]) => [url, changed]);
}

/** The sitemaps that the host of a request lists. */
async function readIndex({ app }: TestWeb, host: string): Promise<string[]> {
  const { statusCode, payload } = await app.inject({ url: '/sitemap.xml', headers: { host } });
  assert.equal(statusCode, 200);
  validate(payload, schemaOfIndex());
  return (await parseSitemapIndex(Readable.from([payload]))).map(({ url }) => url);
}

/** The schema of a list of sitemaps, which differs only in what its elements are called. */
function schemaOfIndex(): string {
  return schema.replace('name="urlset"', 'name="sitemapindex"').replace('name="url" type', 'name="sitemap" type');
}

testWeb('the sitemap has the pages of a board, and its ideas that search engines may show', async (web) => {
  await web.makePost('Größe & "Gewicht" <b>');
  await web.makePost('Dark mode');
  await web.makePost('Held back');
  const mo = await web.makeMember('Mo', 'MODERATOR');
  await mo.post('/b/acme/posts/3/held-back', { intent: 'moderate', moderationStatus: 'PENDING' });
  const home = 'http://board.test/b/acme';
  const all = await readSitemap(web, '/b/acme/sitemap/1.xml');
  assert.deepEqual(all, [
    [home, undefined],
    [`${home}/roadmap`, undefined],
    [`${home}/posts/1/gr%C3%B6%C3%9Fe-gewicht-b`, '2026-11-21'],
    [`${home}/posts/2/dark-mode`, '2026-11-21'],
  ]);
  for (const [url] of all)
    assert.equal((await web.app.inject({ url, headers: { host: 'board.test' } })).statusCode, 200);
  await mo.post('/b/acme/posts/1/x', { intent: 'merge', target: '2' });
  await mo.post('/b/acme/posts/2/x', { intent: 'delete' });
  assert.equal((await readSitemap(web, '/b/acme/sitemap/1.xml')).length, 2);
  for (const file of ['0.xml', '2.xml', '01.xml', '1', 'x.xml', '1.5.xml', '-1.xml', '1e0.xml', '9999999999.xml']) {
    assert.equal((await web.makeVisitor().get(`/b/acme/sitemap/${file}`)).statusCode, 404, file);
  }
});

testWeb('a large board has a file for every thousand numbers', async (web) => {
  const id = await web.makePost('First');
  await insertCopies(web, id, 2 * POSTS_PER_FILE);
  assert.deepEqual(
    await readIndex(web, 'board.test'),
    [1, 2, 3].map((file) => `http://board.test/b/acme/sitemap/${file}.xml`),
  );
  const counts = [1, 2, 3].map(async (file) => (await readSitemap(web, `/b/acme/sitemap/${file}.xml`)).length);
  assert.deepEqual(await Promise.all(counts), [POSTS_PER_FILE + 2, POSTS_PER_FILE + 2, 1 + 2]);
});

/** Copies a post until the board has so many more. */
async function insertCopies({ db, board }: TestWeb, id: string, count: number): Promise<void> {
  await db.transaction(async (tx) => {
    const post = await tx.selectFrom('posts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const rows = Array.from({ length: count }, (_, n) => ({ ...post, id: makeId(), number: n + 2 }));
    for (let n = 0; n < count; n += 500)
      await tx
        .insertInto('posts')
        .values(rows.slice(n, n + 500))
        .execute();
    await setBoard(tx, board.id, { post_number: count + 1 });
  });
}

testPages('each host lists the sitemaps of its own boards, and none of private ones', async (web) => {
  const { db, makeBoard, clock, app } = web;
  const set = (id: string, values: Parameters<typeof setBoard>[2]) => db.transaction((tx) => setBoard(tx, id, values));
  const [own, hidden] = [await makeBoard({ name: 'Own' }), await makeBoard({ name: 'Hidden' })];
  await set(own.id, { domain: 'ideas.example.com' });
  await set(hidden.id, { access: 'MEMBERS', domain: 'hidden.example.com' });
  clock.advance(INDEX_AFTER_MS);
  const ofServer = ['http://board.test/b/acme/sitemap/1.xml'];
  const ofOwn = ['https://ideas.example.com/b/own/sitemap/1.xml'];
  assert.deepEqual(await readIndex(web, 'board.test'), ofServer);
  assert.deepEqual(await readIndex(web, 'hidden.example.com'), ofServer);
  assert.deepEqual(await readIndex(web, 'ideas.example.com'), ofOwn);
  await set(web.board.id, { is_indexed: 0 });
  const none = await app.inject({ url: '/sitemap.xml', headers: { host: 'board.test' } });
  assert.equal(none.statusCode, 404);
});

testPages('robots.txt allows ideas and pictures, disallows settings, and names the sitemap', async (web) => {
  await web.db.transaction((tx) => setBoard(tx, web.board.id, { domain: 'ideas.example.com' }));
  for (const [host, origin] of [
    ['board.test', 'http://board.test'],
    ['ideas.example.com', 'https://ideas.example.com'],
    ['evil.example', 'http://board.test'],
  ] as const) {
    const { payload, headers } = await web.app.inject({ url: '/robots.txt', headers: { host } });
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    const robots = parseRobots(`${origin}/robots.txt`, payload);
    assert.deepEqual(robots.getSitemaps(), [`${origin}/sitemap.xml`]);
    const isAllowed = (path: string) => robots.isAllowed(origin + path, 'Googlebot');
    for (const path of [
      '/',
      '/b/acme',
      '/b/acme?q=x',
      '/b/acme/posts/1/x',
      '/b/acme/posts/2/settings-are-slow',
      '/b/acme/picture.png',
      '/files/x',
      '/assets/x.js',
    ]) {
      assert.equal(isAllowed(path), true, path);
    }
    for (const path of [
      '/api/v1/graphql',
      '/b/acme/settings/apis',
      '/b/acme/sso/x',
      '/sso/x',
      '/sign-in?next=/b/acme',
    ]) {
      assert.equal(isAllowed(path), false, path);
    }
  }
});

testPages('browsers and phones find an icon where they look for it', async ({ app }) => {
  for (const [url, type] of [
    ['/favicon.ico', 'image/x-icon'],
    ['/apple-touch-icon.png', 'image/png'],
  ] as const) {
    const { statusCode, headers } = await app.inject({ url });
    assert.deepEqual([statusCode, headers['content-type']], [200, type]);
  }
});
