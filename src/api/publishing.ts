import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/**
 * Serves a text that everyone may read and that changes only with the version, such as a schema.
 * @param print writes it; called with the first request
 */
export function publish(app: FastifyInstance, path: string, type: string, print: () => string): void {
  let printed: { text: string; etag: string } | null = null;
  app.get(path, async (request, reply) => {
    printed ??= withTag(print());
    const { text, etag } = printed;
    reply
      .header('etag', etag)
      .header('cache-control', 'public, max-age=300')
      .header('access-control-allow-origin', '*');
    // Proxies that compress make the tag a weak one, and a client may name several.
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    return reply.type(`${type}; charset=utf-8`).send(text);
  });
}

function withTag(text: string) {
  return { text, etag: `"${hash('sha256', text, 'base64url')}"` };
}
