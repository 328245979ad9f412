import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Admission } from '../../identity/keys/gate.ts';
import { hasKeyForm } from '../../identity/keys/keys.ts';
import { actorHeadersOf, apiKeyOf, requirePermission } from '../../identity/keys/request.ts';
import { AGENT_PATHS, SCOPES } from '../../operations/agents/paths.ts';
import { findAgentOf } from '../../operations/agents/records.ts';
import { AppError, badRequest, errorCatalogue, statusOf } from '../../platform/errors.ts';
import { readJson } from '../../platform/http/body.ts';
import { orNone } from '../empty-list.ts';
import { describeError } from '../graphql/answer.ts';
import { requireModestBody } from '../graphql/body.ts';
import { type GraphQLDeps, makeContext } from '../graphql/exchange.ts';
import { MAX_BODY_BYTES } from '../graphql/route.ts';
import { withKey } from '../with-key.ts';
import type { Caller } from './caller.ts';

export const MCP_PATH = AGENT_PATHS.resource;

/** Error of JSON-RPC for a request that was refused before it was read; its code is ours in `data`. */
const REFUSED = -32_000;

/**
 * Serves the Model Context Protocol (https://modelcontextprotocol.io) over HTTP: the operations of the GraphQL API as
 * tools for agents, with the same keys, users and limits. The protocol asks servers to check `Origin` against pages that
 * reach them by DNS rebinding. Here a request without a key is refused wherever it comes from, and neither a cookie nor
 * an address is one: such a page gets nothing, and agents in browsers and editors have origins of their own.
 */
export function mcpRoute(app: FastifyInstance, deps: GraphQLDeps): void {
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: MCP_PATH,
    exposeHeadRoute: false,
    async handler(request, reply) {
      try {
        const work = (admission: Admission) => exchange(deps, admission, request);
        const agentId = await findAgent(deps, request);
        const { response, body } = await withKey(deps, request, reply, work, {
          agentId,
          failureOf: ({ failure }) => failure,
        });
        // The other headers are about the connection, which is not the protocol's.
        for (const name of ['content-type', 'allow']) {
          const value = response.headers.get(name);
          if (value !== null) reply.header(name, value);
        }
        return reply.code(response.status).send(body);
      } catch (error) {
        return refuse(deps, error, request, reply);
      }
    },
  });
}

/** The agent that has signed in by OAuth, whose token is in place of a key; null with a key. */
async function findAgent({ db, clock, baseUrl }: GraphQLDeps, request: FastifyRequest): Promise<string | null> {
  const token = apiKeyOf(request) ?? '';
  return hasKeyForm(token) ? null : findAgentOf({ db, clock }, token, baseUrl + MCP_PATH);
}

async function exchange(deps: GraphQLDeps, admission: Admission, request: FastifyRequest) {
  const caller = await makeCaller(deps, request, admission);
  const text = request.method === 'POST' ? await readJson(request, MAX_BODY_BYTES) : '';
  requireOneMessage(text);
  // Loaded for the first agent: it takes memory that a server without agents can do without.
  const { handle } = await import('./server.ts');
  const response = await handle(caller, requestOf(request, withoutEmptyLists(text), deps.baseUrl));
  return { response, body: await response.text(), failure: caller.failure };
}

async function makeCaller(deps: GraphQLDeps, request: FastifyRequest, admission: Admission): Promise<Caller> {
  requirePermission(admission, 'READ', 'every tool');
  const headers = actorHeadersOf(request);
  const actor = await deps.actors.find(admission.board, headers, admission.key);
  const isNamed = Object.values(headers).some(Boolean) || admission.key.defaultUserId !== null;
  if (actor instanceof AppError && isNamed) throw actor;
  const { executor, budget, dryRuns, log } = deps;
  return { executor, budget, dryRuns, log, requestId: request.id, context: makeContext(deps, admission, actor) };
}

/** A batch, as one of the earlier revisions has it, would be many requests for the price of one. */
function requireOneMessage(text: string): void {
  requireModestBody(text);
  if (/^\s*\[/.test(text)) throw badRequest('Batches are not supported: send one message');
}

/** A message with objects where it has empty lists for `params`, or for what is directly in them. */
function withoutEmptyLists(text: string): string {
  if (!/\[\s*\]/.test(text)) return text;
  try {
    const message = JSON.parse(text);
    if (orNone(message.params) === undefined) message.params = {};
    for (const name in message.params) if (orNone(message.params[name]) === undefined) message.params[name] = {};
    return JSON.stringify(message);
  } catch {
    return text;
  }
}

/** The request as the SDK takes it. Without the key, which it need not know, and with the body as it was decoded. */
function requestOf({ method, headers }: FastifyRequest, text: string, baseUrl: string): Request {
  const { authorization: _, apikey: __, 'content-length': ___, 'content-encoding': ____, ...rest } = headers;
  if (text !== '') rest['content-type'] = 'application/json';
  if (acceptsAnything(rest.accept)) rest.accept = BOTH;
  const given = Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)]);
  return new Request(`${baseUrl}${MCP_PATH}`, { method, headers: given, body: text === '' ? null : text });
}

/** What the SDK expects of clients. */
const BOTH = 'application/json, text/event-stream';
const ANYTHING = '*/*';

/** A header that is left out allows everything (RFC 9110, §12.5.1); the SDK knows neither that nor the range for it. */
function acceptsAnything(accept: string = ANYTHING): boolean {
  return accept.split(',', 20).some((range) => range.split(';', 1)[0]?.trim() === ANYTHING);
}

function refuse(
  { log, baseUrl }: GraphQLDeps,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { message, extensions } = describeError(error, { log, requestId: request.id });
  if (extensions.code === 'UNAUTHENTICATED') {
    // With this, clients find out where to sign in.
    const metadata = `resource_metadata="${baseUrl}${AGENT_PATHS.resourceMetadata}"`;
    reply.header('www-authenticate', `Bearer ${metadata}, scope="${SCOPES.join(' ')}"`);
  }
  const body = { jsonrpc: '2.0', error: { code: REFUSED, message, data: extensions }, id: null };
  return reply.code(error instanceof AppError ? statusOf(error) : errorCatalogue[extensions.code]).send(body);
}
