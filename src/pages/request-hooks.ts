import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { makeReachWatch } from '../operations/reach/watch.ts';
import { makeAddressReader } from '../platform/http/address.ts';
import { addConnectionHooks } from '../platform/http/connections.ts';
import { SECOND_MS } from '../platform/lib/clock.ts';
import { isId } from '../platform/lib/ids.ts';
import type { Logger } from '../platform/lib/log.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import { kindOfPage, kindOfRoute } from './kinds.ts';

/** When to retry after a 503: a store that restarts or fails over is back within seconds. */
const RETRY_AFTER_SECONDS = '5';

type HookDeps = Omit<Parameters<typeof makeReachWatch>[0], 'log'> & {
  log: Logger;
  metrics: Metrics;
  stopping: AbortSignal;
};

/** What is done with every request: its address is read, and its response is marked, counted and, for debugging, logged. */
export function addRequestHooks(app: FastifyInstance, deps: HookDeps): void {
  const { log, metrics, stopping } = deps;
  addConnectionHooks(app);
  const readAddress = makeAddressReader(deps.trustProxy);
  const watch = makeReachWatch(deps);
  app.decorateRequest('address', {
    getter() {
      return readAddress(this.raw);
    },
  });
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
}

/**
 * A client that learns from a response that its connection ends sends nothing into a closed one. Connections end once a
 * stopping server has closed its port; before, each that ended would be followed by a new one, and closing the port can
 * lose one that the kernel has just accepted. They also end if the request has not: HAProxy 2.6 would send the next
 * visitor's request on it, to be taken for the rest of the body.
 */
export function endConnection({ raw, server }: FastifyRequest, reply: FastifyReply, stopping: AbortSignal): void {
  const isClosed = stopping.aborted && !server.server.listening;
  if (isClosed || raw.complete === false) reply.header('connection', 'close');
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
