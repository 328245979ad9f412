import type { FastifyInstance } from 'fastify';

/**
 * Drops requests whose client has closed its connection before they were read: nothing takes their responses, and the
 * system no longer knows whose they were. Of all others it is asked here, so the address stays known from now on.
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
