import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { onEnd } from './cleanup.ts';

/** A request as it reached a receiver: the address with its query, and the bytes of the body. */
export type Received = { method: string; url: string; headers: IncomingMessage['headers']; body: Buffer };

/** A receiver on this machine for the length of a test, which answers as it is told to and keeps what it got. */
export async function startReceiver(
  t: TestContext,
  answer: (received: Received, response: ServerResponse) => void,
): Promise<{ origin: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming;
      const request = { method, url, headers, body: Buffer.concat(chunks) };
      received.push(request);
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onEnd(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}
