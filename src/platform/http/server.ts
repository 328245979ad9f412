import { createServer, type RequestListener, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PiecewiseRequest } from './pieces.ts';

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
export function makeHttpServer(handle: RequestListener, options: ServerOptions): Server {
  const waiting = new WeakMap<Socket, number>();
  return createServer({ ...options, IncomingMessage: PiecewiseRequest }, (request, response) => {
    const { socket } = request;
    // Read here, the address stays known when the client hangs up later.
    const isGone = socket.destroyed || socket.remoteAddress === undefined;
    if (isGone || !isInTurn(socket, response, waiting)) socket.destroy();
    else handle(request, response);
  });
}

/** Counts a request that waits for an earlier response. Only the response whose turn it is has the connection. */
function isInTurn(socket: Socket, response: ServerResponse, waiting: WeakMap<Socket, number>): boolean {
  if (response.socket !== null) return true;
  const count = waiting.get(socket) ?? 0;
  if (count + 1 === MAX_UNANSWERED) return false;
  waiting.set(socket, count + 1);
  response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 0) - 1));
  return true;
}
