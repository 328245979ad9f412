import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { makeProxyWatch } from './proxy-watch.ts';

function watch(trustProxy: number | string[]) {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  return { lines, proxies: makeProxyWatch(trustProxy, log) };
}

test('a proxy that is not trusted is told of once in the log', () => {
  const { lines, proxies } = watch(0);
  proxies.look({ host: 'board.test' });
  assert.deepEqual([lines, proxies.hasUntrusted()], [[], false]);
  for (const headers of [{ 'x-forwarded-for': '192.0.2.1' }, { forwarded: 'for=192.0.2.2' }]) proxies.look(headers);
  assert.deepEqual([lines.length, proxies.hasUntrusted()], [1, true]);
  assert.match(lines[0] ?? '', /TRUST_PROXY/);
  assert.doesNotMatch(lines[0] ?? '', /192\.0\.2/, 'what anybody can send is not repeated');
});

test('a proxy that is trusted is nothing to tell of', () => {
  for (const trusted of [1, ['10.0.0.0/8']]) {
    const { lines, proxies } = watch(trusted);
    proxies.look({ 'x-forwarded-for': '192.0.2.1' });
    assert.deepEqual([lines, proxies.hasUntrusted()], [[], false]);
  }
});
