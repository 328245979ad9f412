import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendRefusal } from '../../identity/keys/request.ts';
import { AgentSignIn } from '../../operations/agents/agents.ts';
import { readMetadata } from '../../operations/agents/metadata.ts';
import { AGENT_PATHS, SCOPES } from '../../operations/agents/paths.ts';
import { AppError, badRequest, statusOf } from '../../platform/errors.ts';
import { allowAnyOrigin } from '../../platform/http/any-origin.ts';
import { readBytes, readJson } from '../../platform/http/body.ts';
import { networkOf } from '../../platform/http/ip.ts';
import { prefixOf } from '../../platform/http/prefix.ts';
import { type Clock, HOUR_MS, MINUTE_MS } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { NetworkLimit } from '../../platform/limits/network-limit.ts';

type Deps = { clock: Clock; log: Logger; baseUrl: string; agents: AgentSignIn };

/** Bytes of a request, and characters of all that a client asks for in an address. */
const MAX_BYTES = 16_384;
const MAX_ASKED = 4_000;

/** What one network may ask for: agents of a whole office are behind one address. */
const REGISTRATIONS = { most: 60, windowMs: HOUR_MS };
const REQUESTS = { most: 300, windowMs: MINUTE_MS };

/** Serves the sign-in of agents: what they look up, register and exchange for tokens. @returns what lets their owners decide */
export async function serveAgents(
  app: FastifyInstance,
  deps: ConstructorParameters<typeof AgentSignIn>[0],
): Promise<AgentSignIn> {
  const agents = new AgentSignIn(deps);
  await app.register((api) => agentRoutes(api, { ...deps, agents }));
  return agents;
}

async function agentRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const { clock } = deps;
  const requests = new NetworkLimit(clock, REQUESTS);
  app.setErrorHandler((error, _request, reply) => refuse(error, reply, clock));
  app.addHook('onRequest', async ({ address }) => requests.count(networkOf(address)));
  await app.register(async (api) => programRoutes(api, deps));
  await app.register(async (api) => browserRoutes(api, deps));
}

/** What programs ask for, from pages of any origin as well. */
async function programRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const { clock, baseUrl } = deps;
  const { token, registration, revocation, jwks } = AGENT_PATHS.routes;
  const prefix = prefixOf(baseUrl);
  const registrations = new NetworkLimit(clock, REGISTRATIONS);
  // Clients look for what is below a path there, and below the root of the host, which a proxy may pass on.
  const [own, ofResource] = [AGENT_PATHS.resourceMetadata, AGENT_PATHS.resource];
  const base = own.slice(0, -ofResource.length);
  const described = [...new Set([base, own, `${base}${prefix}${ofResource}`])];
  const metadata = [...new Set(AGENT_PATHS.metadata.flatMap((path) => [path, `${path}${prefix}`]))];
  allowAnyOrigin(app, {
    ...Object.fromEntries([...metadata, ...described, jwks].map((path) => [path, 'GET'])),
    ...Object.fromEntries([token, registration, revocation].map((path) => [path, 'POST'])),
  });
  for (const path of described) app.get(path, async () => describeResource(baseUrl));
  for (const path of metadata)
    app.get(path, async (request, reply) =>
      pass(deps, request, reply, { url: AGENT_PATHS.metadata[0], edit: describeServer }),
    );
  app.get(jwks, async (request, reply) => pass(deps, request, reply, { url: jwks }));
  for (const url of [token, revocation]) {
    app.post(url, async (request, reply) => {
      const body = await readBytes(request, MAX_BYTES);
      return pass(deps, request, reply, { url, body });
    });
  }
  app.post(registration, async (request, reply) => {
    registrations.count(networkOf(request.address));
    const body = readMetadata(await readJson(request, MAX_BYTES));
    return pass(deps, request, reply, { url: registration, body: Buffer.from(JSON.stringify(body)) });
  });
}

