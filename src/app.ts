import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { serveAgents } from './api/agents/route.ts';
import { errorBody, sendError, sendNotFound } from './api/errors.ts';
import { serveFiles, servePictures } from './api/files/serving.ts';
import type { Executor } from './api/graphql/execute.ts';
import { serveHealth } from './api/health.ts';
import { mailInRoutes } from './api/mail-in/route.ts';
import { refuseOtherMethods } from './api/other-methods.ts';
import { apiRoutes } from './api/routes.ts';
import { makeRunning } from './api/running.ts';
import { makeFileFolder } from './feedback/files/folder.ts';
import { Accounts } from './identity/accounts/accounts.ts';
import { findBoardByDomain } from './identity/board/board.ts';
import { queueForAccount } from './identity/team/account-mail.ts';
import { Actors } from './identity/users/actors.ts';
import type { MailInDeps } from './operations/mail-in/receiving.ts';
import { readStoreFigures } from './operations/store-figures.ts';
import { addRequestHooks, endConnection } from './pages/request-hooks.ts';
import { mayEnterBy } from './pages/visitor.ts';
import { serveWeb } from './pages/web.ts';
import type { Config } from './platform/config.ts';
import type { Db } from './platform/db/db.ts';
import { makeOwnOrigins } from './platform/http/own-origins.ts';
import { prefixOf, withoutPrefix } from './platform/http/prefix.ts';
import { httpOptions } from './platform/http/server.ts';
import type { Clock } from './platform/lib/clock.ts';
import { makeId } from './platform/lib/ids.ts';
import type { Logger } from './platform/lib/log.ts';
import type { Metrics } from './platform/metrics/metrics.ts';
import type { Sender } from './webhooks/http/sender.ts';

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
  /** Mail that comes in, and the secret for what is posted; without them no mail does. */
  mailIn?: { deps: MailInDeps; secret: string | null } | null;
};

type WebDeps = Pick<Parameters<typeof serveWeb>[1], 'pages' | 'secretKey' | 'mail' | 'maxPageAgeMs' | 'isStatic'> &
  Pick<ConstructorParameters<typeof Accounts>[0], 'signInProviders'>;

declare module 'fastify' {
  interface FastifyInstance {
    /** Saves the usage of keys; closing does so, too. */
    saveUse(): Promise<void>;
  }
}

/** Puts the parts together. The app neither listens nor closes the store: its caller does. */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const { db, clock, log, metrics, config, sender, stopping = new AbortController().signal } = deps;
  const { baseUrl, trustProxy } = config;
  const prefix = prefixOf(baseUrl);
  const app = makeInstance(prefix, log, stopping);
  const isDomain = async (host: string) => (await findBoardByDomain(db.read, host)) !== null;
  addRequestHooks(app, { baseUrl, trustProxy, log, isDomain, metrics, stopping });
  const takesWrites = async () => (await db.writeFault()) === null;
  metrics.watchStore(clock, () => readStoreFigures(db, clock), takesWrites);
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(error, request, reply, log));
  app.setNotFoundHandler((request, reply) => sendNotFound(request, reply, `${prefix}/api/v1`));
  const refuseOthers = refuseOtherMethods(app, (fault, request, reply) => reply.send(errorBody(fault, request)));
  // A worker answers no one, and needs no schema.
  const running = config.role === 'worker' ? null : makeRunning(deps);
  if (running) {
    const parts: Parts = {
      ...running,
      db,
      clock,
      log,
      metrics,
      config,
      sender,
      stopping,
      actors: new Actors(db, clock),
      folder: makeFileFolder(config.dataDir),
      origins: makeOwnOrigins(baseUrl, isDomain),
    };
    servePictures(app, parts);
    await apiRoutes(app, parts);
    const { mailIn } = deps;
    if (mailIn?.secret) {
      const { deps: receiving, secret } = mailIn;
      await app.register(async (api) => mailInRoutes(api, { ...receiving, secret }));
    }
    if (deps.web) await servePagesAndFiles(app, parts, deps.web);
    else serveFiles(app, { ...parts, mayEnter: async () => false });
  }
  serveHealth(app, { db, metrics, log, stopping });
  refuseOthers();
  app.decorate('saveUse', async () => running?.saveUse());
  app.addHook('onClose', () => app.saveUse().catch((err) => log.warn({ err }, 'The usage of API keys was not saved')));
  return app;
}

function makeInstance(prefix: string, log: Logger, stopping: AbortSignal): FastifyInstance {
  return Fastify({
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
}

/** No route has a JSON schema; Fastify would load their compiler anyway, some hundred files. */
function refuseSchemas(): never {
  throw new Error('Routes have no JSON schema here');
}

type Parts = Parameters<typeof apiRoutes>[1] & ReturnType<typeof makeRunning>;

/** Serves the pages, and the files that only those who may see a board get. */
async function servePagesAndFiles(app: FastifyInstance, parts: Parts, web: WebDeps): Promise<void> {
  const { db, clock, log, metrics, sender, stopping, config, folder, origins, gate, actors } = parts;
  const { keysChanged, requireDocuments } = parts;
  const { baseUrl, trustProxy } = config;
  const mailing = { db, clock, log, cipher: sender.cipher, baseUrl };
  const shared = { ...web, folder, sender, db, clock, log, metrics, stopping, baseUrl, trustProxy, origins };
  const accounts = new Accounts({ ...shared, sendMail: (...mail) => queueForAccount(mailing, ...mail) });
  const toVisitor = { db, clock, baseUrl, accounts };
  serveFiles(app, { db, folder, gate, actors, mayEnter: (...asked) => mayEnterBy(toVisitor, ...asked) });
  app.addHook('onClose', () => accounts.idle());
  const agents = await serveAgents(app, { db, clock, log, baseUrl, secretKey: web.secretKey, sender });
  await app.register((pages) =>
    serveWeb(pages, {
      ...shared,
      accounts,
      agents,
      keysChanged,
      requireDocuments,
      personChanged: (user) => actors.forget(user),
    }),
  );
}
