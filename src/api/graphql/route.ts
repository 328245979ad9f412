import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHandler, parseRequestParams, type RequestParams } from 'graphql-http';
import { costOf, takeFromBudget } from '../../identity/keys/budget.ts';
import { isPublishable } from '../../identity/keys/publishable.ts';
import { actorHeadersOf, apiKeyOf, requirePermission, sendRefusal, sendWindows } from '../../identity/keys/request.ts';
import { AppError, badRequest } from '../../platform/errors.ts';
import type { Context } from '../../platform/graphql/context.ts';
import { requireModest } from '../../platform/graphql/variables.ts';
import { readJson } from '../../platform/http/body.ts';
import { isUtf8Form } from '../../platform/http/utf8.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { andThen } from '../../platform/lib/maybe-promise.ts';
import { annotate } from '../../platform/lib/spans.ts';
import { orNone } from '../empty-list.ts';
import { actorOf, withDocument } from '../publishable/asked.ts';
import { acceptsOnlyStream, pauseFor, STREAM_TYPE } from '../stream/media-type.ts';
import { type Answer, type Asked, answerFailure, answerResult } from './answer.ts';
import { findUnsupported, withoutEmptyLists } from './asked.ts';
import { requireModestBody } from './body.ts';
import { isDry, runDry } from './dry-run.ts';
import { type Exchange, type GraphQLDeps, makeContext, refusal } from './exchange.ts';
import type { Executor } from './execute.ts';
import { runOnce } from './idempotency.ts';
import { inStream, Subscriptions } from './subscription.ts';

export const MAX_BODY_BYTES = 1_048_576;

type RouteDeps = GraphQLDeps & { subscriptions: Subscriptions };

/** Serves GraphQL over HTTP at `/api/v1/graphql`. */
export async function graphqlRoute(app: FastifyInstance, own: GraphQLDeps): Promise<void> {
  const deps: RouteDeps = { ...own, subscriptions: new Subscriptions(own) };
  const { executor } = deps;
  const handle = makeProtocol(deps, executor);
  app.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/api/v1/graphql',
    async handler(request, reply) {
      const start = performance.now();
      const asked = { requestId: request.id, log: deps.log, accept: request.headers.accept };
      let operation = 'none';
      let caller: Caller | null = null;
      let answer: Answer;
      try {
        caller = await admit(deps, request);
        if (caller.admission.key.rateRules.length > 0)
          sendWindows(reply, deps.gate.windowsOf(caller.admission.key), deps.clock.now());
        const text = caller.read(await readText(request));
        const exchange: Exchange = { ...asked, ...caller, request, reply, text, operation, answer: null };
        const params = readPlainPost(exchange);
        answer = await (params ? carryOut(deps, executor, exchange, params) : handle(exchange));
        operation = exchange.operation;
      } catch (error) {
        const explained = caller ? error : await explainRefusal(error, request, deps.baseUrl);
        answer = refuse(explained, asked, reply, deps.clock);
      }
      if (caller && !caller.isPublic) deps.gate.countAnswer(caller.admission, answer.codes[0]);
      deps.metrics.countOperation(operation, answer.codes[0] ?? 'OK', (performance.now() - start) / 1_000);
      if (answer.operationId) reply.header('earshot-operation-id', answer.operationId);
      if (answer.status === 405 && !reply.hasHeader('allow')) reply.header('allow', 'POST');
      // A stream for a client that has hung up would fail.
      if (answer.stream && reply.raw.destroyed) return reply.hijack();
      reply.code(answer.status).header('content-type', answer.contentType);
      // Returning the reply itself would wait for the end of its connection.
      return answer.stream ?? answer.body;
    },
  });
}

/** Who sends a request, see `Exchange`, and what its body stands for. */
type Caller = Pick<Exchange, 'admission' | 'findActor'> & { isPublic: boolean; read(text: string): string };

