import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { platform } from 'node:os';
import { type TestContext, test } from 'node:test';
import { onEnd } from '../support/cleanup.ts';
import { makeStorePlace } from '../support/store.ts';
import { startServer } from './server.ts';

const MOST = 4;
const OTHER_NETWORK = '127.0.0.2';
const SERVED = /^HTTP\/1\.1 200 /;

/** A connection that stays open; gives the head of an answer, or what came before it was closed without one. */
function open(t: TestContext, port: number, localAddress = '127.0.0.1'): { socket: Socket; ask(): Promise<string> } {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
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

test('a network has half of the connections; the longest idle one gives way, and others are served', async (t) => {
  const place = await makeStorePlace(t, 'sqlite');
  const server = await startServer(t, place, { env: { MAX_CONNECTIONS: String(MOST) } });
  const port = Number(new URL(server.url).port);
  const kept = [open(t, port), open(t, port)] as const;
  for (const { ask } of kept) assert.match(await ask(), SERVED);
  assert.match(await kept[0].ask(), SERVED, 'now the second has been idle for longer');
  const closed = once(kept[1].socket, 'close');
  assert.match(await open(t, port).ask(), SERVED, 'one more is served');
  await closed;
  assert.match(await kept[0].ask(), SERVED, 'the others go on');
  if (platform() !== 'linux') return;
  const others = Array.from({ length: MOST / 2 }, () => open(t, port, OTHER_NETWORK));
  for (const { ask } of others) assert.match(await ask(), SERVED, 'another network has its own');
  assert.match(await kept[0].ask(), SERVED);
});
