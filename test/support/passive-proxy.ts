import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { onEnd } from './cleanup.ts';

/** A reverse proxy that asks no server whether it is ready. */
export type PassiveProxy = {
  url: string;
  /** Requests that it could not pass on, and why. */
  failures: string[];
  /** How many connections it has opened to a server, by its URL. */
  opened: Map<string, number>;
};

/** What may be sent again although a server may have executed it. */
const IDEMPOTENT = new Set(['GET', 'HEAD']);

/**
 * Starts a proxy that balances as nginx does with `deploy/nginx.conf`: it takes the servers in turn, keeps up to 64 idle
 * connections and uses the last one first, and sends a request to the next server only if this one's port was
 * closed, or if the request is idempotent.
 */
export async function startPassiveProxy(t: TestContext, servers: readonly string[]): Promise<PassiveProxy> {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64, scheduling: 'lifo' });
  const opened = new Map(servers.map((server) => [server, 0]));
  const failures: string[] = [];
  let turn = 0;

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '' } = incoming;
    const body = Buffer.concat(await incoming.toArray());
    const reasons: string[] = [];
    const first = turn++ % servers.length;
    for (const server of [...servers.slice(first), ...servers.slice(0, first)]) {
      try {
        return await pass(server, incoming, body, outgoing);
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        reasons.push(`${server}: ${message}`);
        if (outgoing.headersSent || (code !== 'ECONNREFUSED' && !IDEMPOTENT.has(method))) break;
      }
    }
    failures.push(`${method} ${incoming.url}: ${reasons.join(', ')}`);
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end();
  }

  function pass(server: string, incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse): Promise<void> {
    return new Promise((resolve, reject) => {
      const { method, headers } = incoming;
      const { connection: _, ...passed } = headers;
      const upstream = request(new URL(incoming.url ?? '/', server), { method, headers: passed, agent });
      upstream.once('error', reject);
      upstream.once('socket', (socket) => {
        if (socket.connecting) socket.once('connect', () => opened.set(server, (opened.get(server) ?? 0) + 1));
      });
      upstream.once('response', (response) => {
        const { connection: _, 'keep-alive': __, ...returned } = response.headers;
        outgoing.writeHead(response.statusCode ?? 502, returned);
        response.once('error', reject).once('end', resolve).pipe(outgoing);
      });
      upstream.end(body);
    });
  }

  const listener = createServer(forward).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onEnd(t, () => {
    agent.destroy();
    listener.closeAllConnections();
    listener.close();
  });
  return { url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`, failures, opened };
}
