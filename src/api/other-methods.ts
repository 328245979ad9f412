import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { badRequest } from '../platform/errors.ts';

/** Routes whose other methods are refused here; pages refuse theirs themselves. */
const OURS = /^\/(api\/|healthz$|readyz$|metrics$)/;

/**
 * Remembers which methods the routes take that are added from now on.
 * @param send sends an error in the form of the API
 * @returns what adds, once these routes are there, others that answer 405 to all other methods and say which there are
 */
export function refuseOtherMethods(
  app: FastifyInstance,
  send: (error: ReturnType<typeof badRequest>, request: FastifyRequest, reply: FastifyReply) => FastifyReply,
): () => void {
  const taken = new Map<string, Set<HTTPMethods>>();
  app.addHook('onRoute', ({ url, method }) => {
    if (!OURS.test(url)) return;
    const methods = taken.get(url) ?? new Set();
    for (const each of [method].flat()) methods.add(each as HTTPMethods);
    taken.set(url, methods);
  });
  return () => {
    for (const [url, methods] of [...taken]) {
      const others = app.supportedMethods.filter((method) => !methods.has(method as HTTPMethods));
      if (others.length === 0) continue;
      const allow = [...methods].join(', ');
      app.route({
        method: others as HTTPMethods[],
        url,
        exposeHeadRoute: false,
        // Before the body is read, whatever it is.
        onRequest: async (request, reply) => {
          const path = request.url.split('?', 1)[0] ?? '';
          const error = badRequest(`${request.method} cannot be used at ${path}: it takes ${allow}`);
          return send(error, request, reply.code(405).header('allow', allow));
        },
        handler: async () => {},
      });
    }
  };
}
