import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { makeTestApp } from '../../../test/support/app.ts';

for (const path of ['/api/v1/playground', '/api/v1/sandbox']) {
  test(`${path} is a page that runs scripts of its own only, in no frame`, async (t) => {
    const { app } = await makeTestApp(t, 'sqlite');
    const { headers, payload } = await app.inject({ url: path, headers: { cookie: 'a=b; theme=dark' } });
    assert.match(String(headers['content-type']), /^text\/html/);
    const policy = String(headers['content-security-policy']);
    const nonce = /script-src 'self' 'nonce-([\w-]{22})';/.exec(policy)?.[1];
    assert.match(policy, /^default-src 'none';.* connect-src 'self';.* base-uri 'none'; frame-ancestors 'none'$/);
    assert.ok(payload.includes(`<script type="module" src="/tools/assets/`));
    assert.ok(payload.includes(`nonce="${nonce}"`));
    assert.ok(payload.includes('<html lang="en" data-theme="dark">'));
    assert.deepEqual(
      ['x-frame-options', 'referrer-policy', 'cache-control', 'x-content-type-options'].map((name) => headers[name]),
      ['DENY', 'no-referrer', 'no-store', 'nosniff'],
    );
    const again = await app.inject(path);
    assert.notEqual(again.headers['content-security-policy'], policy);
    assert.ok(again.payload.includes('<html lang="en">'));
  });
}

test('the files of the tools are kept permanently, and sent compressed to those who can read it', async (t) => {
  const { app } = await makeTestApp(t, 'sqlite');
  const { payload } = await app.inject('/api/v1/playground');
  const url = /src="([^"]+\.js)"/.exec(payload)?.[1] ?? '';
  const plain = await app.inject(url);
  assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8');
  const brotli = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } });
  assert.equal(brotli.headers['content-encoding'], 'br');
  assert.equal(brotliDecompressSync(brotli.rawPayload).toString(), plain.payload);
  for (const wrong of [
    '/tools/.vite/manifest.json',
    '/tools/assets/../../../../package.json',
    '/tools/assets/%2e%2e/x.js',
    `${url}.br`,
    '/tools/',
  ]) {
    assert.equal((await app.inject(wrong)).statusCode, 404, wrong);
  }
});
