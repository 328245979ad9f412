import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Fastify from 'fastify';
import { until } from '../../../test/support/until.ts';
import { MINUTE_MS } from '../lib/clock.ts';
import { closeSlowTakers } from './slow-takers.ts';

/** Far more than the buffers of the system between two sockets take. */
const ANSWER = Buffer.alloc(24 * 1_048_576, 'x');
const LIMITS = { stallMs: 1_500, wholeMs: 2_500 };
/** Pauses after each 64 KiB that make the answer last twice as long as it may. */
const SLOW_MS = 15;

async function serve(t: TestContext) {
  const app = Fastify();
  closeSlowTakers(app, LIMITS);
  app.get('/whole', (_, reply) => reply.send(ANSWER));
  app.get('/page', () => new Response(ANSWER));
  app.get('/file', (_, reply) => reply.send(Readable.from(chunksOf(ANSWER))));
  app.get('/export', () => {
    const headers = { 'content-disposition': 'attachment' };
    return new Response(Readable.toWeb(Readable.from(chunksOf(ANSWER))) as ReadableStream, { headers });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => app.close());
  return { port: (app.server.address() as AddressInfo).port, server: app.server };
}

function* chunksOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

/** Asks for a path and takes the answer with pauses. @returns whether all of it came before the connection was closed */
async function isWhole(port: number, path: string, pauseMs: number): Promise<boolean> {
  const socket = ask(port, path);
  let taken = 0;
  socket.on('data', (chunk) => {
    taken += chunk.length;
    if (pauseMs === 0) return;
    socket.pause();
    setTimeout(() => socket.resume(), pauseMs);
  });
  await new Promise((resolve) => socket.once('close', resolve));
  return taken > ANSWER.length;
}

function ask(port: number, path: string): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  return socket;
}

for (const [path, mayLast] of [
  ['/whole', false],
  ['/page', false],
  ['/file', true],
  ['/export', true],
] as const) {
  test(`a client that reads its answer gets it, and one that does not is disconnected: ${path}`, async (t) => {
    const { port, server } = await serve(t);
    assert.equal(await isWhole(port, path, 0), true);
    assert.equal(await isWhole(port, path, SLOW_MS), mayLast);
    const silent = ask(port, path).pause();
    t.after(() => silent.destroy());
    const count = () => new Promise<number>((resolve) => server.getConnections((_, open) => resolve(open)));
    await until('it is connected', async () => (await count()) === 1);
    await until('it is closed', async () => (await count()) === 0);
  });
}

test('a response whose connection was closed before it was sent is not kept', async (t) => {
  const app = Fastify();
  closeSlowTakers(app, { stallMs: 10 * MINUTE_MS, wholeMs: 10 * MINUTE_MS });
  const kept: WeakRef<ServerResponse>[] = [];
  app.get('/', async ({ socket }, reply) => {
    kept.push(new WeakRef(reply.raw));
    socket.destroy();
    await delay(1);
    return 'too late';
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  for (let n = 0; n < 20; n++) await fetch(`http://127.0.0.1:${port}/`).catch(() => {});
  await until('they are collected', () => {
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
    return kept.filter((response) => response.deref()).length < 10;
  });
});
