import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import './api/graphql/features.ts';
import { exportRoutes } from './api/exports/route.ts';
import { UPLOAD_PATH, uploadRoute } from './api/files/route.ts';
import { serveFiles, servePictures } from './api/files/serving.ts';
import { DryRuns } from './api/graphql/dry-run.ts';
import { Executor } from './api/graphql/execute.ts';
import { graphqlRoute } from './api/graphql/route.ts';
import { makeSchema, printSdl } from './api/graphql/schema.ts';
import { serveHealth } from './api/health.ts';
import { MCP_PATH, mcpRoute } from './api/mcp/route.ts';
import { OPENAPI_PATH, printOpenApi } from './api/openapi/document.ts';
import { refuseOtherMethods } from './api/other-methods.ts';
import { playgroundRoute } from './api/playground/playground.route.ts';
import { publish } from './api/publishing.ts';
import { reachRoute } from './api/reach/route.ts';
import { sandboxRoute } from './api/sandbox/sandbox.route.ts';
import { streamRoute } from './api/stream/route.ts';
import { Streams } from './api/stream/streams.ts';
import { webhookRoutes } from './api/webhooks/route.ts';
import { makeFileFolder } from './feedback/files/folder.ts';
import { Accounts } from './identity/accounts/accounts.ts';
import type { SendMail } from './identity/accounts/mails.ts';
import type { SignInProviders } from './identity/accounts/providers.ts';
import { findBoardByDomain } from './identity/board/board.ts';
import { Gate } from './identity/keys/gate.ts';
import { queueForAccount } from './identity/team/account-mail.ts';
import { Actors } from './identity/users/actors.ts';
import type { UserRow } from './identity/users/users.ts';
import { SandboxBudget } from './operations/boards/budget.ts';
import { makeReachWatch } from './operations/reach/watch.ts';
import { readStoreFigures } from './operations/store-figures.ts';
import { kindOfPage, kindOfRoute } from './pages/kinds.ts';
import type { Pages } from './pages/pages.ts';
import type { MailSettings } from './pages/visit.ts';
import { mayEnterBy, serveWeb } from './pages/web.ts';
import type { Config } from './platform/config.ts';
import { type Db, StoreUnavailableError } from './platform/db/db.ts';
import { AppError, errorCatalogue, statusOf, UnsupportedBodyError } from './platform/errors.ts';
import { makeAddressReader } from './platform/http/address.ts';
import { allowAnyOrigin } from './platform/http/any-origin.ts';
import { addConnectionHooks } from './platform/http/connections.ts';
import { makeOwnOrigins } from './platform/http/own-origins.ts';
import { prefixOf, withoutPrefix } from './platform/http/prefix.ts';
import { httpOptions } from './platform/http/server.ts';
import { type Clock, SECOND_MS } from './platform/lib/clock.ts';
import { isId, makeId } from './platform/lib/ids.ts';
import type { Logger } from './platform/lib/log.ts';
import { makeMemoryRateLimiter, makeSharedRateLimiter } from './platform/limits/rate-limit.ts';
import type { Metrics } from './platform/metrics/metrics.ts';
import type { Sender } from './webhooks/http/sender.ts';

/** When to retry after a 503: a store that restarts or fails over is back within seconds. */
const RETRY_AFTER_SECONDS = '5';

export type AppDeps = {
  db: Db;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  config: Pick<Config, 'baseUrl' | 'trustProxy' | 'role' | 'sandbox' | 'dataDir'>;
  sender: Sender;
  /** Prepares operations; apps of one process can share it. */
  executor?: Executor;
  /** The web pages, the key that their sessions are signed with, and mail; without them the app is the API alone. */
  web?: WebDeps | null;
  /** Aborted when the process is asked to stop: `/readyz` reports it. */
  stopping?: AbortSignal;
};

type WebDeps = {
  pages: Pages;
  secretKey: string;
  mail: MailSettings;
  signInProviders: SignInProviders;
  /** How old a page may be for visitors without a session. */
  maxPageAgeMs: number;
  /** Whether the pages are for an export, see `Visit`. */
  isStatic?: boolean;
};

declare module 'fastify' {
  interface FastifyInstance {
    /** Saves the usage of keys; closing does so, too. */
    saveUse(): Promise<void>;
  }
}