/** Lets a request in by its key: a secret one, or a publishable one, which sends only what is registered for it. */
async function admit(deps: RouteDeps, request: FastifyRequest): Promise<Caller> {
  const apiKey = apiKeyOf(request);
  if (apiKey !== undefined && isPublishable(apiKey)) {
    const admission = await deps.publishable.admit(request, apiKey);
    const read = (text: string) => withDocument(admission, text);
    return { admission, isPublic: true, read, findActor: (kind) => actorOf(admission, kind) };
  }
  const admission = await deps.gate.admit({ apiKey, address: request.address });
  const findActor = () => deps.actors.find(admission.board, actorHeadersOf(request), admission.key);
  return { admission, isPublic: false, read: (text) => text, findActor };
}

/**
 * The protocol: graphql-http reads the request (methods, media types, JSON, parameters) and responds to invalid ones;
 * valid ones go to our executor.
 */
function makeProtocol(deps: RouteDeps, executor: Executor) {
  const handler = createHandler<Exchange>({
    async parseRequestParams(request) {
      const exchange = request.raw;
      const unsupported = findUnsupported(exchange);
      if (!unsupported) return parseRequestParams({ ...request, ...withoutEmptyLists(exchange) });
      exchange.answer = answerFailure(unsupported, exchange);
      return [null, { status: exchange.answer.status, statusText: '' }];
    },
    async onSubscribe(request, params) {
      const exchange = request.raw;
      exchange.answer = await carryOut(deps, executor, exchange, params).catch((error) =>
        refuse(error, exchange, request.raw.reply, deps.clock),
      );
      return [null, { status: exchange.answer.status, statusText: '' }];
    },
  });
  return async (exchange: Exchange): Promise<Answer> => {
    const { request, reply } = exchange;
    const isStream = acceptsOnlyStream(exchange.accept);
    const [body, init] = await handler({
      method: request.method,
      url: request.url,
      headers: {
        ...request.headers,
        ...(isStream && { accept: 'application/json' }),
        // It was looked at, and may be written in more ways than graphql-http knows.
        ...(exchange.text !== '' && { 'content-type': 'application/json' }),
      },
      body: exchange.text,
      raw: exchange,
      context: undefined,
    });
    if (exchange.answer) return isStream ? inStream(exchange.answer) : exchange.answer;
    for (const [name, value] of Object.entries(init.headers ?? {})) if (value !== undefined) reply.header(name, value);
    return refusal(explainStatus(body, init.status), init.status, exchange);
  };
}

async function carryOut(
  deps: RouteDeps,
  executor: Executor,
  exchange: Exchange,
  params: RequestParams,
): Promise<Answer> {
  const { request, admission } = exchange;
  const { budget } = deps;
  const variables = params.variables ?? {};
  requireModest(variables);
  const operation = executor.prepare(params.query, params.operationName);
  exchange.operation = operation.label;
  annotate({ 'graphql.operation.type': operation.kind, 'earshot.graphql.field': operation.label });
  if (operation.kind === 'mutation' && request.method === 'GET') {
    return refusal(explainStatus(null, 405), 405, exchange);
  }
  const needed = operation.kind === 'mutation' ? 'WRITE' : 'READ';
  requirePermission(admission, needed, `a ${operation.kind}`);
  const actor = await exchange.findActor(operation.kind);
  const ready = operation.with(variables);
  if (operation.kind === 'subscription') return deps.subscriptions.open(exchange, params, ready, actor);
  const context = makeContext(deps, admission, actor);
  const run = (on: Context) => andThen(ready.run(on), (result) => withOperation(answerResult(result, exchange), on));
  const idempotencyKey = request.headers['idempotency-key'];
  // Without its acting user none of it runs, and it costs nothing; with the right headers the same key may be sent again.
  const isActorMissing = operation.needsActor && context.actorProblem !== null;
  if (operation.kind === 'query' || isActorMissing) return ready.inTurn(() => run(context));
  if (isDry(request.headers['dry-run'])) {
    const tryOut = async () => {
      const { result, effects } = await runDry(context, async (on) => ready.run(on));
      return answerResult(result, exchange, { dryRun: effects });
    };
    return deps.dryRuns.within(admission.board.id, async () => ready.inTurn(tryOut));
  }
  await takeFromBudget(deps, admission.key, costOf(operation.roots));
  const hasSeveral = operation.label === 'several';
  const kept = ({ body }: Answer) => (idempotencyKey === undefined ? 0 : body.length);
  const written = { sent: ready.countCharacters, kept };
  return budget.within(admission.board, written, () =>
    ready.inTurn(() =>
      idempotencyKey === undefined
        ? run(context)
        : runOnce(context, String(idempotencyKey), params, hasSeveral, async (db) => run({ ...context, db })),
    ),
  );
}

