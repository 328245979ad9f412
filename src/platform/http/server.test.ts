import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { MAX_UNANSWERED, makeHttpServer } from './server.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

async function serve(t: TestContext, handle: RequestListener): Promise<number> {
  const server = makeHttpServer(handle, {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

function open(t: TestContext, port: number): { socket: Socket; countResponses: () => number } {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  t.after(() => socket.destroy());
  let text = '';
  socket.on('data', (part) => {
    text += part;
  });
  return { socket, countResponses: () => text.split('HTTP/1.1 200').length - 1 };
}

test('requests whose client hung up are dropped, and those of others know their address', async (t) => {
  const addresses: (string | undefined)[] = [];
  const port = await serve(t, ({ socket }, response) => {
    addresses.push(socket.remoteAddress);
    response.end(socket.remoteAddress);
  });
  for (let n = 0; n < 20; n++) {
    const { socket } = open(t, port);
    socket.once('connect', () => {
      socket.write(REQUEST);
      socket.resetAndDestroy();
    });
    await once(socket, 'close');
  }
  assert.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), '127.0.0.1');
  assert.deepEqual(addresses, ['127.0.0.1']);
});

test('a connection has 16 unanswered requests, again and again; with another one it is closed', async (t) => {
  const answers: (() => void)[] = [];
  const port = await serve(t, (_, response) => {
    answers.push(() => response.end());
  });
  const { socket, countResponses } = open(t, port);
  for (const count of [MAX_UNANSWERED - 1, MAX_UNANSWERED, MAX_UNANSWERED]) {
    const before = countResponses();
    socket.write(REQUEST.repeat(count));
    await until('all are begun', () => answers.length === count);
    for (const answer of answers.splice(0)) answer();
    await until('all are answered', () => countResponses() === before + count);
  }
  socket.write(REQUEST.repeat(2_000));
  await once(socket, 'close');
  assert.equal(answers.length, MAX_UNANSWERED);
});