/** Puts the parts together. The app neither listens nor closes the store: its caller does. */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const { db, clock, log, metrics, config, sender, stopping = new AbortController().signal } = deps;
  const prefix = prefixOf(config.baseUrl);
  const limiter = db.engine === 'postgres' ? makeSharedRateLimiter(db) : makeMemoryRateLimiter();
  const gate = new Gate(db, clock, limiter);
  const actors = new Actors(db, clock);
  const app: FastifyInstance = Fastify({
    genReqId: makeId,
    routerOptions: { ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
    // While the server stops, a request on an open connection is still served, and the connection is then closed.
    return503OnClosing: false,
    ...httpOptions,
    rewriteUrl: ({ url = '/' }) => withoutPrefix(url, prefix),
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    frameworkErrors: (error, request, reply) => {
      // No hook runs for these.
      endConnection(request, reply, stopping);
      request.raw.resume();
      sendError(error, request, reply.header('x-request-id', request.id), log);
    },
    logger: false,
  });
  addConnectionHooks(app);
  const readAddress = makeAddressReader(config.trustProxy);
  app.decorateRequest('address', {
    getter() {
      return readAddress(this.raw);
    },
  });
  const { baseUrl, trustProxy } = config;
  const isDomain = async (host: string) => (await findBoardByDomain(db.read, host)) !== null;
  const origins = makeOwnOrigins(baseUrl, isDomain);
  const watch = makeReachWatch({ baseUrl, trustProxy, log, isDomain });
  app.addHook('onRequest', (request, reply, done) => {
    watch.look(request);
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    endConnection(request, reply, stopping);
    if (reply.statusCode === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', RETRY_AFTER_SECONDS);
    done(null, payload);
  });
  if (log.isLevelEnabled('debug')) logRequests(app, log);
  countAnswers(app, metrics);
  const takesWrites = async () => (await db.writeFault()) === null;
  metrics.watchStore(clock, () => readStoreFigures(db, clock), takesWrites);
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(error, request, reply, log));
  app.setNotFoundHandler((request, reply) => sendNotFound(request, reply, `${prefix}/api/v1`));
  const refuseOthers = refuseOtherMethods(app, (fault, request, reply) => reply.send(errorBody(fault, request)));
  if (config.role !== 'worker') {
    const folder = makeFileFolder(config.dataDir);
    servePictures(app, { db, folder });
    const reading = { db, clock, log, baseUrl: config.baseUrl, gate, actors };
    const streams = new Streams({ ...reading, metrics, stopping });
    const executor = deps.executor ?? new Executor(makeSchema());
    const running = { executor, budget: new SandboxBudget(db), dryRuns: new DryRuns() };
    const operating = { ...reading, ...running, cipher: sender.cipher, metrics, streams };
    await app.register(async (api) => {
      allowAnyOrigin(api, { '/api/v1/graphql': 'GET, POST' });
      await graphqlRoute(api, operating);
    });
    await app.register(async (api) => {
      // Agents ask with the other methods whether there is more to the protocol here: pages must be able to read the no.
      allowAnyOrigin(api, { [MCP_PATH]: 'GET, POST, DELETE' });
      mcpRoute(api, operating);
    });
    await app.register(async (api) => {
      allowAnyOrigin(api, { [UPLOAD_PATH]: 'POST' });
      await uploadRoute(api, { db, clock, baseUrl: config.baseUrl, folder, gate, actors });
    });
    await app.register(async (api) => streamRoute(api, { clock, gate, streams }));
    await app.register(async (api) => exportRoutes(api, reading));
    await app.register(async (api) => webhookRoutes(api, { ...reading, sender }));
    publish(app, '/api/v1/schema.graphql', 'application/graphql', () => printSdl(executor.schema));
    publish(app, OPENAPI_PATH, 'application/json', () => printOpenApi(prefix));
    await app.register(async (api) => reachRoute(api, { clock, cipher: sender.cipher, baseUrl, trustProxy }));
    playgroundRoute(app, config);
    sandboxRoute(app, { db, clock, sender, origins, baseUrl: config.baseUrl, isOn: config.sandbox });
    if (deps.web) {
      const mailing = { db, clock, log, cipher: sender.cipher, baseUrl: config.baseUrl };
      const sendMail: SendMail = (...mail) => queueForAccount(mailing, ...mail);
      const shared = { ...deps.web, folder, sender, db, clock, log, baseUrl, trustProxy, origins };
      const accounts = new Accounts({ ...shared, sendMail });
      const toVisitor = { db, clock, baseUrl: config.baseUrl, accounts };
      serveFiles(app, { db, folder, gate, actors, mayEnter: (...asked) => mayEnterBy(toVisitor, ...asked) });
      app.addHook('onClose', () => accounts.idle());
      const keysChanged = () => gate.forget();
      const personChanged = (user: UserRow) => actors.forget(user);
      await app.register((web) => serveWeb(web, { ...shared, accounts, keysChanged, personChanged }));
    } else serveFiles(app, { db, folder, gate, actors, mayEnter: async () => false });
  }
  serveHealth(app, { db, metrics, log, stopping });
  refuseOthers();
  app.decorate('saveUse', () => gate.saveUse());
  app.addHook('onClose', () => app.saveUse().catch((err) => log.warn({ err }, 'The usage of API keys was not saved')));
  return app;
}

