import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { makeTestApp } from '../../../test/support/app.ts';
import { answerClientError } from './client-errors.ts';

/** Sends text over a connection of its own, and returns all that comes back once the server has ended it. */
async function exchange(t: TestContext, port: number, send: (socket: Socket) => unknown): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  t.after(() => socket.destroy());
  let text = '';
  socket.on('data', (part) => {
    text += part;
  });
  const ended = once(socket, 'end');
  await once(socket, 'connect');
  await send(socket);
  await ended;
  socket.destroy();
  return text;
}

/** A response in the form of docs/errors.md that pages of every origin may read. @returns its message */
function messageOf(response: string, status: number): string {
  const [head = '', body = ''] = response.split('\r\n\r\n');
  assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} \\w`));
  assert.match(head, /^access-control-allow-origin: \*$/im);
  assert.match(head, /^content-type: application\/json; charset=utf-8$/im);
  assert.match(head, /^connection: close$/im);
  const { errors } = JSON.parse(body);
  assert.equal(errors.length, 1);
  const [{ message, extensions }] = errors;
  assert.equal(extensions.code, 'BAD_REQUEST');
  assert.match(head, new RegExp(`^x-request-id: ${extensions.requestId}$`, 'im'));
  return message;
}

test('requests that Node refuses get an error in the usual form, even while the client is still sending', async (t) => {
  const { app } = await makeTestApp(t, 'sqlite');
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const port = Number(new URL(url).port);
  const start = 'POST /api/v1/graphql HTTP/1.1\r\nHost: a\r\n';
  const cases: [text: string, status: number, message: RegExp][] = [
    [`${start}X-A: ${'b'.repeat(20_000)}\r\n\r\n`, 431, /larger than 16 KiB/],
    [`${start}${'X-A: b\r\n'.repeat(500_000)}\r\n`, 431, /larger than 16 KiB/],
    [`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, /larger than 16 KiB/],
    ['hello\r\n\r\n', 400, /^This is not valid HTTP: /],
    [`${start}X A: b\r\n\r\n`, 400, /not valid HTTP: /],
    [`${start}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, 400, /not valid HTTP: /],
    [`${start}Content-Length: 1\r\nContent-Length: 2\r\n\r\n${'a'.repeat(4_000_000)}`, 400, /not valid HTTP: /],
    ['GET / HTTP/1.1\r\n\r\n', 400, /one Host header/],
    ['GET / HTTP/1.1\r\nHost: a\r\nExpect: more\r\n\r\n', 417, /100-continue/],
  ];
  for (const [text, status, message] of cases) {
    const response = await exchange(t, port, (socket) => socket.write(text));
    assert.match(messageOf(response, status), message, text.slice(0, 80));
  }
  const fetched = await fetch(`${url}/api/v1/graphql`, { headers: { 'x-a': 'b'.repeat(20_000) } });
  assert.equal(fetched.status, 431);
  assert.equal((await fetched.json()).errors[0].extensions.code, 'BAD_REQUEST');
});

test('a request that takes too long is answered, and its connection ends though the client does not', async (t) => {
  const limits = { requestTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 20 };
  const server = createServer(limits, (request) => request.resume());
  server.on('clientError', (error, socket: Socket) => answerClientError(error, socket, 100)).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (const text of ['GET / HTTP/1.1\r\nHo', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc']) {
    const response = await exchange(t, port, (socket) => socket.write(text));
    assert.match(messageOf(response, 408), /in time/);
  }
  await once(server.close(), 'close');
});

test('an error after the beginning of a response ends it, and adds nothing to it', async (t) => {
  const server = createServer((_, response) => response.write('begun'));
  server.on('clientError', (error, socket: Socket) => answerClientError(error, socket)).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (part) => {
    text += part;
  });
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  while (!text.includes('begun')) await delay(5);
  socket.write('nonsense\r\n\r\n');
  await once(
    socket.on('error', () => {}),
    'close',
  );
  assert.doesNotMatch(text, /errors/);
});
