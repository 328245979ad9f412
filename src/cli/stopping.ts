import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as afterPoll, setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { SECOND_MS } from '../platform/lib/clock.ts';
import type { Logger } from '../platform/lib/log.ts';

/** How long requests in flight may take to finish once no new connections are accepted. */
export const STOP_LIMIT_MS = 10 * SECOND_MS;
/** How long, at most, open but unused connections are kept once the port is closed. */
const IDLE_LIMIT_MS = SECOND_MS;
const SWEEP_MS = 50;
/**
 * A turn of the event loop as short as this leaves little time for something to arrive unseen; the second limit bounds
 * the wait for one.
 */
const SHORT_MS = 1;
const SHORT_LIMIT_MS = 2 * SECOND_MS;

/** Stops the server; for `drainMs` it keeps accepting connections, and responses say that it is stopping. */
export type Stop = (drainMs: number) => Promise<void>;

/**
 * Makes the function that stops a server without failing a request: it drains, closes the port, keeps responding on
 * open connections, and closes these once nothing more arrives. Every response in the meantime carries `Connection:
 * close` (`AppDeps.stopping`), so nearly all connections end with a response; closing an unused one can cross with a
 * request. Make it before the server listens: it tracks connections.
 */
export function makeStop(app: FastifyInstance, log: Logger): Stop {
  const { server } = app;
  const sockets = new Set<Socket>();
  let taken = 0;
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
    const idleUntil = performance.now() + Math.min(drainMs, IDLE_LIMIT_MS);
    while (sockets.size > 0 && performance.now() < idleUntil) await delay(SWEEP_MS);
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
 * been read. A busy server has long turns, in which more arrives; if it has no others, the wait ends anyway.
 */
async function shortTurn(count: () => number): Promise<void> {
  const end = performance.now() + SHORT_LIMIT_MS;
  for (;;) {
    const [start, before] = [performance.now(), count()];
    await afterPoll();
    const now = performance.now();
    if ((now - start <= SHORT_MS && count() === before) || now > end) return;
  }
}