/** What browsers are led to. */
async function browserRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const { baseUrl, agents, log } = deps;
  const { authorization } = AGENT_PATHS.routes;
  const page = `${baseUrl}${AGENT_PATHS.connect}`;
  app.get(authorization, async (request, reply) => {
    const url = `${authorization}?${askedFor(new URL(request.url, baseUrl).searchParams)}`;
    const lead = (location: string) => {
      if (location.startsWith(`${prefixOf(baseUrl)}${AGENT_PATHS.connect}/`)) return location;
      // No one has decided anything yet, so nothing leads away from here: anyone can register a client.
      const { searchParams } = new URL(location, baseUrl);
      const error = searchParams.get('error') ?? 'invalid_request';
      log.info({ error, description: searchParams.get('error_description') }, 'The request of an agent is not valid');
      return `${page}?${new URLSearchParams({ error })}`;
    };
    return pass(deps, request, reply, { url, lead });
  });
  app.get(`${authorization}/:uid`, async (request, reply) => {
    const { uid } = request.params as { uid: string };
    const { proof = '' } = request.query as { proof?: string };
    if (!(await agents.isDecided(uid, String(proof)))) return reply.redirect(`${page}?error=session_not_found`, 303);
    return pass(deps, request, reply, { url: `${authorization}/${encodeURIComponent(uid)}` });
  });
}

/** Where an agent signs in that wants to use the board (RFC 9728). */
function describeResource(baseUrl: string): object {
  return {
    resource: baseUrl + AGENT_PATHS.resource,
    authorization_servers: [baseUrl],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Earshot',
  };
}

/** What a client sends to this place, and nothing else; without a scope it asks for both. @throws BAD_REQUEST if it is too long */
function askedFor(sent: URLSearchParams): URLSearchParams {
  const known = ['client_id', 'redirect_uri', 'response_type', 'state', 'code_challenge', 'code_challenge_method'];
  const asked = new URLSearchParams();
  for (const name of [...known, 'resource']) for (const value of sent.getAll(name)) asked.append(name, value);
  if (String(asked).length > MAX_ASKED) throw badRequest(`A request to sign in has at most ${MAX_ASKED} characters`);
  const scopes = (sent.get('scope') ?? '').split(' ').filter((scope) => (SCOPES as readonly string[]).includes(scope));
  asked.set('scope', (scopes.length > 0 ? scopes : SCOPES).join(' '));
  return asked;
}

type Passed = { url: string; body?: Buffer; lead?: (location: string) => string; edit?: (text: string) => string };

/** Its metadata, with what is special here; empty for HEAD. */
function describeServer(text: string): string {
  if (text === '') return text;
  return JSON.stringify({ ...JSON.parse(text), scopes_supported: SCOPES, response_modes_supported: ['query'] });
}

/**
 * Lets the authorization server answer, which knows nothing of the connection: only what is passed on here.
 * @param passed with `lead`, where to go in place of where it leads, and with `edit`, what to say in place of what it says
 */
async function pass(
  { agents, baseUrl }: Deps,
  { method, headers, address }: FastifyRequest,
  reply: FastifyReply,
  passed: Passed,
): Promise<FastifyReply> {
  const { url, body, lead = (location) => location, edit = (text) => text } = passed;
  const { host, protocol } = new URL(baseUrl);
  const kept = Object.fromEntries(
    ['accept', 'content-type', 'cookie', 'origin'].flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const handle = (await agents.provider()).callback();
  const { default: inject } = await import('light-my-request');
  const prefix = prefixOf(baseUrl);
  // What is before its paths, it takes from there.
  const answer = await inject(
    (request, response) => handle(Object.assign(request, { originalUrl: prefix + url }), response),
    {
      method: method as 'GET' | 'POST',
      url,
      headers: { ...kept, host, 'x-forwarded-proto': protocol.slice(0, -1), 'x-forwarded-for': address },
      ...(body && { payload: body }),
    },
  );
  for (const name of ['content-type', 'set-cookie', 'www-authenticate']) {
    const value = answer.headers[name];
    if (value !== undefined) reply.header(name, value);
  }
  const { location } = answer.headers;
  if (location !== undefined) reply.header('location', lead(location));
  return reply.code(answer.statusCode).header('cache-control', 'no-store').send(edit(answer.payload));
}

/** An error of ours in the form in which clients of OAuth read errors (RFC 6749, §5.2). */
function refuse(error: unknown, reply: FastifyReply, clock: Clock): FastifyReply {
  if (!(error instanceof AppError)) throw error;
  sendRefusal(reply, error, clock.now());
  const isTheirs = error.code === 'BAD_REQUEST' || error.code === 'PAYLOAD_TOO_LARGE';
  const code = isTheirs
    ? error.extensions.field === 'redirect_uris'
      ? 'invalid_redirect_uri'
      : 'invalid_request'
    : 'temporarily_unavailable';
  return reply.code(statusOf(error)).send({ error: code, error_description: error.message });
}