function withOperation(answer: Answer, { operation }: Context): Answer {
  return operation?.isRecorded ? { ...answer, operationId: operation.id } : answer;
}

const PLAIN_ACCEPT = /^(\*\/\*|application\/json|application\/graphql-response\+json)$/;

/**
 * The parameters of what nearly every client sends, a well-formed POST of JSON that asks for JSON. Null for the rest,
 * which needs graphql-http's care: it takes 2 µs and several turns of the event loop.
 */
function readPlainPost({ text, accept }: Exchange): RequestParams | null {
  if (text === '' || (accept !== undefined && !PLAIN_ACCEPT.test(accept))) return null;
  try {
    const { query, operationName, ...objects } = JSON.parse(text);
    const [variables, extensions] = [orNone(objects.variables), orNone(objects.extensions)];
    const isComplete = typeof query === 'string' && query !== '' && isObjectOr(variables) && isObjectOr(extensions);
    if (!isComplete || (operationName != null && typeof operationName !== 'string')) return null;
    return { query, variables, operationName };
  } catch {
    return null;
  }
}

function isObjectOr(value: unknown): value is Record<string, unknown> | null | undefined {
  return value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value));
}

/**
 * The body of a POST; empty for other requests.
 * @throws BAD_REQUEST also for an address that is not UTF-8
 */
async function readText(request: FastifyRequest): Promise<string> {
  const { method, url } = request;
  if (method === 'GET' && !isUtf8Form(Buffer.from(url))) {
    throw badRequest('The parameters in the address must be UTF-8, percent-encoded');
  }
  if (method !== 'POST') return '';
  const text = await readJson(request, MAX_BODY_BYTES);
  requireModestBody(text);
  return text;
}

/** A request that failed as a whole. */
function refuse(error: unknown, asked: Asked, reply: FastifyReply, clock: Clock): Answer {
  sendRefusal(reply, error, clock.now());
  const answer = answerFailure(error, asked);
  const pause = pauseFor(error, asked.accept);
  return pause === null ? answer : { ...answer, status: 200, contentType: STREAM_TYPE, body: pause };
}

/** The documents with which tools ask for the schema are smaller. */
const MAX_INTROSPECTION_BYTES = 16_384;

/** Tells tools that request the schema without a key that they need none: it is public at another URL. */
async function explainRefusal(error: unknown, request: FastifyRequest, baseUrl: string): Promise<unknown> {
  if (!(error instanceof AppError) || error.code !== 'UNAUTHENTICATED') return error;
  const asked =
    request.method === 'POST' ? await readJson(request, MAX_INTROSPECTION_BYTES).catch(() => '') : request.url;
  if (!/__(schema|type)\b/.test(asked)) return error;
  const place = `the schema is public at GET ${baseUrl}/api/v1/schema.graphql`;
  return new AppError('UNAUTHENTICATED', `${error.message}. Introspection needs a key like any operation; ${place}`);
}

/** What graphql-http refused. */
function explainStatus(body: string | null, status: number): string {
  if (body === null) return REFUSALS[status] ?? 'Bad request';
  return (JSON.parse(body).errors?.[0]?.message as string | undefined) ?? 'Bad request';
}

const REFUSALS: Record<number, string> = {
  405: 'Use POST, or GET for queries; a mutation needs POST',
  406: 'Accept must allow application/graphql-response+json or application/json',
  415: 'Content-Type must be application/json with charset utf-8',
};
