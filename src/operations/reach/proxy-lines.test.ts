import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forwardTo, inProxy, silentProxies } from './proxy-lines.ts';

test('no line for a Caddyfile has a block of its own, which Caddy refuses on one line', () => {
  const changes = [
    ...(['forwardedFor', 'scheme', 'host', 'encoding', 'body', 'stream', 'redirect'] as const).map(inProxy),
    forwardTo('http://127.0.0.1:4000'),
  ];
  for (const { forms } of changes) {
    assert.doesNotMatch(forms.find(({ proxy }) => proxy === 'Caddy')?.line ?? 'none', /\{\s/);
  }
});

test('proxies without such a line need none', () => {
  assert.deepEqual(silentProxies(inProxy('host')), ['HAProxy']);
  assert.deepEqual(silentProxies(inProxy('redirect')), []);
});
