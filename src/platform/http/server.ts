import { createServer, type RequestListener, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyServerOptions } from 'fastify';
import { MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import { answerClientError, refuse } from './client-errors.ts';
import { networkOf } from './ip.ts';
import { LINGER_MS, lingerAfter } from './lingering.ts';
import { PiecewiseRequest } from './pieces.ts';
import { Turns } from './turns.ts';

/**
 * Without a limit, a few slow clients could hold connections forever. Common proxies close idle ones after a minute; those
 * in `deploy/` are configured to stay below these.
 */
export const TIME_LIMITS = { requestTimeout: 2 * MINUTE_MS, keepAliveTimeout: 72 * SECOND_MS } as const;

/**
 * How many requests of a connection may be unanswered (pipelining: RFC 9112, §9.3.2). Common clients and proxies send
 * one at a time; a packet can hold 2,000, and Node begins them all before it turns to other connections.
 */
export const MAX_UNANSWERED = 16;

/**
 * The HTTP server below Fastify. It closes connections with too many unanswered requests, and drops requests whose
 * client has closed its connection: no one would receive the response, and the system no longer knows the client's
 * address.
 */
export function makeHttpServer(handle: RequestListener, options: ServerOptions, lingerMs = LINGER_MS): Server {
  const unanswered = new WeakMap<Socket, number>();
  const turns = new Turns();
  const admit = (next: RequestListener): RequestListener => {
    return (request, response) => {
      const { socket, httpVersion, rawHeaders } = request;
      // Read here, the address stays known when the client hangs up later.
      const { remoteAddress } = socket;
      if (remoteAddress === undefined || isGone(socket) || !count(unanswered, socket, response)) return close(socket);
      const begin = () => {
        if (isGone(socket)) return;
        lingerAfter(request, response, lingerMs);
        if (!hasRightHosts(httpVersion, rawHeaders)) refuse(response, 400, 'The request must have one Host header');
        else next(request, response);
      };
      if (!turns.take(networkOf(remoteAddress), begin)) close(socket);
    };
  };
  // Node would refuse requests without a host, and those that expect what it does not know, without counting them.
  const counting = { ...options, requireHostHeader: false, IncomingMessage: PiecewiseRequest };
  return createServer(counting, admit(handle)).on(
    'checkExpectation',
    admit((_, response) => refuse(response, 417, 'Of Expect, only 100-continue is supported')),
  );
}

/** What the app is told about its server. */
export const httpOptions = {
  serverFactory: (handle) => makeHttpServer(handle, TIME_LIMITS),
  clientErrorHandler: (error, socket) => answerClientError(error, socket),
} satisfies FastifyServerOptions;

/** Whether nothing more can be sent: the client has gone, or had its last response. */
function isGone(socket: Socket): boolean {
  return socket.destroyed || socket.writableEnded;
}

/** Counts a request until its response is sent. @returns false if it is one too many */
function count(unanswered: WeakMap<Socket, number>, socket: Socket, response: ServerResponse): boolean {
  const before = unanswered.get(socket) ?? 0;
  if (before === MAX_UNANSWERED) return false;
  unanswered.set(socket, before + 1);
  response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 0) - 1));
  return true;
}

/**
 * Whether a request names as many hosts as its version allows (RFC 9112, §3.2): boards are chosen by the host, and of
 * two, a proxy may have gone by the other one.
 */
function hasRightHosts(httpVersion: string, rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let n = 0; n < rawHeaders.length; n += 2) if (/^host$/i.test(rawHeaders[n] ?? '')) hosts++;
  return hosts === 1 || (hosts === 0 && httpVersion !== '1.1');
}

/**
 * Closes a connection. Node would still begin every other request of the same packet, and end each with an error: 100 ms
 * of them. To its parser, 2 means that what follows is no HTTP; this is not documented, and without it they are dropped
 * one by one.
 */
function close(socket: Socket & { parser?: { onIncoming?: () => number } | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => 2;
  socket.destroy();
}
