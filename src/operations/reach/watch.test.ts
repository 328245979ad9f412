import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { makeReachWatch } from './watch.ts';

const BASE_URL = 'https://ideas.example.com:8443';

function watch(trustProxy: number | string[], baseUrl = BASE_URL) {
  const lines: string[] = [];
  const asked: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  const isDomain = async (name: string) => {
    asked.push(name);
    return name === 'feedback.customer.test';
  };
  const { look } = makeReachWatch({ baseUrl, trustProxy, log, isDomain });
  return {
    lines,
    asked,
    async look(headers: Record<string, string>) {
      look({ headers, socket: { remoteAddress: '127.0.0.1' }, address: '203.0.113.7' });
      await new Promise(setImmediate);
    },
  };
}

const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none', 'x-forwarded-proto': 'https' };
const right = { ...navigation, host: 'ideas.example.com:8443' };

test('an untrusted proxy is logged once', async () => {
  const { lines, look } = watch(0);
  await look({ host: 'board.test' });
  assert.deepEqual(lines, []);
  for (const headers of [{ 'x-forwarded-for': '192.0.2.1' }, { forwarded: 'for=192.0.2.2' }]) await look(headers);
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /Set TRUST_PROXY to the addresses of your proxies/);
  assert.doesNotMatch(lines[0] ?? '', /192\.0\.2/, 'what anybody can send is not repeated');
});

test('a trusted proxy is not logged', async () => {
  for (const trusted of [1, ['10.0.0.0/8']]) {
    const { lines, look } = watch(trusted);
    await look({ 'x-forwarded-for': '192.0.2.1' });
    assert.deepEqual(lines, []);
  }
});

test('a host other than that of BASE_URL is logged once, with the line to change', async () => {
  const { lines, asked, look } = watch(1);
  for (let n = 0; n < 5; n++) await look({ ...right, host: 'ideas.example.com' });
  assert.equal(lines.length, 1);
  const { level, check, seen, change, msg } = JSON.parse(lines[0] ?? '');
  assert.deepEqual([level, check, seen], [40, 'host', 'ideas.example.com']);
  assert.equal(change, 'proxy_set_header Host $http_host;');
  assert.equal(msg, 'The proxy removes the port from Host.');
  assert.deepEqual(asked, ['ideas.example.com'], 'the store is asked only while something is wrong');
});

test('a scheme other than that of BASE_URL is logged once, for pages and for forms', async () => {
  const ways: [baseUrl: string, headers: Record<string, string>, change: RegExp][] = [
    [BASE_URL, { ...right, 'x-forwarded-proto': 'http' }, /X-Forwarded-Proto https/],
    ['http://ideas.example.com:8443', right, /^BASE_URL=https:/],
    [BASE_URL, { host: 'ideas.example.com:8443', origin: 'http://ideas.example.com:8443' }, /^return 308 https:/],
    [BASE_URL, { host: right.host, origin: BASE_URL, 'sec-fetch-site': 'same-origin' }, /X-Forwarded-Proto https/],
  ];
  for (const [baseUrl, headers, change] of ways) {
    const { lines, look } = watch(1, baseUrl);
    for (let n = 0; n < 2; n++) await look({ 'x-forwarded-for': '203.0.113.7', ...headers });
    const told = lines.map((line) => JSON.parse(line));
    assert.deepEqual(
      told.map(({ check }) => check),
      ['scheme'],
      lines.join(),
    );
    assert.match(told[0].change, change);
  }
});

test('requests of scanners and other sites are not logged', async () => {
  const ways: Record<string, string>[] = [
    { host: '203.0.113.1' },
    { host: '203.0.113.1', 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example' },
    { host: 'evil.example', origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { host: '203.0.113.1', origin: 'https://evil.example' },
    { host: '127.0.0.1:4000', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' },
    { ...right, host: 'feedback.customer.test' },
  ];
  const { lines, look } = watch(1);
  for (const headers of ways) await look(headers);
  assert.deepEqual(lines, []);
  await look(right);
  for (let n = 0; n < 3; n++) await look({ ...navigation, host: '203.0.113.1' });
  assert.deepEqual(lines, [], 'a browser that came as it should has shown that the proxy does what it must');
});

test('values from a request are logged short and printable, and the store is queried a few times at most', async () => {
  const { lines, asked, look } = watch(1);
  for (let n = 0; n < 100; n++) await look({ ...right, host: `h${n}\u001b[31m${'x'.repeat(5_000)}` });
  assert.equal(lines.length, 1);
  assert.match(JSON.parse(lines[0] ?? '').seen, /^h0 \[31mx{92}…$/);
  const { lines: none, asked: domains, look: lookAt } = watch(1);
  for (let n = 0; n < 100; n++) await lookAt({ ...right, 'x-forwarded-proto': 'http', host: 'feedback.customer.test' });
  assert.equal(none.length, 1, 'only the scheme');
  assert.ok(asked.length <= 20 && domains.length <= 20, `${asked.length} ${domains.length}`);
});
