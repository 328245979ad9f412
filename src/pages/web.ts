import type { IncomingMessage } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BoardRow } from '../identity/board/board.ts';
import { ImportJobs } from '../operations/imports/job-runner.ts';
import { PublishedKeys } from '../operations/sso/published-keys.ts';
import { StoreUnavailableError } from '../platform/db/db.ts';
import { statusOf, UnsupportedBodyError } from '../platform/errors.ts';
import { serveBuiltFiles } from '../platform/http/built-files.ts';
import { networkOf } from '../platform/http/ip.ts';
import type { OwnOrigins } from '../platform/http/own-origins.ts';
import { prefixOf } from '../platform/http/prefix.ts';
import type { Logger } from '../platform/lib/log.ts';
import { annotate } from '../platform/lib/spans.ts';
import { NetworkLimit, PICTURES, SEARCHES } from '../platform/limits/network-limit.ts';
import { type Holding, Shares } from '../platform/limits/shares.ts';
import { serveManifest, widgetRoute } from './assets.ts';
import { chooseEncoding, compressResponse, VARIES_BY } from './compression.ts';
import { Crowd } from './crowd.ts';
import { fillJar, findEmbed, fullAddress } from './embedding.ts';
import { readBody } from './form-body.ts';
import { takeImports } from './import-upload.ts';
import { kindOfPage } from './kinds.ts';
import { liveRoute } from './live/route.ts';
import { type CachedPage, PageCache, type Rendered, readShared, type SharedRequest } from './page-cache.ts';
import type { Pages } from './pages.ts';
import { FROM_ELSEWHERE, Refusal } from './refusal.ts';
import { readRequest, requirePageUrl } from './request.ts';
import { makeNonce, nonceSources, pagePolicy, sendSecurityHeaders } from './security.ts';
import { makeVisit, type Visit, type VisitDeps } from './visit.ts';
import { markPage, peopleOf, readVisitor } from './visitor.ts';

/** Paths that are not pages, however a base URL was joined with them: unknown ones get the API's response. */
const NO_PAGES = /^\/+(api|healthz|readyz|metrics)(\/|$)/i;
/** Where mail providers unsubscribe users (RFC 8058). The token in the path is the right to do so; cookies add none. */
const ONE_CLICK = /^\/email\/(?:end\/)?v1\.[\w-]+$/;
/** The methods that pages accept. */
const METHODS = ['GET', 'HEAD', 'POST'];
/** When to request a page again while the store is unavailable. */
const RETRY_AFTER_S = 5;
/** Bytes of forms that are not yet answered. */
const FORMS_AT_A_TIME = { all: 64 * 1_048_576, network: 8 * 1_048_576 };

type WebDeps = Omit<VisitDeps, 'limits' | 'published' | 'imports' | 'clientFolder' | 'prefix'> &
  Parameters<typeof liveRoute>[1] & {
    pages: Pages;
    origins: OwnOrigins;
    /** How old a page may be for visitors without a session. */
    maxPageAgeMs: number;
  };

/** Serves the pages and their files, at every path that nothing else handles. */
export async function serveWeb(app: FastifyInstance, deps: WebDeps): Promise<void> {
  const { clientFolder, developmentServer } = deps.pages;
  const imports = new ImportJobs(deps.folder, deps.log, deps.sender);
  app.addHook('onClose', () => imports.stop());
  app.removeAllContentTypeParsers();
  takeForms(app);
  app.setErrorHandler((error: FastifyError, request, reply) => sendFailure(deps.log, error, request, reply));
  const findUser = (request: FastifyRequest, reply: FastifyReply, board: BoardRow) =>
    peopleOf(deps, request, reply).on(board);
  await app.register((scope) => takeImports(scope, { ...deps, imports, findUser }));
  await app.register(async (scope) => widgetRoute(scope));
  liveRoute(app, deps);
  if (clientFolder) serveBuiltFiles(app, clientFolder);
  const prefix = prefixOf(deps.baseUrl);
  if (clientFolder && prefix !== '') serveManifest(app, clientFolder, prefix);
  if (developmentServer) app.addHook('onRequest', ({ raw }, reply, done) => developmentServer(raw, reply.raw, done));
  servePages(app, { ...deps, prefix }, imports);
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

/** Forms are read whole, and anyone may send them, so their memory is shared out until they are answered. */
function takeForms(app: FastifyInstance): void {
  const shares = new Shares(FORMS_AT_A_TIME);
  const holdings = new WeakMap<FastifyRequest, Holding>();
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { raw, address, method } = request;
    if (method === 'POST') {
      const isIdle = () => !raw.complete;
      const holding = shares.hold({ network: networkOf(address), isIdle, lose: () => raw.destroy() });
      holdings.set(request, holding);
      reply.raw.once('close', () => holding.release());
    }
    done(null, payload);
  });
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
    readBody(request.headers, payload, holdings.get(request)),
  );
}

function servePages(app: FastifyInstance, deps: WebDeps & { prefix: string }, imports: ImportJobs): void {
  const { clock, sender, pages } = deps;
  const limits = { searches: new NetworkLimit(clock, SEARCHES), pictures: new NetworkLimit(clock, PICTURES) };
  const published = new PublishedKeys(sender, clock);
  const { origin, protocol } = new URL(deps.baseUrl);
  const baseUrl = origin + deps.prefix;
  const isSecure = protocol === 'https:';
  const renderer = makeRenderer({ ...deps, limits, published, imports, clientFolder: pages.clientFolder }, pages, {
    baseUrl,
    isSecure,
  });
  const cache = new PageCache(clock, deps.maxPageAgeMs);
  app.route({
    method: METHODS,
    url: '/*',
    async handler(request, reply) {
      if (isNoPage(request)) return reply.callNotFound();
      const address = fullAddress(request.url);
      if (address !== null) return reply.redirect(deps.prefix + address);
      annotate({ 'earshot.page': kindOfPage(request.url.split('?', 1)[0] ?? '') });
      reply.header('cache-control', 'private, no-store');
      const accepted = request.headers['accept-encoding'];
      const common = pages.developmentServer ? null : readShared(request, baseUrl);
      if (!common) return sendPage(reply, await renderer.forVisitor(request, reply), accepted);
      await markPage(reply, null);
      const page = await cache.respond(common, () => renderer.forAll(request, reply, common));
      if (page instanceof Response) return sendPage(reply, page, accepted);
      sendSecurityHeaders(reply, page.policy, isSecure);
      return sendShared(reply, page, accepted);
    },
  });
}

