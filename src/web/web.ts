import { randomBytes } from 'node:crypto';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { serveAssets } from './assets.ts';
import type { Pages } from './pages.ts';
import { isFromOurPages, pagePolicy, sendSecurityHeaders } from './security.ts';
import { makeVisit, type VisitDeps, type Visitor } from './visit.ts';

/** Paths that are no pages: unknown ones among them are answered as the API answers them. */
const NO_PAGES = /^\/(api|healthz|readyz|metrics)(\/|$)/;
const MAX_FORM_BYTES = 1_048_576;

/** Serves the pages and what they load, at every path that nothing else has. */
export async function serveWeb(app: FastifyInstance, deps: VisitDeps & { pages: Pages }): Promise<void> {
  const { pages } = deps;
  const isSecure = deps.baseUrl.startsWith('https:');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_FORM_BYTES }, (_, body, done) => done(null, body));
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) deps.log.error({ requestId: request.id, err: error }, 'A page failed');
    const words = status === 413 ? 'This form is larger than 1 MiB.' : 'Something went wrong.';
    return reply.code(status).type('text/plain; charset=utf-8').send(`${words} Request id: ${request.id}`);
  });
  if (pages.clientFolder) serveAssets(app, pages.clientFolder);
  const { developmentServer } = pages;
  if (developmentServer) app.addHook('onRequest', ({ raw }, reply, done) => developmentServer(raw, reply.raw, done));
  app.route({
    method: ['GET', 'POST'],
    url: '/*',
    exposeHeadRoute: true,
    async handler(request, reply) {
      const path = request.url.split('?')[0] ?? '';
      if (NO_PAGES.test(path)) return reply.callNotFound();
      const nonce = randomBytes(16).toString('base64url');
      sendSecurityHeaders(reply, pagePolicy(nonce, developmentServer !== null), isSecure);
      reply.header('cache-control', 'private, no-store');
      if (request.method !== 'GET' && request.method !== 'HEAD' && !isFromOurPages(request)) return refuse(reply);
      const respond = await pages.load();
      const visit = makeVisit(deps, readVisitor(request, reply, nonce));
      const response = await respond(readRequest(request, reply, deps.baseUrl), visit);
      return reply.send(compress(response, request.headers['accept-encoding']));
    },
  });
}

/** A page in a sixth of its bytes. Files that are taken away stay as they are: their length is counted as they come. */
function compress(response: Response, accepted: string | string[] = ''): Response {
  const { status, body } = response;
  const isPage = /^text\/(html|x-script)\b/.test(response.headers.get('content-type') ?? '');
  if (!body || !isPage || !/\bgzip\b/.test(String(accepted))) return response;
  const headers = new Headers(response.headers);
  headers.append('vary', 'accept-encoding');
  headers.set('content-encoding', 'gzip');
  return new Response(body.pipeThrough(new CompressionStream('gzip')), { status, headers });
}

function refuse(reply: FastifyReply): FastifyReply {
  const words = 'This form was sent from another site, so nothing was changed. Open the page here and try again.';
  return reply.code(403).type('text/plain; charset=utf-8').send(words);
}

function readVisitor({ id, ip, host, headers }: FastifyRequest, reply: FastifyReply, nonce: string): Visitor {
  return {
    requestId: id,
    nonce,
    address: ip,
    host,
    cookies: headers.cookie,
    userAgent: headers['user-agent'],
    languages: headers['accept-language'],
    setCookie: (cookie) => reply.header('set-cookie', cookie),
  };
}

/** The request as the standard has it, which is what the pages are written for. */
function readRequest(request: FastifyRequest, reply: FastifyReply, baseUrl: string): Request {
  const { method, url, protocol, host, raw } = request;
  const headers = new Headers();
  for (let n = 0; n < raw.rawHeaders.length; n += 2) {
    headers.append(raw.rawHeaders[n] as string, raw.rawHeaders[n + 1] as string);
  }
  const leaving = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) leaving.abort();
  });
  const body = method === 'POST' ? new Uint8Array((request.body as Buffer | undefined) ?? []) : null;
  // What a client calls its host need not be one; then nothing of the page depends on it either.
  const address = URL.parse(`${protocol}://${host}${url}`) ?? new URL(`${baseUrl}${url}`);
  return new Request(address, { method, headers, body, signal: leaving.signal });
}
