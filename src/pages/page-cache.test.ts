import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { signUp, type TestWeb, testPages } from '../../test/support/web.ts';
import { setBoard } from '../identity/board/board.ts';
import { MAX_AGE_MS, PageCache } from './page-cache.ts';

const WEB = fileURLToPath(new URL('../../web/', import.meta.url));

const PAGES = ['/b/acme', '/b/acme/posts/1/dark-mode', '/b/acme/roadmap', '/b/acme/_.data', '/b/acme/roadmap.data'];

/** A test of pages that are shared for as long as in a real server. */
function testShared(name: string, work: (web: TestWeb, t: TestContext) => Promise<void>): void {
  testPages(name, work, { maxPageAgeMs: MAX_AGE_MS });
}

async function read({ makeVisitor }: TestWeb, path: string, headers = {}): Promise<string> {
  const { statusCode, payload } = await makeVisitor().get(path, headers);
  assert.equal(statusCode, 200, path);
  return payload;
}

testShared('visitors without a session get the same page for a second, and then a new one', async (web) => {
  await web.makePost('Dark mode');
  const first = await Promise.all([read(web, '/b/acme'), read(web, '/b/acme')]);
  assert.equal(first[0], first[1]);
  await web.makePost('Night theme');
  web.clock.advance(MAX_AGE_MS - 1);
  assert.equal(await read(web, '/b/acme'), first[0]);
  web.clock.advance(1);
  assert.match(await read(web, '/b/acme'), /Night theme/);
});

testShared('a page depends on the look, not on cookies of others', async (web) => {
  await web.makePost('Dark mode');
  const page = await read(web, '/b/acme');
  assert.equal(await read(web, '/b/acme', { cookie: '_ga=GA1.2.3; theme=pink' }), page);
  assert.match(await read(web, '/b/acme', { cookie: '_ga=GA1.2.3; theme=dark' }), /data-theme="dark"/);
  assert.match(await read(web, '/b/acme', { cookie: 'theme=light;density=compact' }), /data-theme="light"/);
  assert.doesNotMatch(page, /data-theme/);
});

