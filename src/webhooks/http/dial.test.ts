import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { answering, makeTestDialler, OK, startPair } from '../../../test/support/dialler.ts';
import type { DnsReply } from '../../../test/support/dns.ts';
import { type RawRequest, startReceiver } from '../../../test/support/raw-receiver.ts';
import type { Exchange } from './exchange.ts';

const bodyOf = (exchange: Exchange) => Buffer.from(exchange.answer?.body ?? []).toString('latin1');

test('a request arrives as it was given, and the answer comes back as it was sent', async (t) => {
  const { receiver, post, url } = await startPair(
    t,
    answering(
      'HTTP/1.1 202 Fine\r\nSet-Cookie: a\r\nX-Odd: \xe9\r\nset-cookie: b\r\nContent-Length: 3\r\n\r\n\x00\xff!',
    ),
  );
  const { answer, timings, fault } = await post({ body: Buffer.from('{"a":"\\u00e9"}'), url: `${url}?a=b#fragment` });
  assert.equal(fault, undefined);
  assert.equal(answer?.status, 202);
  assert.deepEqual(answer?.headers, [
    ['set-cookie', 'a'],
    ['x-odd', 'é'],
    ['set-cookie', 'b'],
    ['content-length', '3'],
  ]);
  assert.equal(answer?.isCut, false);
  const [request] = receiver.requests;
  assert.equal(request?.body.toString(), '{"a":"\\u00e9"}');
  assert.match(request?.head ?? '', /^POST \/hook\?a=b HTTP\/1\.1\r\n/);
  for (const line of ['accept-encoding: identity', `host: 127.0.0.1:${receiver.port}`, 'x-test: 1']) {
    assert.ok(request?.head.includes(line), `${line} in ${request?.head}`);
  }
  assert.ok(timings.dns !== null && timings.connect !== null && timings.firstByte !== null && timings.tls === null);
  assert.ok(
    timings.dns <= timings.connect && timings.connect <= timings.firstByte && timings.firstByte <= timings.total,
  );
});

test('a GET has no body, and a given accept-encoding stands', async (t) => {
  const { receiver, dial, url } = await startPair(t, answering(OK));
  const { answer } = await dial({ method: 'GET', url, headers: { 'Accept-Encoding': 'br' } });
  assert.equal(answer?.status, 200);
  assert.match(receiver.requests[0]?.head ?? '', /^GET \/hook/);
  assert.match(receiver.requests[0]?.head ?? '', /accept-encoding: br/i);
  assert.doesNotMatch(receiver.requests[0]?.head ?? '', /identity|content-length|transfer-encoding/i);
});

test('every refused place has the same fault, before any connection', async (t) => {
  const { receiver } = await startPair(t, answering(OK));
  const addresses: Record<string, string> = { 'private.example': '127.0.0.1', 'mixed.example': '10.0.0.1' };
  const { dial } = await makeTestDialler(t, {
    opened: [],
    names: (name) => [
      { type: 'A', value: '1.1.1.1' },
      { type: 'A', value: addresses[name] ?? '169.254.169.254' },
    ],
  });
  const hosts = ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost', 'redis', 'private.example', 'mixed.example'];
  for (const host of [...hosts, 'metadata.google.internal', 'other.example', '169.254.169.254']) {
    const exchange = await dial({ method: 'POST', url: `http://${host}:${receiver.port}/`, headers: {} });
    assert.deepEqual(exchange.fault, { kind: 'address not allowed' }, host);
    assert.deepEqual([exchange.timings.connect, exchange.timings.firstByte], [null, null]);
  }
  for (const url of ['ftp://example.com/', `http://u:p@127.0.0.1:${receiver.port}/`, 'nonsense']) {
    assert.equal((await dial({ method: 'GET', url, headers: {} })).fault?.kind, 'address not allowed');
  }
  assert.equal(receiver.connections(), 0);
});

test('a name that turns to a forbidden address is refused when its time to live is over', async (t) => {
  let value = '127.0.0.1';
  const { receiver } = await startPair(t, answering(OK));
  const { dial } = await makeTestDialler(t, { names: () => [{ type: 'A', value, ttl: 0 }] });
  const request = { method: 'POST', url: `http://rebound.example:${receiver.port}/`, headers: {} } as const;
  assert.equal((await dial(request)).answer?.status, 200);
  value = '10.0.0.1';
  assert.equal((await dial(request)).fault?.kind, 'address not allowed');
  assert.equal(receiver.requests.length, 1);
});

test('names that cannot be resolved are reported as such', async (t) => {
  const get = async (host: string, names: DnsReply, deadlineMs?: number) => {
    const { dial } = await makeTestDialler(t, { names: () => names, ...(deadlineMs && { deadlineMs }) });
    return dial({ method: 'GET', url: `http://${host}/`, headers: {} });
  };
  const gone = await get('gone.example', 'NXDOMAIN');
  assert.deepEqual(gone.fault, { kind: 'could not resolve host', host: 'gone.example' });
  const { fault, timings } = await get('silent.example', 'silence', 300);
  assert.deepEqual(fault, { kind: 'timed out', phase: 'dns' });
  assert.ok(timings.total >= 290 && timings.dns === null);
});

test('connections are kept for the same host and addresses, and only for them', async (t) => {
  const addresses = ['127.0.0.1'];
  const { receiver, post } = await startPair(t, answering(OK));
  const { dial } = await makeTestDialler(t, {
    names: () => addresses.map((value) => ({ type: 'A', value, ttl: 0 })),
  });
  const send = (host: string) => dial({ method: 'POST', url: `http://${host}:${receiver.port}/`, headers: {} });
  await send('a.example');
  await send('a.example');
  assert.equal(receiver.connections(), 1);
  await send('b.example');
  assert.equal(receiver.connections(), 2);
  addresses.push('127.0.0.2');
  await send('a.example');
  assert.equal(receiver.connections(), 3);
  for (let n = 0; n < 5; n += 1) await post();
  assert.equal(receiver.connections(), 4);
});

