import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import Fastify from 'fastify';
import { makeTestApp } from '../../../test/support/app.ts';
import { onEnd } from '../../../test/support/cleanup.ts';
import { uploadHeaders } from '../../../test/support/files.ts';
import { until } from '../../../test/support/until.ts';
import { leaveBodies, readJson } from './body.ts';
import { httpOptions } from './server.ts';

const HALF_BYTES = 1_000_000;
/** Where whole bodies are kept, those of a network fill 32 MiB; what is stored as it arrives counts as 256 KiB. */
const doors = [
  { path: '/api/v1/graphql', type: 'application/json', start: '', bytes: HALF_BYTES, most: 33 },
  { path: '/api/v1/mcp', type: 'application/json', start: '', bytes: HALF_BYTES, most: 33 },
  {
    path: '/api/v1/files',
    type: 'multipart/form-data; boundary=x',
    start: '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n',
    bytes: 1_000,
    most: 128,
  },
];

for (const { path, type, start, bytes, most } of doors) {
  test(`half-sent bodies with a key hold a share of the memory, the oldest give way: ${path}`, async (t) => {
    const app = await makeTestApp(t, 'sqlite');
    await app.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.app.server.address() as AddressInfo;
    const key = await app.makeKey({ rateRules: [] });
    const headers = { ...uploadHeaders(app, { key }), 'content-type': type, 'content-length': 1_048_000 };
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const closed: number[] = [];
    const send = (n: number): Socket => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      onEnd(t, () => socket.destroy());
      socket.once('close', () => closed.push(n)).resume();
      socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\n${head.join('')}\r\n${start}`);
      socket.write(Buffer.alloc(bytes, ' '));
      return socket;
    };
    const sockets = Array.from({ length: most + 5 }, (_, n) => send(n));
    await until('five have given way', () => closed.length >= 5);
    const left = sockets.filter((socket) => !socket.destroyed);
    assert.ok(left.length >= most - 5, `${left.length} are left`);
  });
}

test('a client that hangs up before its body is read leaves no request that waits for the rest', async (t) => {
  const app = Fastify(httpOptions).decorateRequest('address', '127.0.0.1');
  leaveBodies(app);
  const outcomes: unknown[] = [];
  app.post('/', async (request) => {
    await new Promise((resolve) => request.raw.once('close', resolve));
    await readJson(request, 1_000).then(
      (text) => outcomes.push(text),
      ({ message }) => outcomes.push(message),
    );
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  onEnd(t, () => app.close());
  const { port } = app.server.address() as AddressInfo;
  for (const [length, sent] of [
    ['Content-Length: 10', ''],
    ['Content-Length: 10', '{"qu'],
    ['Transfer-Encoding: chunked', '4\r\n{"qu\r\n'],
  ]) {
    const asked = once(app.server, 'request');
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${length}\r\n\r\n${sent}`);
    await asked;
    socket.resetAndDestroy();
  }
  await until('all requests have ended', () => outcomes.length === 3);
  const cutOff = 'The body cannot be read: the connection was closed before its end';
  assert.deepEqual(outcomes, [cutOff, cutOff, cutOff]);
});
