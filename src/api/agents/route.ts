import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendRefusal } from '../../identity/keys/request.ts';
import { AgentSignIn } from '../../operations/agents/agents.ts';
import { AGENT_PATHS, SCOPES } from '../../operations/agents/paths.ts';
import { AppError, badRequest, statusOf } from '../../platform/errors.ts';
import { allowAnyOrigin } from '../../platform/http/any-origin.ts';
import { readBytes, readJson } from '../../platform/http/body.ts';
import { networkOf } from '../../platform/http/ip.ts';
import { prefixOf } from '../../platform/http/prefix.ts';
import { type Clock, HOUR_MS, MINUTE_MS } from '../../platform/lib/clock.ts';
import { NetworkLimit } from '../../platform/limits/network-limit.ts';

type Deps = { clock: Clock; baseUrl: string; agents: AgentSignIn };

/** Bytes of a request, and of the parts of a registration. */
const MAX_BYTES = 16_384;
const MAX_ADDRESSES = 10;
const MAX_ADDRESS = 1_000;
const MAX_NAME = 200;

/** What one network may ask for: agents of a whole office are behind one address. */
const REGISTRATIONS = { most: 60, windowMs: HOUR_MS };
const REQUESTS = { most: 300, windowMs: MINUTE_MS };

/** Serves the sign-in of agents: what they look up, register and exchange for tokens. @returns what lets their owners decide */
export async function serveAgents(
  app: FastifyInstance,
  deps: ConstructorParameters<typeof AgentSignIn>[0],
): Promise<AgentSignIn> {
  const agents = new AgentSignIn(deps);
  await app.register((api) => agentRoutes(api, { clock: deps.clock, baseUrl: deps.baseUrl, agents }));
  return agents;
}

async function agentRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const { clock, baseUrl } = deps;
  const { authorization, token, registration, revocation, jwks } = AGENT_PATHS.routes;
  const prefix = prefixOf(baseUrl);
  const requests = new NetworkLimit(clock, REQUESTS);
  const registrations = new NetworkLimit(clock, REGISTRATIONS);
  const metadata = [...new Set(AGENT_PATHS.metadata.flatMap((path) => [path, `${path}${prefix}`]))];
  const own = [...new Set([AGENT_PATHS.resourceMetadata, '/.well-known/oauth-protected-resource'])];
  allowAnyOrigin(app, {
    ...Object.fromEntries([...metadata, ...own, jwks].map((path) => [path, 'GET'])),
    ...Object.fromEntries([token, registration, revocation].map((path) => [path, 'POST'])),
  });
  app.setErrorHandler((error, _request, reply) => refuse(error, reply, clock));
  app.addHook('onRequest', async ({ address }) => requests.count(networkOf(address)));
  for (const path of own) app.get(path, async () => describeResource(baseUrl));
  for (const path of metadata)
    app.get(path, async (request, reply) => pass(deps, request, reply, { url: AGENT_PATHS.metadata[0] }));
  app.get(jwks, async (request, reply) => pass(deps, request, reply, { url: jwks }));
  app.get(authorization, async (request, reply) => {
    const url = `${authorization}?${askedFor(new URL(request.url, baseUrl).searchParams)}`;
    return pass(deps, request, reply, { url });
  });
  app.get(`${authorization}/:uid`, async (request, reply) => {
    const { uid } = request.params as { uid: string };
    return pass(deps, request, reply, { url: `${authorization}/${encodeURIComponent(uid)}` });
  });
  for (const url of [token, revocation]) {
    app.post(url, async (request, reply) =>
      pass(deps, request, reply, { url, body: await readBytes(request, MAX_BYTES) }),
    );
  }
  app.post(registration, async (request, reply) => {
    registrations.count(networkOf(request.address));
    const body = registered(await readJson(request, MAX_BYTES));
    return pass(deps, request, reply, { url: registration, body: Buffer.from(JSON.stringify(body)) });
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

/** What a client sends to this place, and nothing else; without a scope it asks for both. */
function askedFor(sent: URLSearchParams): URLSearchParams {
  const known = ['client_id', 'redirect_uri', 'response_type', 'state', 'code_challenge', 'code_challenge_method'];
  const asked = new URLSearchParams();
  for (const name of [...known, 'resource']) for (const value of sent.getAll(name)) asked.append(name, value);
  const scopes = (sent.get('scope') ?? '').split(' ').filter((scope) => (SCOPES as readonly string[]).includes(scope));
  asked.set('scope', (scopes.length > 0 ? scopes : SCOPES).join(' '));
  return asked;
}

/**
 * The metadata of a client with what is used of it. What it asks for besides, it is told that it does not get, as RFC 7591
 * (§3.2.1) has it: secrets, other grants.
 * @throws BAD_REQUEST
 */
function registered(text: string): object {
  const sent = parseObject(text);
  const addresses = sent.redirect_uris;
  if (!Array.isArray(addresses) || addresses.length === 0 || addresses.length > MAX_ADDRESSES)
    throw badRequest(`redirect_uris must be a list of 1 to ${MAX_ADDRESSES} addresses`, 'redirect_uris');
  const urls = addresses.map((address) => (String(address).length > MAX_ADDRESS ? null : URL.parse(String(address))));
  if (urls.some((url) => url === null || !isRedirect(url)))
    throw badRequest(
      'redirect_uris must be https addresses, addresses of this device, or those of an app',
      'redirect_uris',
    );
  const isWeb = urls.every((url) => url?.protocol === 'https:');
  return {
    client_name: typeof sent.client_name === 'string' ? sent.client_name.slice(0, MAX_NAME) : undefined,
    redirect_uris: addresses,
    application_type: isWeb ? 'web' : 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const sent = JSON.parse(text);
    if (typeof sent === 'object' && sent !== null && !Array.isArray(sent)) return sent;
  } catch {}
  throw badRequest('The body must be a JSON object');
}

function isRedirect({ protocol, hostname, hash, username }: URL): boolean {
  if (hash !== '' || username !== '') return false;
  if (protocol === 'http:') return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  // oidc-provider knows the schemes that no app has.
  return true;
}

/** Lets the authorization server answer, which knows nothing of the connection: only what is passed on here. */
async function pass(
  { agents, baseUrl }: Deps,
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  { url, body }: { url: string; body?: Buffer },
): Promise<FastifyReply> {
  const { host, protocol } = new URL(baseUrl);
  const kept = Object.fromEntries(
    ['accept', 'content-type', 'cookie', 'origin'].flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const provider = await agents.provider();
  const { default: inject } = await import('light-my-request');
  const answer = await inject(provider.callback(), {
    method: method as 'GET' | 'POST',
    url,
    headers: { ...kept, host, 'x-forwarded-proto': protocol.slice(0, -1) },
    ...(body && { payload: body }),
  });
  for (const name of ['content-type', 'location', 'set-cookie', 'www-authenticate']) {
    const value = answer.headers[name];
    if (value !== undefined) reply.header(name, value);
  }
  return reply.code(answer.statusCode).header('cache-control', 'no-store').send(answer.rawPayload);
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
