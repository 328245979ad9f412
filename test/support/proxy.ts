import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { onEnd } from './cleanup.ts';

/** How often the proxy asks its servers whether they are ready. */
const HEALTH_MS = 50;

/** A reverse proxy in front of several servers. */
export type Proxy = {
  url: string;
  /** What went wrong between proxy and servers. It hides nothing: it never sends a request again. */
  failures: string[];
  /** How many answers each server has given, by its URL. */
  answers: Map<string, number>;
};

/** Starts a proxy that keeps connections alive, takes the servers in turn, and asks each at `/readyz` whether to. */
export async function startProxy(t: TestContext, servers: readonly string[]): Promise<Proxy> {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set(servers);
  const answers = new Map(servers.map((server) => [server, 0]));
  const failures: string[] = [];
  let turn = 0;

  function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const target = [...ready][turn++ % ready.size];
    const fail = (reason: string) => {
      failures.push(`${incoming.method} ${incoming.url}: ${reason}`);
      if (!outgoing.headersSent) outgoing.writeHead(502);
      outgoing.end();
    };
    if (!target) {
      fail('no server is ready');
      return;
    }
    const { method, url, headers } = incoming;
    const upstream = request(`${target}${url}`, { method, headers, agent });
    upstream.once('error', (error) => fail(`${target}: ${error.message}`));
    upstream.once('response', (response) => {
      if ((response.statusCode ?? 500) >= 500) failures.push(`${method} ${url}: ${target}: ${response.statusCode}`);
      answers.set(target, (answers.get(target) ?? 0) + 1);
      response.once('aborted', () => fail(`${target}: the answer broke off`));
      const { connection, 'keep-alive': _, ...kept } = response.headers;
      outgoing.writeHead(response.statusCode ?? 502, kept);
      response.pipe(outgoing);
    });
    incoming.pipe(upstream);
  }

  async function askHealth(server: string): Promise<void> {
    const isReady = await fetch(`${server}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) ready.add(server);
    else ready.delete(server);
  }

  // The proxy itself closes no connection to a client: that would be a fault of its own.
  const proxy = createServer({ keepAliveTimeout: 0 }, forward).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const asking = setInterval(() => servers.forEach(askHealth), HEALTH_MS);
  onEnd(t, () => {
    clearInterval(asking);
    agent.destroy();
    proxy.close();
    proxy.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, failures, answers };
}
