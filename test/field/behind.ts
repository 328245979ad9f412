import { type RequestOptions, request } from 'node:https';
import type { TestContext } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import type { Engine } from '../../src/platform/db/db.ts';
import type { TestConfig } from '../support/app.ts';
import type { Watched } from '../support/browser.ts';
import { findFreePort } from '../support/postgres.ts';
import { type ReverseProxy, startProxy } from '../support/proxy.ts';
import { makeTestWeb, type TestWeb } from '../support/web.ts';
import { visitThroughTls } from './field.ts';

/** An app of this process behind a proxy that ends TLS, of which a test makes trouble. */
export type Behind = TestWeb & {
  baseUrl: string;
  proxy: ReverseProxy;
  /** A member of the board, in a browser that has signed in. */
  visitAsMember(path: string, options?: BrowserContextOptions): Promise<Watched>;
};

/** Serves a board through a proxy, which it believes. */
export async function openBehind(
  t: TestContext,
  engine: Engine,
  { speaksHttp2 = true, ...config }: TestConfig & { speaksHttp2?: boolean } = {},
): Promise<Behind> {
  const port = await findFreePort();
  const baseUrl = `https://ideas.example.test:${port}`;
  const web = await makeTestWeb(t, engine, { baseUrl, trustProxy: ['127.0.0.1'], ...config });
  const origin = await web.app.listen({ port: 0, host: '127.0.0.1' });
  const proxy = await startProxy(t, [origin], { port, isSecure: true, speaksHttp2 });
  return {
    ...web,
    baseUrl,
    proxy,
    async visitAsMember(path, options = {}) {
      const { cookies } = await web.makeMember('Mo', 'MODERATOR');
      const more = { domain: 'ideas.example.test', path: '/', expires: -1, httpOnly: true, secure: true };
      const kept = [...cookies].map(([name, value]) => ({ name, value, ...more, sameSite: 'Lax' as const }));
      return visitThroughTls(t, baseUrl + path, { ...options, storageState: { cookies: kept, origins: [] } });
    },
  };
}

type Sent = RequestOptions & { body: string | Buffer };

/**
 * Sends a request through the proxy on a connection of its own, and so from another port.
 * @returns the status and the body; null when the line broke
 */
export function send({ port }: ReverseProxy, path: string, { body, ...options }: Sent) {
  const to = { host: '127.0.0.1', port, path, method: 'POST', agent: false, rejectUnauthorized: false };
  return new Promise<{ status: number; text: string } | null>((resolve) => {
    const sending = request({ ...to, ...options }, async (response) => {
      const text = await response.setEncoding('utf8').toArray();
      resolve({ status: response.statusCode ?? 0, text: text.join('') });
    });
    sending.once('error', () => resolve(null)).end(body);
  });
}
