import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext } from '../../identity/users/request-context.ts';
import { AppError, forbidden, notFound } from '../../platform/errors.ts';
import { networkOf } from '../../platform/http/ip.ts';
import type { OwnOrigins } from '../../platform/http/own-origins.ts';
import { prefixOf } from '../../platform/http/prefix.ts';
import { MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import { Lane } from '../../platform/lib/lane.ts';
import type { Sender } from '../../webhooks/http/sender.ts';
import { makeToolPage, sendNotice } from '../playground/page.ts';
import { connectInbox, type Inbox, listRequests, makeInbox, sandboxSecrets } from './inbox.ts';
import {
  endSandbox,
  findSandbox,
  makeSandbox,
  SANDBOX_IDLE_MS,
  type Sandbox,
  type SandboxDeps,
  sandboxVisitor,
  touchSandbox,
} from './sandbox.ts';

/** What the sandbox is made of. */
type SandboxRouteOptions = SandboxDeps & {
  sender: Sender;
  origins: OwnOrigins;
  /** Whether visitors may create sandboxes. */
  isOn: boolean;
};

type SandboxRouteDeps = SandboxRouteOptions & {
  inbox: Inbox;
  /** Creating a sandbox takes 30 ms, most of it in one turn of the event loop, so one at a time. */
  lane: Lane;
};

const PATH = '/api/v1/sandbox';
const COOKIE = 'earshot_sandbox';

/** Serves the sandbox at `/api/v1/sandbox`. */
export function sandboxRoute(app: FastifyInstance, options: SandboxRouteOptions): void {
  const inbox = makeInbox(options.db, options.clock, options.baseUrl);
  const deps: SandboxRouteDeps = { ...options, inbox, lane: new Lane(1) };
  if (!deps.isOn) {
    app.get(PATH, (_, reply) => sendNotice(reply, 404, 'Sandbox', 'The sandbox is turned off on this server.'));
    return;
  }
  const prefix = prefixOf(deps.baseUrl);
  const sendPage = makeToolPage(
    { title: 'API sandbox', source: 'sandbox/main.tsx', withoutScript: 'The sandbox needs JavaScript.' },
    prefix,
  );
  app.get(PATH, sendPage);
  app.register(async (own) => {
    own.addHook('onRequest', async (request, reply) => {
      const isOurs = await deps.origins.sent(request, true);
      if (!isOurs) throw forbidden('Sandboxes can be created only on their own page');
      reply.header('cache-control', 'no-store');
    });
    own.post(`${PATH}/board`, (request, reply) => openSandbox(deps, request, reply));
    own.delete(`${PATH}/board`, async (request, reply) => {
      await endSandbox(deps.db, (await requireSandbox(deps, request)).board.id);
      return reply.code(204).send();
    });
    own.get<{ Querystring: { after?: string } }>(`${PATH}/requests`, async (request) => {
      const sandbox = await sandboxOf(deps, request);
      if (!sandbox) return { requests: null }; // an error would appear in the console of the requesting page
      const requests = await listRequests(deps.db.read, sandbox.board.id, request.query.after ?? '');
      return { requests: requests.map(showRequest) };
    });
  });
}

/** Returns the visitor's sandbox, creating it on the first visit: by POST, so that crawlers create none. */
async function openSandbox(deps: SandboxRouteDeps, request: FastifyRequest, reply: FastifyReply) {
  const existing = await sandboxOf(deps, request);
  if (existing) {
    await touchSandbox(deps, existing);
    return showSandbox(deps, existing);
  }
  return deps.lane.within(() => openNew(deps, request, reply));
}

async function openNew(deps: SandboxRouteDeps, request: FastifyRequest, reply: FastifyReply) {
  const made = await makeSandbox(deps, networkOf(request.address));
  if ('retryAfterMs' in made) {
    const retryAfter = Math.ceil(made.retryAfterMs / SECOND_MS);
    reply.header('retry-after', String(retryAfter));
    throw new AppError('SERVICE_UNAVAILABLE', 'All sandboxes are in use', { retryAfter });
  }
  const context: RequestContext = { ...deps, board: made.board };
  reply.header('set-cookie', cookieFor(deps.baseUrl, made.key));
  await connectInbox(context, deps.sender, deps.inbox);
  return reply.code(201).send(await showSandbox(deps, made));
}

async function showSandbox({ db, inbox }: SandboxRouteDeps, { board, key }: Sandbox) {
  const posts = db.read.selectFrom('posts').select('id').where('board_id', '=', board.id);
  const post = await posts.where('date_deleted', 'is', null).orderBy('hot', 'desc').limit(1).executeTakeFirst();
  return {
    headers: { apikey: key, ssotype: sandboxVisitor.ssoType, ssoid: sandboxVisitor.ssoId },
    postId: post?.id ?? null,
    webhook: { url: inbox.urlOf(board.id), ...sandboxSecrets },
    idleMinutes: SANDBOX_IDLE_MS / MINUTE_MS,
  };
}

function showRequest({
  id,
  method,
  url,
  headers,
  body,
  status,
  date_received,
}: Awaited<ReturnType<typeof listRequests>>[number]) {
  return {
    id,
    method,
    url,
    headers: JSON.parse(headers),
    body,
    status,
    receivedAt: new Date(date_received).toISOString(),
  };
}

async function requireSandbox(deps: SandboxRouteDeps, request: FastifyRequest): Promise<Sandbox> {
  const sandbox = await sandboxOf(deps, request);
  if (!sandbox) throw notFound('Sandbox');
  return sandbox;
}

async function sandboxOf(deps: SandboxRouteDeps, { headers }: FastifyRequest): Promise<Sandbox | null> {
  const key = new RegExp(`(?:^|; *)${COOKIE}=([^;]+)`).exec(headers.cookie ?? '')?.[1];
  return key === undefined ? null : findSandbox(deps.db.read, key);
}

function cookieFor(baseUrl: string, key: string): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${COOKIE}=${key}; Path=${prefixOf(baseUrl)}${PATH}; HttpOnly; SameSite=Lax${secure}`;
}
