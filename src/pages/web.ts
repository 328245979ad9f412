import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BoardRow } from '../identity/board/board.ts';
import { ImportJobs } from '../operations/imports/job-runner.ts';
import { PublishedKeys } from '../operations/sso/published-keys.ts';
import { StoreUnavailableError } from '../platform/db/db.ts';
import { serveBuiltFiles } from '../platform/http/built-files.ts';
import { networkOf } from '../platform/http/ip.ts';
import { isFromOurPages } from '../platform/http/own-pages.ts';
import { annotate } from '../platform/lib/spans.ts';
import { chooseEncoding, compressResponse } from './compression.ts';
import { Crowd } from './crowd.ts';
import { fillJar, findEmbed, fullAddress } from './embedding.ts';
import { readBody } from './form-body.ts';
import { takeImports } from './import-upload.ts';
import { kindOfPage } from './kinds.ts';
import { NetworkLimit, PICTURES, SEARCHES } from './network-limit.ts';
import { PageCache, readShared, type SharedRequest } from './page-cache.ts';
import type { Pages } from './pages.ts';
import { People } from './people.ts';
import { FROM_ELSEWHERE, Refusal } from './refusal.ts';
import { isArriving, readRequest } from './request.ts';
import { nonceSources, pagePolicy, sendSecurityHeaders } from './security.ts';
import { makeVisit, type VisitDeps, type Visitor } from './visit.ts';
import { widgetRoute } from './widget.ts';

/** Paths that are not pages: unknown ones among them get the API's response. */
const NO_PAGES = /^\/(api|healthz|readyz|metrics)(\/|$)/;
/** Where mail providers unsubscribe users (RFC 8058). The token in the path is the right to do so; cookies add none. */
const ONE_CLICK = /^\/email\/v1\.[\w-]+$/;
/** The methods that pages accept. */
const METHODS = ['GET', 'HEAD', 'POST'];
/** When to request a page again while the store is unavailable. */
const RETRY_AFTER_S = 5;

/** Serves the pages and their files, at every path that nothing else handles. */
export async function serveWeb(
  app: FastifyInstance,
  deps: Omit<VisitDeps, 'limits' | 'published' | 'imports' | 'clientFolder'> & { pages: Pages; maxPageAgeMs: number },
): Promise<void> {
  const { pages } = deps;
  const isSecure = deps.baseUrl.startsWith('https:');
  const crowd = new Crowd();
  const cache = new PageCache(deps.clock, deps.maxPageAgeMs);
  const limits = {
    searches: new NetworkLimit(deps.clock, SEARCHES),
    pictures: new NetworkLimit(deps.clock, PICTURES),
  };
  const published = new PublishedKeys(deps.sender, deps.clock);
  const imports = new ImportJobs(deps.folder, deps.log, deps.sender);
  app.addHook('onClose', () => imports.stop());
  const shared = { limits, published, imports, clientFolder: pages.clientFolder };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', ({ headers }: FastifyRequest, payload: IncomingMessage) =>
    readBody(headers['content-type'] ?? '', Number(headers['content-length']), payload),
  );
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const { status, words } = explain(error);
    if (error instanceof Refusal && status >= 500) deps.log.warn({ requestId: request.id }, words);
    else if (status >= 500) deps.log.error({ requestId: request.id, err: error }, 'A page failed');
    if (status === 503) reply.header('retry-after', RETRY_AFTER_S);
    return reply.code(status).type('text/plain; charset=utf-8').send(`${words} Request id: ${request.id}`);
  });
  const findUser = (...[request, reply, board]: BoardRequest) => peopleOf(deps, request, reply).on(board);
  await app.register((scope) => takeImports(scope, { ...deps, imports, findUser }));
  await app.register(async (scope) => widgetRoute(scope));
  if (pages.clientFolder) serveBuiltFiles(app, pages.clientFolder);
  const { developmentServer } = pages;
  if (developmentServer) app.addHook('onRequest', ({ raw }, reply, done) => developmentServer(raw, reply.raw, done));
  app.route({
    method: METHODS,
    url: '/*',
    async handler(request, reply) {
      if (isNoPage(request)) return reply.callNotFound();
      const address = fullAddress(request.url);
      if (address !== null) return reply.redirect(address);
      annotate({ 'earshot.page': kindOfPage(request.url.split('?', 1)[0] ?? '') });
      reply.header('cache-control', 'private, no-store');
      const accepted = request.headers['accept-encoding'];
      const common = developmentServer ? null : readShared(request);
      const answer = common
        ? await cache.respond(common, () => render(request, reply, common))
        : (await render(request, reply, null)).response;
      if (!(answer instanceof Response)) {
        sendSecurityHeaders(reply, answer.policy, isSecure);
        const encoding = chooseEncoding(accepted, true);
        reply.headers(answer.headers).header('vary', 'accept-encoding');
        if (encoding) reply.header('content-encoding', encoding);
        return reply.send(await answer.encode(encoding));
      }
      if (answer.status === 503) reply.header('retry-after', RETRY_AFTER_S);
      if (answer.status === 405 && !answer.headers.has('allow')) reply.header('allow', 'GET, HEAD');
      return reply.send(await compressResponse(answer, chooseEncoding(accepted, false)));
    },
  });
  /** Renders a page for one visitor, or from what all without a session have in common. */
  async function render(request: FastifyRequest, reply: FastifyReply, common: SharedRequest | null) {
    const nonce = randomBytes(16).toString('base64url');
    const embed = await findEmbed(deps.db.read, request);
    const policy = pagePolicy(nonceSources(nonce), developmentServer !== null, embed?.origins);
    sendSecurityHeaders(reply, policy, isSecure);
    const asked = readRequest(request, reply, deps.baseUrl);
    const cookies: string[] = [];
    if (embed) {
      reply.removeHeader('x-frame-options').header('x-robots-tag', 'noindex');
      asked.headers.set('cookie', embed.jar);
    }
    // React Router checks the origin as well, which a mail program in a browser sends.
    if (request.method === 'POST' && ONE_CLICK.test(request.url)) asked.headers.delete('origin');
    else if (request.method === 'POST' && !isFromOurPages(request)) throw new Refusal(403, FROM_ELSEWHERE);
    const visitor = {
      ...readVisitor(request, reply, nonce),
      ...(common && withoutPerson(common)),
      ...(embed && { embed, cookies: embed.jar, setCookie: (cookie: string) => cookies.push(cookie) }),
    };
    const db = common ? { ...deps.db, read: deps.db.shared } : deps.db;
    const visit = makeVisit({ ...deps, ...shared, db }, visitor);
    const response = await crowd.within(networkOf(request.ip), async () =>
      (await pages.load())(common ? toRequest(common) : asked, visit),
    );
    if (embed) fillJar(response, cookies);
    return { response, nonce, isPersonal: reply.hasHeader('set-cookie') };
  }
  app.route({
    method: app.supportedMethods.filter((method) => !METHODS.includes(method)),
    url: '/*',
    handler(request, reply) {
      if (isNoPage(request)) return reply.callNotFound();
      reply.header('allow', METHODS.join(', '));
      throw new Refusal(405, `Pages accept only ${METHODS.join(', ')}.`);
    },
  });
}