test('a kept connection that the receiver closes at the next request is replaced once', async (t) => {
  const reset = (request: RawRequest) => request.connection === 1 && receiver.requests.length > 1;
  const { receiver, post } = await startPair(t, {
    answer: (socket, request) => (reset(request) ? socket.resetAndDestroy() : socket.write(OK)),
  });
  assert.equal((await post()).answer?.status, 200);
  assert.equal((await post()).answer?.status, 200);
  assert.deepEqual(
    receiver.requests.map(({ connection }) => connection),
    [1, 1, 2],
  );
});

test('a kept connection that breaks after the first byte of an answer is not replaced', async (t) => {
  const { receiver, post } = await startPair(t, {
    answer: (socket) => {
      if (receiver.requests.length === 1) socket.write(OK);
      else socket.write('HTTP/1.1 2', () => setTimeout(() => socket.resetAndDestroy(), 200));
    },
  });
  await post();
  assert.deepEqual((await post()).fault, { kind: 'connection closed' });
  assert.equal(receiver.requests.length, 2);
});

test('a connection that closes every time is a fault, not a loop', async (t) => {
  const { receiver, post } = await startPair(t, { answer: (socket) => socket.resetAndDestroy() });
  assert.deepEqual((await post()).fault, { kind: 'connection closed' });
  assert.equal(receiver.requests.length, 1);
});

test('many requests at once all get their own answers', async (t) => {
  const { receiver, dial, url } = await startPair(
    t,
    { answer: (socket, { body }) => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`) },
    { deadlineMs: 5_000 },
  );
  const numbers = Array.from({ length: 200 }, (_, n) => String(n));
  const send = (body: string) => dial({ method: 'POST', url, headers: {}, body: Buffer.from(body) });
  for (let round = 0; round < 3; round += 1) {
    assert.deepEqual((await Promise.all(numbers.map(send))).map(bodyOf), numbers);
  }
  assert.ok(receiver.open() <= 200);
});

test('a signal stops a request', async (t) => {
  const stopping = new AbortController();
  const { receiver, post } = await startPair(t, { answer: () => stopping.abort() }, { deadlineMs: 5_000 });
  const stopped = post({}, stopping.signal);
  const { fault, timings } = await stopped;
  assert.deepEqual(fault, { kind: 'stopped' });
  assert.ok(timings.total < 5_000, 'before the deadline');
  assert.deepEqual((await post({}, AbortSignal.abort())).fault, { kind: 'stopped' });
  assert.equal(receiver.requests.length, 1);
});

test('a signal that comes after the head of an answer leaves the answer', async (t) => {
  const { receiver, post } = await startPair(t, answering('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab'), {
    deadlineMs: 5_000,
  });
  const stopping = new AbortController();
  setTimeout(() => stopping.abort(), 500);
  const { answer } = await post({}, stopping.signal);
  assert.deepEqual([answer?.status, answer?.isCut], [200, true]);
  assert.equal(receiver.requests.length, 1);
});

test('a redirect is an answer and is not followed', async (t) => {
  let head = '';
  const { receiver, post } = await startPair(t, {
    answer: (socket) => socket.write(`HTTP/1.1 ${head}\r\ncontent-length: 0\r\n\r\n`),
  });
  for (const status of [300, 301, 302, 303, 304, 307, 308]) {
    for (const location of ['http://169.254.169.254/', 'file:///etc/passwd', '/hook']) {
      head = `${status} Moved\r\nlocation: ${location}`;
      const { answer } = await post();
      assert.equal(answer?.status, status);
      assert.deepEqual(answer?.headers[0], ['location', location]);
    }
  }
  assert.equal(receiver.requests.length, 21);
  assert.equal(receiver.connections(), 1);
});

test('the proxies of the environment are not used', async (t) => {
  const { receiver, url } = await startPair(t, answering(OK));
  const proxy = await startReceiver(t, answering('HTTP/1.1 502 Proxy\r\ncontent-length: 0\r\n\r\n'));
  const address = `http://127.0.0.1:${proxy.port}`;
  const program = `
    import { makeAddressRules } from './src/webhooks/http/address.ts';
    import { makeDialler } from './src/webhooks/http/dial.ts';
    import { makeResolver } from './src/webhooks/http/resolve.ts';
    const rules = makeAddressRules(['127.0.0.0/8']);
    const dial = makeDialler({ rules, resolve: makeResolver({ rules }) });
    const { answer } = await dial({ method: 'GET', url: ${JSON.stringify(url)}, headers: {} });
    console.log(answer.status);
  `;
  const env = { ...process.env, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: address, http_proxy: address, NO_PROXY: '' };
  const cwd = new URL('../../..', import.meta.url);
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { env, cwd });
  const [said] = await once(child.stdout, 'data');
  assert.equal(String(said).trim(), '200');
  await once(child, 'exit');
  assert.deepEqual([receiver.connections(), proxy.connections()], [1, 0]);
});

test('a closed port refuses the connection, at one address or at several', async (t) => {
  const values = ['127.0.0.1', '127.0.0.1', '127.0.0.1'];
  const { dial } = await makeTestDialler(t, { names: () => values.map((value) => ({ type: 'A', value })) });
  for (const host of ['127.0.0.1', 'several.example']) {
    const { fault, timings } = await dial({ method: 'POST', url: `http://${host}:9/`, headers: {} });
    assert.deepEqual(fault, { kind: 'connection refused' });
    assert.equal(timings.connect, null);
  }
});
