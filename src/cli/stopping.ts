import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as afterPoll, setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { SECOND_MS } from '../platform/lib/clock.ts';
import type { Logger } from '../platform/lib/log.ts';

/** How long requests in flight may take to finish once no new connections are accepted. */
export const STOP_LIMIT_MS = 10 * SECOND_MS;
/** Once the port is closed, open connections are kept until none has had a request for so long, or for the limit. */
const IDLE_MS = SECOND_MS;
const IDLE_LIMIT_MS = 4 * SECOND_MS;
const SWEEP_MS = 50;
/** A turn of the event loop as short as this leaves little time for something to arrive unseen. */
const SHORT_MS = 1;
/** How long a short turn is waited for, and then one in which nothing arrives: a server may be too busy for both. */
const SHORT_LIMIT_MS = 2 * SECOND_MS;
const QUIET_LIMIT_MS = 4 * SECOND_MS;

/** Stops the server; for `drainMs` it goes on as before. */
export type Stop = (drainMs: number) => Promise<void>;

/**
 * Makes the function that stops a server without failing a request: it drains, closes the port, keeps responding on
 * open connections, and closes these once nothing more arrives. A proxy that notices nothing goes on using connections
 * that it has, so that few are new when the port closes, which can lose one. From then on every response carries
 * `Connection: close` (`endConnection`), so nearly all connections end with one; closing an unused one can cross with a
 * request. Make it before the server listens: it tracks connections.
 */
export function makeStop(app: FastifyInstance, log: Logger): Stop {
  const { server } = app;
  const sockets = new Set<Socket>();
  let taken = 0;
  let lastRequest = 0;
  server.on('request', () => {
    lastRequest = performance.now();
  });
  server.on('connection', (socket) => {
    taken++;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  /**
   * The kernel has connections that Node has not accepted yet (it accepts one in each turn of its loop), perhaps with a
   * request already: closing the port would reset them. So it is closed after a short turn that found none.
   */
  async function closePort(): Promise<void> {
    await shortTurn(() => taken);
    // Only the port: `close` of an HTTP server would close the unused connections with it.
    NetServer.prototype.close.call(server);
  }

  /** Waits until no connection is left, or none has had a request for a while. */
  async function lastRequests(idleMs: number): Promise<void> {
    const start = performance.now();
    for (;;) {
      const now = performance.now();
      const isIdle = now - Math.max(start, lastRequest) >= idleMs;
      if (sockets.size === 0 || isIdle || now - start >= IDLE_LIMIT_MS) return;
      await delay(SWEEP_MS);
    }
  }

  /** What has arrived is read first: without that, a request in the kernel's buffer would be lost. */
  async function closeIdle(): Promise<void> {
    await shortTurn(() => 0);
    server.closeIdleConnections();
    // Node considers a connection on which nothing has arrived yet busy; browsers open such connections in advance.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  return async (drainMs) => {
    await delay(drainMs);
    const limit = setTimeout(() => {
      log.warn('requests in flight did not finish in time');
      server.closeAllConnections();
    }, STOP_LIMIT_MS);
    await closePort();
    await lastRequests(Math.min(drainMs, IDLE_MS));
    await closeIdle();
    // A connection whose response began before the stop is idle later, and its client may keep it open for a long
    // time.
    const sweep = setInterval(closeIdle, SWEEP_MS);
    await app.close();
    clearInterval(sweep);
    clearTimeout(limit);
  };
}

/**
 * Waits for the end of a short turn of the event loop, in which `count` has not changed: what arrived before it has
 * been read. A busy server has long turns, in which more arrives.
 */
async function shortTurn(count: () => number): Promise<void> {
  const began = performance.now();
  for (;;) {
    const [start, before] = [performance.now(), count()];
    await afterPoll();
    const now = performance.now();
    const isQuiet = count() === before && (now - start <= SHORT_MS || now - began > SHORT_LIMIT_MS);
    if (isQuiet || now - began > QUIET_LIMIT_MS) return;
  }
}
