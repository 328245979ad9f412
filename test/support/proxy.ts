import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { Server as TlsServer } from 'node:tls';
import { onEnd } from './cleanup.ts';
import { answerItself, type Passing, passOn, type Trouble } from './passing.ts';
import { type CertificateName, readCertificate } from './raw-receiver.ts';

/** How often the proxy asks its servers whether they are ready. */
const HEALTH_MS = 50;

/** A reverse proxy in front of several servers. */
export type ReverseProxy = {
  url: string;
  port: number;
  /** What went wrong between proxy and servers. It hides nothing: it never sends a request again. */
  failures: string[];
  /** How many answers each server has given, by its URL. */
  answers: Map<string, number>;
  /** How it passes on what comes from now on. */
  passing: Passing;
  /** Makes trouble for the next requests. @returns those that had it, such as `POST /sign-in` */
  trouble(trouble: Trouble, options?: { times?: number; only?: (request: IncomingMessage) => boolean }): string[];
  /** Ends all trouble. */
  heal(): void;
  /** Resets every connection with a client. */
  reset(): void;
  /** Shows another certificate from now on. */
  certify(certificate: CertificateName): void;
};

type Planned = { trouble: Trouble; left: number; only: (request: IncomingMessage) => boolean; had: string[] };

export type ProxyOptions = {
  passing?: Passing;
  /** A free one, unless it must be known before the proxy starts. */
  port?: number;
  isSecure?: boolean;
  /** Whether it speaks HTTP/2, with TLS and clients that do. */
  speaksHttp2?: boolean;
};

/**
 * Starts a proxy that keeps connections alive and takes the servers in turn; if there are several, it asks each at
 * `/readyz` whether to.
 */
export async function startProxy(
  t: TestContext,
  servers: readonly string[],
  { passing = {}, port = 0, isSecure = false, speaksHttp2 = true }: ProxyOptions = {},
): Promise<ReverseProxy> {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set(servers);
  const answers = new Map(servers.map((server) => [server, 0]));
  const failures: string[] = [];
  const sockets = new Set<Socket>();
  let planned: Planned[] = [];
  let turn = 0;

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const name = `${incoming.method} ${incoming.url}`;
    const target = [...ready][turn++ % ready.size];
    const fail = (reason: string) => {
      failures.push(`${name}: ${reason}`);
      if (outgoing.headersSent) outgoing.destroy();
      else answerItself(outgoing, 502, proxy.passing);
    };
    if (!target) return fail('no server is ready');
    await passOn(incoming, outgoing, {
      target: new URL(target),
      agent,
      passing: proxy.passing,
      trouble: takeTrouble(name, incoming),
      reset: proxy.reset,
      fail: (reason) => fail(`${target}: ${reason}`),
      answered(status) {
        if (status >= 500) failures.push(`${name}: ${target}: ${status}`);
        answers.set(target, (answers.get(target) ?? 0) + 1);
      },
    });
  }

  function takeTrouble(name: string, incoming: IncomingMessage): Trouble | null {
    const found = planned.find(({ left, only }) => left > 0 && only(incoming));
    if (!found) return null;
    found.left--;
    found.had.push(name);
    return found.trouble;
  }

  async function askHealth(server: string): Promise<void> {
    const isReady = await fetch(`${server}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) ready.add(server);
    else ready.delete(server);
  }

  const listener = listen({ isSecure, speaksHttp2 }, forward)
    .on('connection', (socket: Socket) => sockets.add(socket.on('close', () => sockets.delete(socket))))
    .listen(port, '127.0.0.1');
  await once(listener, 'listening');
  const proxy: ReverseProxy = {
    port: (listener.address() as AddressInfo).port,
    url: `http${isSecure ? 's' : ''}://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    failures,
    answers,
    passing,
    trouble(trouble, { times = Number.POSITIVE_INFINITY, only = () => true } = {}) {
      const had: string[] = [];
      planned.push({ trouble, left: times, only, had });
      return had;
    },
    heal() {
      planned = [];
    },
    reset() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    certify(certificate) {
      const key = readCertificate(certificate);
      (listener as unknown as TlsServer).setSecureContext({ key, cert: key });
    },
  };
  const asking = servers.length > 1 ? setInterval(() => servers.forEach(askHealth), HEALTH_MS) : undefined;
  onEnd(t, () => {
    clearInterval(asking);
    agent.destroy();
    listener.close();
    for (const socket of sockets) socket.destroy();
  });
  return proxy;
}

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** The proxy itself closes no connection to a client: that would be a fault of its own. */
function listen({ isSecure, speaksHttp2 }: Pick<ProxyOptions, 'isSecure' | 'speaksHttp2'>, handler: Handler): Server {
  if (!isSecure) return createServer({ keepAliveTimeout: 0 }, handler);
  const key = readCertificate('good'); // for no name of a board: browsers of tests are told to take it
  if (!speaksHttp2) return createTlsServer({ keepAliveTimeout: 0, key, cert: key }, handler);
  // Requests of HTTP/2 have the same methods, as far as they are used here.
  return createSecureServer({ key, cert: key, allowHTTP1: true }, handler as never) as unknown as Server;
}
