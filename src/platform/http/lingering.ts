import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { SECOND_MS } from '../lib/clock.ts';

/** How long the rest of a request is read, and dropped, after a response that ends the connection. */
export const LINGER_MS = 30 * SECOND_MS;

/**
 * Lets a response that comes before the end of its request and ends the connection, such as a 413, reach a client that is
 * still sending. Closing at once would reset the connection (RFC 9112, §9.6): browsers would show that instead of the
 * response, and proxies answer 502.
 */
export function lingerAfter(request: IncomingMessage, response: ServerResponse, lingerMs: number): void {
  // Before Node's own listener, which ends the connection after its last response.
  response.prependOnceListener('finish', () => {
    if (!request.complete) request.socket.destroySoon = () => linger(request, lingerMs);
  });
}

function linger(request: IncomingMessage, lingerMs: number): void {
  const { socket } = request;
  const close = () => {
    Socket.prototype.destroySoon.call(socket);
  };
  socket.end();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
  if (request.complete) close();
  else request.resume().once('end', close);
}
