import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { sendTogether } from './send-together.ts';

/** Asks on connections that are open already, so that all requests arrive in the same turn. Gives the status of each. */
async function askAtOnce(app: FastifyInstance, paths: readonly string[]): Promise<string[]> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const sockets: Socket[] = [];
  for (const _ of paths) {
    const accepted = once(app.server, 'connection');
    sockets.push(connect(port, '127.0.0.1'));
    await accepted;
  }
  for (const [n, path] of paths.entries()) sockets[n]?.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const heads = await Promise.all(sockets.map(async (socket) => String((await once(socket, 'data'))[0])));
  for (const socket of sockets) socket.destroy();
  return heads.map((head) => head.slice(9, 12));
}

test('responses are sent once all requests of the turn are handled', async (t) => {
  const app = Fastify();
  t.after(() => app.close());
  sendTogether(app);
  const seen: string[] = [];
  app.get('/', async (_, reply) => {
    seen.push('handled');
    reply.raw.once('finish', () => seen.push('sent'));
    return 'x';
  });
  assert.deepEqual(await askAtOnce(app, ['/', '/', '/']), ['200', '200', '200']);
  assert.deepEqual(seen, [...Array(3).fill('handled'), ...Array(3).fill('sent')]);
});

test('a response that cannot be sent fails alone', async (t) => {
  const app = Fastify();
  t.after(() => app.close());
  sendTogether(app);
  app.get('/bad', async (_, reply) =>
    reply
      .type('text/plain')
      .serializer(() => 7 as never)
      .send({}),
  );
  app.get('/good', async () => 'good');
  assert.deepEqual(await askAtOnce(app, ['/bad', '/good', '/bad']), ['500', '200', '500']);
});
