import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTestApp } from '../../../test/support/app.ts';
import routes from '../../../web/routes.ts';
import { readConfig } from '../config.ts';
import { isPrefix, OWN_PATHS, prefixOf, withoutPrefix } from './prefix.ts';

test('the path of BASE_URL has no slash at its end', () => {
  for (const url of ['https://a.test', 'https://a.test/', 'https://a.test//']) assert.equal(prefixOf(url), '');
  for (const url of ['https://a.test/x/y', 'https://a.test/x/y/']) assert.equal(prefixOf(url), '/x/y');
});

test('a request means the same whether its proxy has kept or stripped the path', () => {
  const kept = {
    '/x': '/',
    '/x/': '/',
    '/x?q=1': '/?q=1',
    '/x/b/acme?q=/x/': '/b/acme?q=/x/',
    '/x//e.test': '//e.test',
  };
  for (const [url, expected] of Object.entries(kept)) assert.equal(withoutPrefix(url, '/x'), expected, url);
  for (const url of ['/', '/?q=1', '/b/acme', '/xy', '/xy/x', '/X/b', '/b/x', '*', '//x/b', 'http://a.test/x/b'])
    assert.equal(withoutPrefix(url, '/x'), url);
  for (const url of ['/', '/x', '*', '/?q', 'http://a.test/']) assert.equal(withoutPrefix(url, ''), url);
});

test('BASE_URL may have a path that arrives as it is written and begins with no route of the server', () => {
  for (const path of ['', '/', '/feedback', '/Feed-back_1.0~/x/', '/bb', '/x/api', `/${'x'.repeat(99)}`])
    assert.ok(isPrefix(`https://a.test${path}`), path);
  const refused = [
    '/x y',
    '/é',
    '/%66eedback',
    '/x%2Fy',
    '/x/../y',
    '/x/.',
    '/x/%2e%2e',
    '//x',
    '/x//y',
    '/x\\y',
    '/x;y',
  ];
  for (const path of [
    ...refused,
    '/x:y',
    '/x@y',
    '/x+y',
    `/${'x'.repeat(100)}`,
    ...OWN_PATHS.map((own) => `/${own}/x`),
  ])
    assert.ok(!isPrefix(`https://a.test${path}`), path);
});

test('the server starts below any other path, and names what is allowed in one line', () => {
  const { baseUrl } = readConfig({ BASE_URL: 'https://example.com/our/feedback/' });
  assert.equal(baseUrl, 'https://example.com/our/feedback');
  for (const path of ['/api', '/b/acme', '/sign-in/', '/feed%20back', '/x/../y', `/${'x'.repeat(100)}`]) {
    const message = /^BASE_URL: "https:.* is not allowed; .* its path, .* at most 100 characters.* sign-in, .*$/;
    assert.throws(() => readConfig({ BASE_URL: `https://example.com${path}` }), { message });
  }
});

test('the names that no such path may begin with are those of the routes', async (t) => {
  const { app } = await makeTestApp(t, 'sqlite', { web: true });
  const ofServer = [...app.printRoutes({ commonPrefix: false }).matchAll(/^\S── \/([^/: ]+)/gm)].map(
    ([, name]) => name,
  );
  const ofPages = routes.flatMap(({ path = '*' }) => (path === '*' ? [] : [path.split('/')[0]]));
  // Frames have the paths of pages after theirs, and the list of Fastify leaves out the route of files.
  const all = new Set([...ofServer, ...ofPages, 'embed', 'files']);
  assert.deepEqual([...OWN_PATHS].sort(), [...all].sort());
});
