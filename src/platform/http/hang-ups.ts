import type { FastifyInstance } from 'fastify';

/**
 * Drops requests whose client closed its connection before they were read: no one would receive the responses, and the
 * system no longer knows the client's address. For all others it is read here, so that it stays known.
 */
export function dropHangUps(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    if (socket.destroyed || socket.remoteAddress === undefined) {
      reply.hijack();
      socket.destroy();
    }
    done();
  });
}