/**
 * A client that learns from a response that its connection ends sends nothing into a closed one. Connections end once a
 * stopping server has closed its port; before, each that ended would be followed by a new one, and closing the port can
 * lose one that the kernel has just accepted. They also end if the request has not: HAProxy 2.6 would send the next
 * visitor's request on it, to be taken for the rest of the body.
 */
function endConnection({ raw, server }: FastifyRequest, reply: FastifyReply, stopping: AbortSignal): void {
  const isClosed = stopping.aborted && !server.server.listening;
  if (isClosed || raw.complete === false) reply.header('connection', 'close');
}

/** No route has a JSON schema; Fastify would load their compiler anyway, some hundred files. */
function refuseSchemas(): never {
  throw new Error('Routes have no JSON schema here');
}

function logRequests(app: FastifyInstance, log: Logger): void {
  app.addHook('onResponse', async ({ id, method, url, address }, reply) => {
    const path = withoutTokens(url.split('?')[0] ?? '');
    log.debug({ requestId: id, method, path, ip: address, status: reply.statusCode, ms: reply.elapsedTime }, 'request');
  });
}

/** Counts the responses of every route except the API, which counts its own. */
function countAnswers(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onRoute', (route) => {
    if (route.url === '/api/v1/graphql') return;
    const kind = kindOfRoute(route.url);
    route.onResponse = (request, reply, done) => {
      const name = kind ?? kindOfPage(request.url.split('?', 1)[0] ?? '');
      metrics.countAnswer(name, reply.statusCode, reply.elapsedTime / SECOND_MS);
      done();
    };
  });
}

/** A URL may grant access: mailed links and files have their tokens in it. Ids stay. */
function withoutTokens(path: string): string {
  return path.replace(/[^/]{20,}/g, (segment) => (isId(segment) ? segment : '…'));
}

function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply, log: Logger): FastifyReply {
  const fault = asAppError(error);
  if (errorCatalogue[fault.code] >= 500) log.error({ requestId: request.id, err: error }, fault.message);
  // The intended response may have had its own type, and may be saved or cached; as a string, this one is sent
  // unchanged.
  reply.removeHeader('content-disposition').header('cache-control', 'no-store').type('application/json; charset=utf-8');
  return reply.code(statusOf(fault)).send(JSON.stringify(errorBody(fault, request)));
}

function asAppError(error: FastifyError): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof StoreUnavailableError)
    return new AppError('SERVICE_UNAVAILABLE', `${error.message}. Try again later`);
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new UnsupportedBodyError('Content-Type is no media type, such as application/json', 'content-type');
  }
  if (error.statusCode && error.statusCode < 500) return new AppError('BAD_REQUEST', error.message);
  return new AppError('INTERNAL_SERVER_ERROR', 'Internal server error');
}

function sendNotFound(request: FastifyRequest, reply: FastifyReply, api: string): FastifyReply {
  const places = `the GraphQL API is at POST ${api}/graphql, its schema at GET ${api}/schema.graphql, a playground at GET ${api}/playground, and GET ${api}/openapi.json describes all else`;
  const fault = `There is nothing at ${request.method} ${request.originalUrl.split('?')[0]}: ${places}`;
  return reply.code(404).send(errorBody(new AppError('NOT_FOUND', fault), request));
}

function errorBody({ message, extensions }: AppError, request: FastifyRequest) {
  return { errors: [{ message, extensions: { ...extensions, requestId: request.id } }] };
}
