import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { onEnd } from '../support/cleanup.ts';
import { makeStorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';
import { startServer } from './server.ts';

const MOST = 3;

/** A connection that stays open; gives the head of an answer, or what came before it was closed without one. */
function open(t: TestContext, port: number): { socket: Socket; ask(): Promise<string> } {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  onEnd(t, () => socket.destroy());
  const ask = () =>
    new Promise<string>((resolve) => {
      let answer = '';
      const settle = () => resolve(answer);
      socket.on('close', settle).on('data', (bytes) => {
        answer += bytes;
        if (answer.includes('\r\n\r\n')) settle();
      });
      socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    });
  return { socket, ask };
}

test('a server keeps as many connections as it may, and closes further ones', async (t) => {
  const place = await makeStorePlace(t, 'sqlite');
  const server = await startServer(t, place, { env: { MAX_CONNECTIONS: String(MOST) } });
  const port = Number(new URL(server.url).port);
  const kept = Array.from({ length: MOST }, () => open(t, port));
  for (const { ask } of kept) assert.match(await ask(), /^HTTP\/1\.1 200 /);
  assert.equal(await open(t, port).ask(), '', 'one more is closed without an answer');
  assert.match((await kept[0]?.ask()) ?? '', /^HTTP\/1\.1 200 /, 'the others go on');
  kept[0]?.socket.destroy();
  await until('there is room again', async () => (await open(t, port).ask()) !== '');
});
