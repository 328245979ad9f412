import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/** Serves a text that everyone may read and that changes only with the version, such as a schema. */
export function publish(app: FastifyInstance, path: string, type: string, text: string): void {
  const etag = `"${hash('sha256', text, 'base64url')}"`;
  app.get(path, async (request, reply) => {
    reply
      .header('etag', etag)
      .header('cache-control', 'public, max-age=300')
      .header('access-control-allow-origin', '*');
    // Proxies that compress make the tag a weak one, and a client may name several.
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    return reply.type(`${type}; charset=utf-8`).send(text);
  });
}
