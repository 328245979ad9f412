import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import Fastify from 'fastify';
import { countUnreadPieces, PiecewiseRequest } from './pieces.ts';

async function serve(t: TestContext): Promise<number> {
  const app = Fastify({ http: { IncomingMessage: PiecewiseRequest } });
  countUnreadPieces(app);
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.addContentTypeParser('text/unread', (_request, _body, done) => done(null));
  app.post('/', async ({ body }) => `${String(body).length} read`);
  await app.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => app.close());
  return (app.server.address() as AddressInfo).port;
}

/** Sends a body in chunks and then another request. @returns what comes until the connection is closed */
async function sendChunks(port: number, type: string, chunks: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  const closed = new Promise((resolve) => socket.on('error', () => {}).on('close', resolve));
  socket.on('data', (part) => {
    text += part;
  });
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Type: ${type}\r\n\r\n`);
  // A body that is not read is answered before it comes.
  if (type === 'text/unread') await once(socket, 'data');
  for (const chunk of [...chunks, '']) socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  socket.write('GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await closed;
  return text;
}

test('a body comes in 1,000 pieces, and one for every 32 bytes; the connection of another one is closed', async (t) => {
  const port = await serve(t);
  for (const [count, bytes, isTaken] of [
    [1, 1, true],
    [1_032, 1, true],
    [1_033, 1, false],
    [60_000, 1, false],
    [1_990, 16, true],
    [2_010, 16, false],
    [6_000, 33, true],
  ] as const) {
    const chunks = Array<string>(count).fill('x'.repeat(bytes));
    const read = await sendChunks(port, 'text/plain', chunks);
    assert.equal(read.includes(`${count * bytes} read`), isTaken, `${count} pieces of ${bytes} bytes`);
    assert.equal(read.includes('/next not found'), isTaken);
    const unread = await sendChunks(port, 'text/unread', chunks);
    assert.match(unread, /^HTTP\/1\.1 200 OK/);
    assert.equal(unread.includes('/next not found'), isTaken, `${count} unread pieces of ${bytes} bytes`);
  }
});
