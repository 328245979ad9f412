import type { FastifyInstance } from 'fastify';

/** Headers that the API itself reads. */
const KNOWN_HEADERS =
  'apikey, authorization, content-type, dry-run, earshot-visitor, idempotency-key, last-event-id, ssoid, ssotype, userid';

/** Headers of responses that pages of other origins may read. */
export const SHOWN_HEADERS =
  'Content-Disposition, Earshot-Operation-Id, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id';

/** A list of names of headers, and how long it may be. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~-]+( ?, ?[\w!#$%&'*+.^`|~-]+)*$/;
const MAX_HEADER_NAMES = 1_000;

/**
 * Lets pages of any origin call what this part of the app serves: a call carries its key itself, so no visitor's cookie
 * is at risk. Other headers are allowed as requested: clients that trace their requests add some.
 * @param paths the methods of each path
 */
export function allowAnyOrigin(api: FastifyInstance, paths: Readonly<Record<string, string>>): void {
  api.addHook('onRequest', (request, reply, done) => {
    // The key is in a custom header, which shared caches do not know to be private.
    reply.header('cache-control', 'no-store').header('access-control-allow-origin', '*');
    if (request.headers.origin !== undefined) {
      reply.header('access-control-expose-headers', SHOWN_HEADERS);
    }
    done();
  });
  for (const [path, methods] of Object.entries(paths)) answerPreflight(api, path, methods);
}

function answerPreflight(api: FastifyInstance, path: string, methods: string): void {
  api.options(path, async (request, reply) => {
    reply.header('access-control-allow-methods', methods);
    reply.header('access-control-allow-headers', allowedHeaders(request.headers['access-control-request-headers']));
    reply.header('vary', 'Access-Control-Request-Headers');
    return reply.header('access-control-max-age', '86400').code(204).send();
  });
}

function allowedHeaders(asked: string | undefined): string {
  const isList = asked !== undefined && asked.length <= MAX_HEADER_NAMES && HEADER_NAMES.test(asked);
  return isList ? asked : KNOWN_HEADERS;
}
