import assert from 'node:assert/strict';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { testPages } from '../../test/support/web.ts';

testPages('assets are cached permanently, and compressed for clients that accept it', async ({ makeVisitor }) => {
  const visitor = makeVisitor();
  const path = /\/assets\/entry[^"]+\.js/.exec((await visitor.get('/b/acme')).payload)?.[0] ?? '';
  const [plain, brotli] = [await visitor.get(path), await visitor.get(path, { 'accept-encoding': 'gzip, br' })];
  assert.match(String(plain.headers['cache-control']), /immutable/);
  assert.deepEqual([plain.headers['content-encoding'], brotli.headers['content-encoding']], [undefined, 'br']);
  assert.ok(brotli.rawPayload.length < plain.rawPayload.length / 2);
  for (const wrong of [
    '/assets/../../../package.json',
    '/assets/%2e%2e/%2e%2e/server/index.js',
    '/.vite/manifest.json',
  ]) {
    assert.notEqual((await visitor.get(wrong)).statusCode, 200, wrong);
  }
});

testPages('all styles of a page are requested first', async ({ makeVisitor }) => {
  const { payload, headers } = await makeVisitor().get('/b/acme');
  const styles = [...payload.matchAll(/<link[^>]*rel="stylesheet"[^>]*href="([^"]+)"/g)].map(([, file]) => file);
  const told = [...String(headers.link).matchAll(/<([^>]+)>; rel=preload; as=style/g)].map(([, file]) => file);
  assert.ok(styles.length > 0);
  assert.deepEqual(new Set(told), new Set(styles));
});

testPages('a first visit gets the styles in the page, and its links load them later', async (web) => {
  await web.makePost('Dark mode');
  const linked = await web.makeVisitor().get('/b/acme', { 'sec-fetch-site': 'same-origin' });
  assert.match(String(linked.headers.link), /rel=preload; as=style/);
  assert.ok(!linked.payload.includes('<style'));
  for (const site of ['none', 'cross-site']) {
    const { payload, headers } = await web.makeVisitor().get('/b/acme', { 'sec-fetch-site': site });
    assert.equal(headers.link, undefined);
    const styles = payload.split('<style>')[1]?.split('</style></head>')[0] ?? '';
    assert.ok(styles.includes('.site-header{') && styles.includes('.vote{'), 'the styles of the frame and of the list');
    const links = [...payload.matchAll(/<link[^>]*rel="stylesheet"[^>]*>/g)].map(([link]) => link);
    assert.ok(links.length > 0 && links.every((link) => link.includes('media="not all"')));
    const { statusCode } = await web.makeVisitor().get('/b/acme/posts/1', { 'sec-fetch-site': site });
    assert.equal(statusCode, 200, 'a page with styles of which a part is loaded later');
    const visitor = web.makeVisitor();
    visitor.cookies.set('theme', 'dark');
    const again = await visitor.get('/b/acme', { 'sec-fetch-site': site });
    assert.ok(!again.payload.includes('<style'), 'not the first visit');
  }
});

testPages('a page is sent only in an encoding that its client accepts', async (web) => {
  const cases = {
    'gzip;q=0': undefined,
    'br;q=0, gzip': 'gzip',
    'br; q=0.000 , GZIP;q=0.5': 'gzip',
    'br;q=0.001': 'br',
    'br-x, xgzip': undefined,
    BR: 'br',
    identity: undefined,
    '': undefined,
  };
  for (const path of ['/b/acme', '/b/acme/nowhere']) {
    for (const [accepted, encoding] of Object.entries(cases)) {
      const { headers } = await web.makeVisitor().get(path, { 'accept-encoding': accepted });
      assert.equal(headers['content-encoding'], encoding, `${path} for ${accepted}`);
    }
  }
});

testPages(
  'a page for many visitors is compressed as far as possible, and one for a single visitor quickly',
  async (web) => {
    const member = await web.makeMember('Mona', 'MODERATOR');
    const accepting = { 'accept-encoding': 'gzip, deflate, br, zstd' };
    const shared = await web.makeVisitor().get('/b/acme', accepting);
    const own = await member.get('/b/acme', accepting);
    assert.deepEqual([shared.headers['content-encoding'], own.headers['content-encoding']], ['br', 'zstd']);
    assert.match(zstdDecompressSync(own.rawPayload).toString(), /Mona/);
    const older = await member.get('/b/acme', { 'accept-encoding': 'gzip, br' });
    assert.equal(older.headers['content-encoding'], 'br');
  },
);

testPages('pages are compressed for clients that accept it, and files are not', async ({ makeVisitor, makeMember }) => {
  const visitor = makeVisitor();
  const accepting = { 'accept-encoding': 'gzip, br' };
  for (const path of ['/b/acme', '/b/acme.data', '/nowhere']) {
    const plain = await visitor.get(path);
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.match(String(plain.headers.vary), /accept-encoding/i);
    for (const [accepted, encoding, unpack] of [
      ['gzip, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
    ] as const) {
      const packed = await visitor.get(path, { 'accept-encoding': accepted });
      assert.equal(packed.headers['content-encoding'], encoding);
      assert.match(String(packed.headers.vary), /accept-encoding/i);
      assert.equal(packed.statusCode, plain.statusCode);
      assert.equal(unpack(packed.rawPayload).toString('utf8').length, plain.payload.length, path);
    }
  }
  const owner = await makeMember('Olga', 'OWNER');
  const file = await owner.get('/b/acme/settings/export/file', accepting);
  assert.deepEqual([file.statusCode, file.headers['content-encoding']], [200, undefined]);
});
