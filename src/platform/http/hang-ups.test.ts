import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import Fastify from 'fastify';
import { dropHangUps } from './hang-ups.ts';

test('requests whose client hung up are dropped, and those of others know their address', async (t) => {
  const addresses: (string | undefined)[] = [];
  const app = Fastify();
  dropHangUps(app);
  app.get('/', async ({ ip }) => {
    addresses.push(ip);
    return ip;
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  for (let n = 0; n < 20; n++) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.once('connect', () => {
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      socket.resetAndDestroy();
    });
    await once(socket, 'close');
  }
  assert.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), '127.0.0.1');
  assert.deepEqual(addresses, ['127.0.0.1']);
});
