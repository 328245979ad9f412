import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { platform } from 'node:os';
import { type TestContext, test } from 'node:test';
import { onEnd } from '../../../test/support/cleanup.ts';
import { until } from '../../../test/support/until.ts';
import { MAX_UNANSWERED, makeHttpServer } from './server.ts';
import { Turns } from './turns.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const CONNECTIONS = 40;
const OTHER_NETWORK = '127.0.0.2';

async function open(t: TestContext, port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
  onEnd(t, () => socket.destroy());
  await once(socket, 'connect');
  return socket.resume();
}

if (platform() === 'linux') {
  test('a request is not behind the hundreds that another network has sent at once', async (t) => {
    const begun: string[] = [];
    let visitor: Socket | null = null;
    const server = makeHttpServer(({ socket }, response) => {
      if (begun.length === 0) visitor?.write(REQUEST);
      begun.push(socket.remoteAddress ?? '');
      response.end();
    }, {}).listen(0, '127.0.0.1');
    let connected = 0;
    server.on('connection', () => connected++);
    await once(server, 'listening');
    onEnd(t, () => server.close());
    const { port } = server.address() as AddressInfo;
    visitor = await open(t, port, OTHER_NETWORK);
    const others = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(t, port, '127.0.0.1')));
    await until('all are connected', () => connected === CONNECTIONS + 1);
    for (const other of others) other.write(REQUEST.repeat(MAX_UNANSWERED));
    await until('all have begun', () => begun.length === CONNECTIONS * MAX_UNANSWERED + 1);
    const before = begun.indexOf(OTHER_NETWORK);
    assert.ok(before < 200, `${before} were before it`);
  });
}

test('requests of a network begin in order, some in each turn, and a limited number wait', async () => {
  const turns = new Turns();
  const begun: number[] = [];
  let taken = 0;
  const take = (n: number) => turns.take('a', () => begun.push(n));
  while (taken < 10_000 && take(taken)) taken++;
  assert.equal(taken, 4_032);
  assert.equal(begun.length, 32);
  turns.take('b', () => begun.push(-1));
  assert.equal(begun.at(-1), -1, 'another one has its own turn');
  await until('all have begun', () => begun.length === taken + 1);
  const ofFirst = begun.filter((n) => n !== -1);
  assert.deepEqual(ofFirst, [...Array(taken).keys()]);
});
