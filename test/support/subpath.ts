import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { Engine } from '../../src/platform/db/db.ts';
import { prefixOf } from '../../src/platform/http/prefix.ts';
import type { TestConfig } from './app.ts';
import { onEnd } from './cleanup.ts';
import { makeTestWeb, type TestWeb } from './web.ts';

/** What a proxy does with the path before the server: nginx and Caddy can do both. */
export type Way = 'keeps' | 'strips';

/** A server below a path of a host. */
export type SubpathSite = TestWeb & {
  /** `BASE_URL`: the address of the proxy, and the path. */
  url: string;
  /** Requests to the host that were not for the path, and answers that were no success: each is one too many. */
  wrong: string[];
};

/**
 * Serves an app below a path, by a proxy that is a host of its own.
 * @param configure what else the app needs, given its address
 */
export async function openBelow(
  t: TestContext,
  engine: Engine,
  way: Way,
  path: string,
  configure: (url: string) => TestConfig | Promise<TestConfig> = () => ({}),
): Promise<SubpathSite> {
  const wrong: string[] = [];
  let target: URL | null = null;
  const proxy = createServer((incoming, outgoing) => forward(incoming, outgoing));
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${path}`;
  onEnd(t, () => {
    proxy.close();
    proxy.closeAllConnections();
  });

  function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method, url: asked = '', headers } = incoming;
    const rest = asked.startsWith(path) ? asked.slice(path.length) : null;
    if (rest === null || !/^([/?]|$)/.test(rest) || target === null) {
      wrong.push(`${method} ${asked}`);
      outgoing.writeHead(404).end('another application');
      return;
    }
    const sent = way === 'keeps' ? asked : rest.replace(/^(?!\/)/, '/');
    const upstream = request(new URL(sent, target), { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    upstream.once('error', () => outgoing.destroy());
    incoming.pipe(upstream);
  }

  const web = await makeTestWeb(t, engine, { ...(await configure(url)), baseUrl: url });
  target = new URL(await web.app.listen({ port: 0, host: '127.0.0.1' }));
  return { ...web, url, wrong };
}

/** A person with a browser without scripts, whose cookies have the paths that the server gave them. */
export type Walker = {
  fetch(address: string, init?: RequestInit): Promise<Response>;
  cookies: Map<string, { value: string; path: string }>;
};

export function makeWalker(): Walker {
  const cookies: Walker['cookies'] = new Map();
  return {
    cookies,
    async fetch(address, init = {}) {
      const { pathname } = new URL(address);
      const own = [...cookies].filter(([, { path }]) => `${pathname}/`.startsWith(path.replace(/\/?$/, '/')));
      const headers = new Headers(init.headers);
      if (own.length > 0) headers.set('cookie', own.map(([name, { value }]) => `${name}=${value}`).join('; '));
      const response = await fetch(address, { redirect: 'manual', ...init, headers });
      for (const text of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
        const path = /; ?path=([^;]*)/i.exec(text)?.[1] ?? prefixOf(address);
        if (/max-age=0/i.test(text)) cookies.delete(name);
        else cookies.set(name, { value, path });
      }
      return response;
    },
  };
}
