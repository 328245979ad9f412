import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { makeHttpServer } from './server.ts';

const BODY = Buffer.alloc(65_536);
const PARTS = 100;
const HEAD = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${BODY.length * PARTS}\r\n\r\n`;

/** A client, and what becomes of its connection: `closed` when both sides are done with it. */
type Client = { socket: Socket; text: () => string; faults: unknown[]; closed: Promise<unknown> };

/** A client of a server that refuses each request at once, without reading its body. */
async function refused(t: TestContext, lingerMs?: number): Promise<Client & { count: () => number }> {
  let count = 0;
  const refuse: RequestListener = (_, response) => {
    count++;
    response.writeHead(413, { connection: 'close', 'content-length': 9 }).end('too large');
  };
  const server = makeHttpServer(refuse, {}, lingerMs).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const faults: unknown[] = [];
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', (fault) => faults.push(fault));
  t.after(() => socket.destroy());
  let text = '';
  socket.on('data', (part) => {
    text += part;
  });
  const atServer = once(server, 'connection').then(([other]) => once(other, 'close'));
  const closed = Promise.all([new Promise((resolve) => socket.once('close', resolve)), atServer]);
  return { socket, text: () => text, faults, closed, count: () => count };
}

test('a client that reads after it has sent everything gets the response that refused it early', async (t) => {
  const { socket, text, faults, closed } = await refused(t);
  socket.write(HEAD);
  socket.pause();
  for (let n = 0; n < PARTS; n++) {
    socket.write(BODY);
    await delay(1);
  }
  socket.resume();
  socket.end();
  await closed;
  assert.deepEqual(faults, []);
  assert.match(text(), /^HTTP\/1\.1 413 .*too large$/s);
});

test('what follows on a connection after its last response is not a request', async (t) => {
  const { socket, text, closed, count } = await refused(t);
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nbegin');
  await once(socket, 'end');
  socket.end('endedPOST /other HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n');
  await closed;
  assert.equal(count(), 1);
  assert.equal(text().split('HTTP/1.1 413').length, 2);
});

test('a client that never ends its request is closed all the same', async (t) => {
  const { socket, closed, text } = await refused(t, 200);
  socket.write(HEAD);
  const start = performance.now();
  const sending = setInterval(() => socket.write('x'), 20);
  t.after(() => clearInterval(sending));
  await closed;
  assert.ok(performance.now() - start < 5_000);
  assert.match(text(), /too large$/);
});