/** Makes what renders pages. It sets the security headers first: an error has them, too. */
function makeRenderer(
  deps: VisitDeps & Pick<WebDeps, 'origins'>,
  pages: Pages,
  { baseUrl, isSecure }: { baseUrl: string; isSecure: boolean },
) {
  const { db } = deps;
  const crowd = new Crowd();
  const allow = (reply: FastifyReply, nonce: string, origins?: readonly string[]) =>
    sendSecurityHeaders(reply, pagePolicy(nonceSources(nonce), pages.developmentServer !== null, origins), isSecure);
  const respond = (request: FastifyRequest, asked: Request, visit: Visit) =>
    crowd.within(networkOf(request.address), async () => (await pages.load())(asked, visit));
  /** @throws Refusal for a form that another site sends, except what mail providers send */
  const requireOurPages = async (request: FastifyRequest) => {
    if (request.method !== 'POST' || ONE_CLICK.test(request.url) || (await deps.origins.sent(request))) return;
    throw new Refusal(403, FROM_ELSEWHERE);
  };
  return {
    /** For one visitor. */
    async forVisitor(request: FastifyRequest, reply: FastifyReply): Promise<Response> {
      const nonce = makeNonce();
      const embed = await findEmbed(db.read, request);
      allow(reply, nonce, embed?.origins);
      const asked = readRequest(request, reply, baseUrl);
      const visitor = readVisitor(request, reply, nonce);
      if (embed) reply.removeHeader('x-frame-options').header('x-robots-tag', 'noindex');
      await requireOurPages(request);
      if (!embed) {
        const visit = makeVisit(deps, visitor);
        const response = await respond(request, asked, visit);
        if (response.status < 500) await markPage(reply, visit.people);
        return response;
      }
      asked.headers.set('cookie', embed.jar);
      const cookies: string[] = [];
      const framed = { embed, cookies: embed.jar, setCookie: (cookie: string) => cookies.push(cookie) };
      const response = await respond(request, asked, makeVisit(deps, { ...visitor, ...framed }));
      fillJar(response, cookies);
      return response;
    },
    /** From what all visitors without a session have in common. */
    async forAll(request: FastifyRequest, reply: FastifyReply, common: SharedRequest): Promise<Rendered> {
      const nonce = makeNonce();
      allow(reply, nonce);
      requirePageUrl(request, baseUrl);
      const visitor = { ...readVisitor(request, reply, nonce), ...withoutPerson(common) };
      const visit = makeVisit({ ...deps, db: { ...db, read: db.shared } }, visitor);
      const response = await respond(request, toRequest(common), visit);
      return { response, nonce, isPersonal: reply.hasHeader('set-cookie') };
    },
  };
}

/** Sends a page that was rendered for one visitor. */
async function sendPage(reply: FastifyReply, page: Response, accepted: string | undefined): Promise<FastifyReply> {
  if (page.status === 503) reply.header('retry-after', RETRY_AFTER_S);
  if (page.status === 405 && !page.headers.has('allow')) reply.header('allow', 'GET, HEAD');
  return reply.send(await compressResponse(page, chooseEncoding(accepted, false)));
}

/** Sends a page that many visitors get. */
async function sendShared(reply: FastifyReply, page: CachedPage, accepted: string | undefined): Promise<FastifyReply> {
  const encoding = chooseEncoding(accepted, true);
  reply.headers(page.headers).header('vary', VARIES_BY);
  if (encoding) reply.header('content-encoding', encoding);
  return reply.send(await page.encode(encoding));
}

function sendFailure(log: Logger, error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, words } = explain(error);
  if (error instanceof Refusal && status >= 500) log.warn({ requestId: request.id }, words);
  else if (status >= 500) log.error({ requestId: request.id, err: error }, 'A page failed');
  if (status === 503) reply.header('retry-after', RETRY_AFTER_S);
  return reply.code(status).type('text/plain; charset=utf-8').send(`${words} Request id: ${request.id}`);
}

function isNoPage({ url }: FastifyRequest): boolean {
  return NO_PAGES.test(url.split('?', 1)[0] ?? '');
}

/** What went wrong, for the client. */
function explain(error: FastifyError): { status: number; words: string } {
  if (error instanceof Refusal) return { status: error.statusCode, words: error.message };
  if (error instanceof UnsupportedBodyError) return { status: statusOf(error), words: `${error.message}.` };
  if (error instanceof StoreUnavailableError) return { status: 503, words: `${error.message}. Try again later.` };
  const status = error.statusCode ?? 500;
  return { status, words: status < 500 ? 'This request cannot be read.' : 'Something went wrong.' };
}

/** A request that says no more than what visitors have in common. It ends with no connection: others wait for it, too. */
function toRequest({ url, cookies }: SharedRequest): Request {
  return new Request(url, { headers: { cookie: cookies } });
}

/** A visitor with no more than what visitors have in common. */
function withoutPerson({ cookies, language, isArriving }: SharedRequest) {
  return { cookies, language, isArriving, userAgent: undefined };
}
