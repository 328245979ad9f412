import { AsyncLocalStorage } from 'node:async_hooks';
import { type Channel, subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import {
  type Context,
  defaultTextMapGetter,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Db, StatementObserver } from '../db/db.ts';
import { inSpan, noteChannel, type SpanAttributes, type Work, workChannel } from '../lib/spans.ts';
import type { TracingSettings } from '../lib/trace-settings.ts';
import { Scope, typeOf } from './scope.ts';
import { makeDescriber, type StatementSpan } from './statements.ts';

/** Requests of probes and of Prometheus: they come every few seconds and say nothing. */
const UNTRACED = /^\/(healthz|readyz|metrics)(\?|$)/;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** The standard lets a `tracestate` be cut at 512 characters; a longer one is ignored. */
const MAX_TRACE_STATE = 512;
/** Events whose request is remembered, so that deliveries of this process link to it. */
const MAX_CAUSES = 1_000;

const propagator = new W3CTraceContextPropagator();

type RecorderOptions = { scheme: string; system: 'sqlite' | 'postgresql' } & Pick<TracingSettings, 'followsCallers'>;
type RequestStart = { request: IncomingMessage; response: ServerResponse };
type Handling = { request: FastifyRequest; route: { url?: string } };

/** Makes spans of what Node, Fastify and our own code report to channels, each within what it runs in. */
export class Recorder {
  readonly #tracer: Tracer;
  readonly #scheme: string;
  readonly #describe: ReturnType<typeof makeDescriber>;
  readonly #followsCallers: boolean;
  readonly #scopes = new AsyncLocalStorage<Scope | undefined>();
  readonly #requests = new WeakMap<IncomingMessage, Scope>();
  readonly #works = new WeakMap<Work, Scope>();
  readonly #causes = new LRUCache<string, SpanContext>({ max: MAX_CAUSES });

  constructor(tracer: Tracer, { scheme, system, followsCallers }: RecorderOptions) {
    this.#tracer = tracer;
    this.#scheme = scheme;
    this.#followsCallers = followsCallers;
    this.#describe = makeDescriber(system);
  }

  /** Starts to listen; returns what ends it. */
  listen(): () => void {
    const handlers: Channel<Handling, Scope | undefined> = tracingChannel('fastify.request.handler').start as never;
    const whenRequested = (message: unknown) => this.#beginRequest(message as RequestStart);
    const whenNoted = (message: unknown) => this.#note(message as SpanAttributes);
    const whenEnded = { asyncEnd: (work: Work) => this.#leave(work) } as never;
    const workStart = workChannel.start as Channel<Work, Scope | undefined>;
    subscribe('http.server.request.start', whenRequested);
    handlers.bindStore(this.#scopes, (handling) => this.#handle(handling));
    workStart.bindStore(this.#scopes, (work) => this.#enter(work));
    workChannel.subscribe(whenEnded);
    noteChannel.subscribe(whenNoted);
    return () => {
      unsubscribe('http.server.request.start', whenRequested);
      handlers.unbindStore(this.#scopes);
      workStart.unbindStore(this.#scopes);
      workChannel.unsubscribe(whenEnded);
      noteChannel.unsubscribe(whenNoted);
    };
  }

  observing(observe: StatementObserver): StatementObserver {
    return (sql, milliseconds, error) => {
      observe(sql, milliseconds, error);
      const scope = this.#scopes.getStore();
      // Once a request has ended, what it started goes on without it: nothing else may be added to its trace.
      if (scope?.span?.isRecording()) this.#addStatement(scope, this.#describe(sql), milliseconds, error);
    };
  }

  /** A transaction runs in its turn, woken by others: what it was asked for in is restored. */
  watch(db: Db): Db {
    return {
      ...db,
      transaction: (work) =>
        inSpan({ name: 'transaction', kind: 'transaction', attributes: {} }, () =>
          db.transaction(AsyncLocalStorage.bind(work)),
        ),
    };
  }

  #addStatement(scope: Scope, { name, attributes }: StatementSpan, milliseconds: number, error: unknown): void {
    const end = scope.now();
    const options = { kind: SpanKind.CLIENT, startTime: end - milliseconds, attributes };
    const span = this.#tracer.startSpan(name, options, scope.begin());
    if (error !== undefined) span.setAttribute('error.type', typeOf(error)).setStatus({ code: SpanStatusCode.ERROR });
    span.end(end);
  }

  #beginRequest({ request, response }: RequestStart): void {
    const { method = '', url = '', headers } = request;
    if (UNTRACED.test(url)) return;
    const known = METHODS.has(method) ? method : '_OTHER';
    const attributes = { 'http.request.method': known, 'url.scheme': this.#scheme };
    const name = known === '_OTHER' ? 'HTTP' : known;
    const { parent, links } = this.#callerOf(headers);
    const scope = new Scope((startTime) =>
      this.#tracer.startSpan(name, { kind: SpanKind.SERVER, startTime, attributes, links }, parent),
    );
    scope.begin();
    this.#requests.set(request, scope);
    response.once('close', () => scope.end(describeResponse(response)));
  }

  /**
   * What a request continues. Anybody may send one, with the flag that it is to be recorded and any id of a trace: unless
   * the settings trust that, it begins a trace of its own, whose id decides, and which is linked to the caller's.
   */
  #callerOf({ traceparent, tracestate = '' }: IncomingHttpHeaders): { parent: Context; links: Link[] } {
    const carrier = { traceparent, ...(tracestate.length <= MAX_TRACE_STATE && { tracestate }) };
    const parent = propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter);
    if (this.#followsCallers) return { parent, links: [] };
    const caller = trace.getSpanContext(parent);
    if (!caller) return { parent: ROOT_CONTEXT, links: [] };
    const { traceState: _, ...context } = caller;
    return { parent: ROOT_CONTEXT, links: [{ context }] };
  }

  /** What a handler does belongs to its request. Its path may grant access, so only the pattern of its route is shown. */
  #handle({ request, route }: Handling): Scope | undefined {
    const scope = this.#requests.get(request.raw);
    scope?.span?.setAttribute('earshot.request.id', request.id);
    if (route.url !== undefined) {
      scope?.span?.updateName(`${request.method} ${route.url}`).setAttribute('http.route', route.url);
    }
    return scope;
  }

  #enter(work: Work): Scope | undefined {
    const parent = work.kind === 'transaction' ? this.#scopes.getStore() : undefined;
    // Of a store that is being opened, or of a request that has ended.
    if (work.kind === 'transaction' && !(parent && (parent.span === null || parent.span.isRecording()))) return;
    const scope = new Scope((startTime) => this.#startWork(work, startTime, parent?.begin()), parent);
    this.#works.set(work, scope);
    if (work.kind !== 'job') scope.begin();
    const context = scope.span?.spanContext();
    if (context) work.traceparent = toTraceparent(context);
    return scope;
  }

  #startWork({ name, kind, attributes }: Work, startTime: number, parent = ROOT_CONTEXT): Span {
    const cause = this.#causes.get(String(attributes['earshot.event.id']));
    const links = kind === 'client' && cause ? [{ context: cause }] : [];
    const spanKind = kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL;
    return this.#tracer.startSpan(name, { kind: spanKind, startTime, links }, parent);
  }

  #leave(work: Work & { error?: unknown }): void {
    const failure = 'error' in work && { 'error.type': typeOf(work.error) };
    this.#works.get(work)?.end({ ...work.attributes, ...failure });
  }

  #note(attributes: SpanAttributes): void {
    const span = this.#scopes.getStore()?.span;
    const event = attributes['earshot.event.id'];
    span?.setAttributes(attributes);
    if (span && event !== undefined) this.#causes.set(String(event), span.spanContext());
  }
}

/** Without headers there was no response: the client had hung up. */
function describeResponse({ headersSent, statusCode }: ServerResponse): SpanAttributes {
  if (!headersSent) return {};
  return { 'http.response.status_code': statusCode, ...(statusCode >= 500 && { 'error.type': String(statusCode) }) };
}

/** https://www.w3.org/TR/trace-context/#traceparent-header */
function toTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