testShared(
  'a page is in the language that a visitor chose or their browser prefers, else in the board’s',
  async (web) => {
    await web.makePost('Dark mode');
    const inLanguage = async (headers: Record<string, string>, path = '/b/acme') => {
      const answer = await web.makeVisitor().get(path, headers);
      const [, language] = /<html lang="([\w-]+)"/.exec(answer.payload) ?? [];
      assert.equal(answer.headers['content-language'], language);
      assert.equal(answer.headers.vary, 'accept-encoding, accept-language, cookie');
      return language;
    };
    for (const path of ['/b/acme', '/b/acme/posts/1/dark-mode', '/b/acme?q=dark']) {
      assert.equal(await inLanguage({ 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' }, path), 'de', path);
      assert.equal(await inLanguage({ 'accept-language': 'nl, en;q=0.1, ar;q=0.7, fr;q=0' }, path), 'ar', path);
      assert.equal(await inLanguage({ 'accept-language': 'pt-PT', cookie: 'language=ja' }, path), 'ja', path);
      assert.equal(await inLanguage({ 'accept-language': 'pt-PT', cookie: 'language=xx' }, path), 'pt-BR', path);
      assert.equal(await inLanguage({}, path), 'en', path);
    }
    await web.db.transaction((tx) => setBoard(tx, web.board.id, { locale: 'pl' }));
    web.clock.advance(MAX_AGE_MS);
    for (const list of ['', '*', 'nl', 'de;q=0'])
      assert.equal(await inLanguage({ 'accept-language': list }), 'pl', list);
    const vera = await signUp(web, 'Vera');
    const { payload } = await vera.get('/b/acme', { 'accept-language': 'de' });
    assert.match(payload, /<html lang="de"/);
  },
);

testShared('those who ask for one language share a page, whatever else they list', async (web) => {
  await web.makePost('Dark mode');
  const first = await read(web, '/b/acme', { 'accept-language': 'de' });
  for (const list of ['de-CH, de;q=0.5', 'nl, de;q=0.3', `de,${'x-'.repeat(5_000)}`]) {
    assert.equal(await read(web, '/b/acme', { 'accept-language': list }), first, list.slice(0, 20));
  }
  assert.equal(await read(web, '/b/acme', { 'accept-language': 'fr', cookie: 'language=de' }), first);
  assert.notEqual(await read(web, '/b/acme', { 'accept-language': 'fr' }), first);
});

testShared('query parameters that a page does not read do not make another page', async (web) => {
  await web.makePost('Dark mode');
  const page = await read(web, '/b/acme');
  assert.equal(await read(web, '/b/acme?utm_source=mail&x=1'), page);
  assert.notEqual(await read(web, '/b/acme?sort=new&utm_source=mail'), page);
});

test('what pages read of their query is known where they are shared', () => {
  const known = /const NAMES = new Set\(\s*'([^']*)'/.exec(
    readFileSync(new URL('page-cache.ts', import.meta.url), 'utf8'),
  );
  const names = new Set(known?.[1]?.split(' '));
  const read = globSync(
    [
      'root.tsx',
      '{site/board,posts/list/list,post/post,roadmap/roadmap,changelog/{changelog,entry}}.tsx',
      '{parts/{requests/{frame,toasts},frame/list-query},post/{page,address}}.ts',
      '{parts/frame/header,comments/{discussion,comment},post/team/menu}.tsx',
    ],
    { cwd: WEB },
  )
    .flatMap((file) => [
      ...readFileSync(`${WEB}${file}`, 'utf8').matchAll(/(?:[pP]arams|search)\.(?:get|has|getAll)\('(\w+)'\)/g),
    ])
    .map(([, name = '']) => name);
  assert.ok(read.length > 12);
  assert.deepEqual(
    [...new Set(read)].filter((name) => name !== 'q' && !names.has(name)),
    [],
  );
});

testShared(
  'a shared page is sent compressed, and its policy allows its inline elements by their hashes',
  async (web) => {
    await web.makePost('<script>alert(1)</script>');
    const visitor = web.makeVisitor();
    for (const site of ['none', 'same-origin']) {
      const plain = await visitor.get('/b/acme', { 'sec-fetch-site': site });
      const policy = String(plain.headers['content-security-policy']);
      assert.doesNotMatch(policy + plain.payload, /nonce/);
      const inline = [...plain.payload.matchAll(/<(script|style)\b(?![^>]*(?: src=|ld\+json))[^>]*>(.+?)<\/\1>/gs)];
      assert.ok(inline.length > 2, site);
      for (const [, , text = ''] of inline)
        assert.ok(policy.includes(`'sha256-${hash('sha256', text, 'base64')}'`), text);
      const asked = { 'sec-fetch-site': site, 'accept-encoding': 'gzip, br' };
      const { headers, rawPayload } = await visitor.get('/b/acme', asked);
      assert.deepEqual([headers['content-encoding'], headers['cache-control']], ['br', 'private, no-store']);
      assert.equal(brotliDecompressSync(rawPayload).toString(), plain.payload);
    }
  },
);

testShared('what only signed-in users may see is in no page of a visitor without a session', async (web) => {
  const id = await web.makePost('Dark mode');
  await web.api.createComment({ postId: id, text: 'Only us', type: 'INTERNAL' });
  const people = [await signUp(web, 'Vera')];
  for (const role of ['OWNER', 'ADMIN', 'MODERATOR'] as const) people.push(await web.makeMember(role, role));
  assert.match((await people.at(-1)?.get('/b/acme/posts/1/dark-mode'))?.payload ?? '', /Only us/);
  for (const person of people) {
    for (const path of PAGES) {
      const theirs = (await person.get(path)).payload;
      const shared = await read(web, path);
      assert.notEqual(theirs, shared, path);
      assert.doesNotMatch(shared, /Only us|Sign out|OWNER|ADMIN|MODERATOR|Vera/, path);
    }
  }
});

testShared('a private board stays closed to anonymous visitors, also after its members have read it', async (web) => {
  await web.makePost('Dark mode');
  const ada = await web.makeMember('Ada', 'ADMIN');
  await web.db.transaction((tx) => tx.updateTable('boards').set({ access: 'MEMBERS' }).execute());
  web.clock.advance(MAX_AGE_MS);
  for (const path of PAGES) {
    assert.match((await ada.get(path)).payload, /Acme/, path);
    const { payload, statusCode } = await web.makeVisitor().get(path);
    assert.doesNotMatch(payload, /Dark mode|Acme/, path);
    assert.notEqual(statusCode, 200, path);
  }
});

test('a page that sets a cookie is not shared', async () => {
  const cache = new PageCache({ now: () => 0 }, MAX_AGE_MS);
  const headers = { 'content-type': 'text/html', 'set-cookie': 'whose=this' };
  const request = { url: 'http://board.test/b/acme', cookies: '', language: null, isArriving: false };
  let rendered = 0;
  const render = async () => ({
    response: new Response(`page ${++rendered}`, { headers }),
    nonce: 'n',
    isPersonal: false,
  });
  const answers = await Promise.all([cache.respond(request, render), cache.respond(request, render)]);
  assert.ok(answers.every((answer) => answer instanceof Response));
  assert.equal(rendered, 2);
});

test('pages of many addresses are cached up to 8 MiB, compressed ones included', async () => {
  const cache = new PageCache({ now: () => 0 }, MAX_AGE_MS);
  const body = 'x'.repeat(1_048_576 / 8);
  let rendered = 0;
  async function ask(n: number): Promise<void> {
    const request = { url: `http://board.test/b/acme?n=${n}`, cookies: '', language: null, isArriving: false };
    await cache.respond(request, async () => {
      rendered++;
      return {
        response: new Response(body, { headers: { 'content-type': 'text/html' } }),
        nonce: 'n',
        isPersonal: false,
      };
    });
  }
  const all = Array.from({ length: 100 }, (_, n) => n);
  for (const n of all) await ask(n);
  assert.equal(rendered, 100);
  for (const n of all.toReversed().slice(0, 31)) await ask(n);
  assert.equal(rendered, 100);
  await ask(100 - 33);
  assert.equal(rendered, 101);
});

testShared('searches and forms are never shared', async (web) => {
  await web.makePost('Dark mode');
  const [one, other] = [await read(web, '/b/acme?q=dark'), await read(web, '/b/acme?q=dark')];
  assert.notEqual(one, other);
  const visitor = web.makeVisitor();
  const form = { intent: 'post', title: 'Night theme', comment: '', formId: formIdOf(await read(web, '/b/acme')) };
  const drafts = await Promise.all([visitor, web.makeVisitor()].map((each) => each.post('/b/acme?index', form)));
  assert.deepEqual(
    drafts.map(({ statusCode }) => statusCode),
    [302, 302],
  );
  const kept = await web.db.read.selectFrom('drafts').select('content').execute();
  assert.equal(new Set(kept.map(({ content }) => JSON.parse(content).id)).size, 2);
});

function formIdOf(page: string): string {
  return /name="formId" value="([^"]+)"/.exec(page)?.[1] ?? '';
}
