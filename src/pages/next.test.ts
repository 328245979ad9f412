import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PASSWORD, readMail, signUp, testPages } from '../../test/support/web.ts';
import { parseNext } from '../../web/lib/next.ts';

const ORIGIN = 'https://board.test';

/** What addresses of other sites are made of, plainly and in the ways in which browsers understand them nevertheless. */
const fragments = [
  ...['/', '//', '\\', '.', '..', '/./', '/../', '%2e', '%2E%2e', '%2f', '%5c', ':', '@', '?', '#', ';', '&', '='],
  ...['evil.example', 'http:', 'https:', 'javascript:', 'data:', '\t', '\n', '\r', '\u0000', '\u200b', ' ', '｡', '／'],
  ...['user:password@', '[::1]', '127.0.0.1', 'b/acme', 'next=', '%00', '%', '%252e', 'é', '\ud800'],
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...fragments), fc.string({ maxLength: 3 })), { maxLength: 12 })
  .map((parts) => parts.join(''));
const afterSlash = hostile.map((text) => `/${text}`);

/** Texts of which the address that comes of them is on another site, or is on one when it is resolved once more. */
const elsewhere = [
  ...[
    '/.//evil.example',
    '/..//x',
    '/a/..//x',
    '/%2e%2e//x',
    '/%2E//x',
    '/.%2e//x',
    '/a/b/%2e%2e/..//x',
    '//evil.example',
  ],
  ...['/\\evil.example', '/a\\..\\\\evil.example', '/\t/evil.example', '/\n/evil.example', '///evil.example', '/./\\x'],
  ...['https://evil.example', 'javascript:alert(1)', 'https:evil.example', '//user@evil.example', '\\\\evil.example'],
];

test('where a visitor is sent next is on this site, whatever the text and however often it is parsed', () => {
  fc.assert(
    fc.property(fc.oneof(hostile, afterSlash), (text) => {
      const next = parseNext(text);
      if (next === null) return;
      assert.equal(new URL(next, ORIGIN).origin, ORIGIN);
      assert.ok(!next.startsWith('//'), next);
      assert.equal(parseNext(next), next, 'it means the same when it is read again');
    }),
    { numRuns: 20_000 },
  );
});

test('paths of this site are kept as they are, up to 2,000 characters', () => {
  for (const path of ['/', '/b/acme/settings?x=1#y', '/b/acme?q=a//b', '/b/acme/posts/1/%E2%9C%93', '/b/a..b/.c']) {
    assert.equal(parseNext(path), path);
  }
  assert.equal(parseNext('/b/acme/./posts/../continue'), '/b/acme/continue');
  assert.equal(parseNext(`/${'x'.repeat(1_999)}`)?.length, 2_000);
  assert.equal(parseNext(`/${'x'.repeat(2_000)}`), null);
  for (const text of [...elsewhere, '', 'b/acme', null, undefined, 7])
    assert.equal(parseNext(text), null, String(text));
});

testPages('no form and no mailed link redirects to another site', async (web) => {
  await web.makePost('Dark mode');
  const vera = await signUp(web, 'Vera');
  const wrong: string[] = [];
  // Each place reads it with `parseNext`, which is tried with all of them above.
  for (const next of ['/.//evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
    const email = 'vera@example.com';
    const query = `?next=${encodeURIComponent(next)}`;
    const answers = {
      theme: await vera.post('/theme', { theme: 'dark', next }),
      vote: await vera.post('/b/acme/votes/1', { vote: 'up', next }),
      follow: await vera.post('/b/acme/posts/1', { intent: 'follow', next }),
      'signed in': await vera.get(`/sign-in${query}`),
      'signed in, by script': await vera.get(`/sign-in.data${query}`),
      password: await web.makeVisitor().post('/sign-in', { intent: 'password', email, password: PASSWORD, next }),
      page: await web.makeVisitor().get(`/sign-in${query}`),
    };
    for (const [name, { headers, payload }] of Object.entries(answers)) {
      const location = String(headers.location ?? '/');
      const links = [...payload.matchAll(/(?:href|action)="([^"]*)"/g)].map(([, link = '']) => link);
      for (const target of [location, ...links]) {
        const { origin } = new URL(target.replaceAll('&amp;', '&'), ORIGIN);
        if (origin !== ORIGIN || target.startsWith('//')) wrong.push(`${name}: ${next} leads to ${target}`);
      }
      if (/evil\.example/.test(location)) wrong.push(`${name}: ${next} leads to ${location}`);
    }
    web.clock.advance(3_600_000); // attempts are counted
  }
  assert.deepEqual(wrong, []);
  await web.makeVisitor().post('/sign-in', { intent: 'link', email: 'bob@example.com', next: '/a/..//evil.example' });
  assert.match((await readMail(web, 'bob@example.com')).path, /^\/sign-up\/[\w.-]+$/);
});

testPages('a host of a board hands on the number of a post as what it is', async ({ app, makeBoard, db }) => {
  const other = await makeBoard({ name: 'Other' });
  await db.transaction((tx) =>
    tx.updateTable('boards').set({ domain: 'x.example' }).where('id', '=', other.id).execute(),
  );
  const url = '/posts/..%2F..%2F..%2F%2Fevil.example';
  const { headers } = await app.inject({ url, headers: { host: 'x.example' } });
  assert.equal(headers.location, '/b/other/posts/..%2F..%2F..%2F%2Fevil.example');
});
