import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { MAX_UNANSWERED, makeHttpServer } from './server.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

async function serve(t: TestContext, handle: RequestListener): Promise<Server> {
  const server = makeHttpServer(handle, {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return server;
}

type Client = { socket: Socket; text: () => string; countResponses: () => number };

function open(t: TestContext, server: Server): Client {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  t.after(() => socket.destroy());
  let text = '';
  socket.on('data', (part) => {
    text += part;
  });
  return { socket, text: () => text, countResponses: () => text.split('HTTP/1.1 200').length - 1 };
}

/** Resolves once a connection is closed, in whatever way. */
function closed(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once('close', resolve));
}

test('requests whose client hung up are dropped, and those of others know their address', async (t) => {
  const addresses: (string | undefined)[] = [];
  const server = await serve(t, ({ socket }, response) => {
    addresses.push(socket.remoteAddress);
    response.end(socket.remoteAddress);
  });
  for (let n = 0; n < 20; n++) {
    const { socket } = open(t, server);
    socket.once('connect', () => {
      socket.write(REQUEST);
      socket.resetAndDestroy();
    });
    await closed(socket);
  }
  const { port } = server.address() as AddressInfo;
  assert.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), '127.0.0.1');
  assert.deepEqual(addresses, ['127.0.0.1']);
});

test('a connection has 16 unanswered requests, again and again; with another one it is closed', async (t) => {
  const answers: (() => void)[] = [];
  const server = await serve(t, (_, response) => {
    answers.push(() => response.end());
  });
  const { socket, countResponses } = open(t, server);
  for (const count of [MAX_UNANSWERED - 1, MAX_UNANSWERED]) {
    const before = countResponses();
    socket.write(REQUEST.repeat(count));
    await until('all are begun', () => answers.length === count);
    for (const answer of answers.splice(0)) answer();
    await until('all are answered', () => countResponses() === before + count);
  }
  socket.write(REQUEST.repeat(MAX_UNANSWERED));
  await until('all are begun', () => answers.length === MAX_UNANSWERED);
  for (let n = 0; n < 2 * MAX_UNANSWERED; n++) {
    const before = countResponses();
    answers.shift()?.();
    await until('it is answered', () => countResponses() === before + 1);
    socket.write(REQUEST);
    await until('the next one is begun', () => answers.length === MAX_UNANSWERED);
  }
  let begun = 0;
  server.on('request', () => begun++);
  socket.write(REQUEST.repeat(2_000));
  await closed(socket);
  assert.equal(answers.length, MAX_UNANSWERED);
  assert.equal(begun, 1, 'the rest of the packet is not begun');
});

test('requests that HTTP refuses count as well', async (t) => {
  const server = await serve(t, (_, response) => response.end());
  for (const [request, status] of [
    ['GET / HTTP/1.1\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nHost: a\r\nExpect: more\r\n\r\n', 417],
  ] as const) {
    const one = open(t, server);
    one.socket.write(request);
    await closed(one.socket);
    assert.match(one.text(), new RegExp(`^HTTP/1.1 ${status} `));
    let begun = 0;
    const count = () => begun++;
    server.on('request', count).on('checkExpectation', count);
    const many = open(t, server);
    many.socket.write(request.repeat(2_000));
    await closed(many.socket);
    server.off('request', count).off('checkExpectation', count);
    assert.equal(begun, MAX_UNANSWERED + 1);
  }
  const old = open(t, server);
  old.socket.write('GET / HTTP/1.0\r\n\r\n');
  await closed(old.socket);
  assert.equal(old.countResponses(), 1, 'HTTP/1.0 has no host');
});

test('a request names one host, and before HTTP/1.1 may name none', async (t) => {
  const server = await serve(t, (_, response) => {
    response.end();
  });
  const statusOf = async (version: string, hosts: readonly string[]) => {
    const { socket, text } = open(t, server);
    socket.end(`GET / HTTP/${version}\r\n${hosts.map((host) => `${host}\r\n`).join('')}\r\n`);
    await closed(socket);
    return text().slice(9, 12);
  };
  for (const two of [
    ['Host: a', 'Host: b'],
    ['Host: a', 'host: a'],
    ['hOST:', 'Host: a'],
  ]) {
    assert.deepEqual([await statusOf('1.1', two), await statusOf('1.0', two)], ['400', '400'], two.join());
  }
  assert.deepEqual([await statusOf('1.1', []), await statusOf('1.0', [])], ['400', '200']);
  assert.deepEqual([await statusOf('1.1', ['HOST: a']), await statusOf('1.0', ['Host: a'])], ['200', '200']);
});