function isNoPage({ url }: FastifyRequest): boolean {
  return NO_PAGES.test(url.split('?', 1)[0] ?? '');
}

/** What went wrong, for the client. */
function explain(error: FastifyError): { status: number; words: string } {
  if (error instanceof Refusal) return { status: error.statusCode, words: error.message };
  if (error instanceof StoreUnavailableError) return { status: 503, words: `${error.message}. Try again later.` };
  const status = error.statusCode ?? 500;
  return { status, words: status < 500 ? 'This request cannot be read.' : 'Something went wrong.' };
}

/** A request that says no more than what visitors have in common. It ends with no connection: others wait for it, too. */
function toRequest({ url, cookies, languages }: SharedRequest): Request {
  return new Request(url, { headers: { 'accept-language': languages, cookie: cookies } });
}

/** Likewise the visitor. */
function withoutPerson({ cookies, languages, isArriving }: SharedRequest) {
  return { cookies, languages, isArriving, userAgent: undefined };
}

type PeopleDeps = Pick<VisitDeps, 'db' | 'clock' | 'baseUrl' | 'accounts'>;
type BoardRequest = [request: FastifyRequest, reply: FastifyReply, board: BoardRow];

/** Whether the sender of a request may see a board, for files that browsers load besides pages. */
export function mayEnterBy(deps: PeopleDeps, ...[request, reply, board]: BoardRequest): Promise<boolean> {
  return peopleOf(deps, request, reply).mayEnter(board);
}

function peopleOf(deps: PeopleDeps, request: FastifyRequest, reply: FastifyReply): People {
  const visitor = readVisitor(request, reply, '');
  return new People(deps, visitor, deps.accounts.of(visitor));
}

function readVisitor({ id, ip, host, headers, method }: FastifyRequest, reply: FastifyReply, nonce: string): Visitor {
  return {
    requestId: id,
    isForm: method === 'POST',
    isArriving: isArriving(headers),
    nonce,
    address: ip,
    host,
    cookies: headers.cookie,
    userAgent: headers['user-agent'],
    languages: headers['accept-language'],
    embed: null,
    setCookie: (cookie) => reply.header('set-cookie', cookie),
  };
}
