import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ExportResultCode } from '@opentelemetry/core';
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Config } from '../config.ts';
import type { Db, StatementObserver } from '../db/db.ts';
import { SECOND_MS } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import type { TracingSettings } from '../lib/trace-settings.ts';
import { VERSION } from '../version.ts';
import { Recorder } from './recorder.ts';

/** The traces of the process (docs/monitoring.md, "Traces"). */
export type Tracing = {
  /** An observer that also makes spans of the statements of requests and jobs. */
  observing(observe: StatementObserver): StatementObserver;
  /** The store, with spans of the transactions of requests and jobs. */
  watch(db: Db): Db;
  /** Sends what is left, as far as the collector takes it soon. */
  stop(): Promise<void>;
};

/** Spans that wait for the collector; further ones are dropped. */
const MAX_WAITING = 2_048;
/** How often, and how many at a time, they are sent. */
const SEND_EVERY_MS = SECOND_MS;
const MAX_SENT = 512;
/** How long the collector may take for them; then they are dropped. */
const SEND_LIMIT_MS = 5 * SECOND_MS;
/** How long a stop may wait for it. */
const STOP_LIMIT_MS = SECOND_MS;
/** Characters of an attribute, such as the text of a statement; the rest is cut off. */
const MAX_ATTRIBUTE = 2_000;

/** Starts to send traces to a collector, by OTLP over HTTP. */
export function startOtlp(config: Config, settings: TracingSettings, log: Logger): Tracing {
  const stopping = new AbortController();
  const exporter = makeExporter(settings, log, stopping.signal);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.version': VERSION,
      'service.instance.id': randomUUID(),
      ...settings.attributes,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.share) }),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: MAX_WAITING,
        maxExportBatchSize: MAX_SENT,
        scheduledDelayMillis: SEND_EVERY_MS,
      }),
    ],
  });
  const recorder = new Recorder(provider.getTracer('earshot', VERSION), {
    scheme: new URL(config.baseUrl).protocol.slice(0, -1),
    system: config.databaseUrl === null ? 'sqlite' : 'postgresql',
    followsCallers: settings.followsCallers,
  });
  const unlisten = recorder.listen();
  log.info({ collector: shownUrl(settings) }, 'traces are sent');
  return {
    observing: (observe) => recorder.observing(observe),
    watch: (db) => recorder.watch(db),
    async stop() {
      unlisten();
      const limit = delay(STOP_LIMIT_MS, undefined, { ref: false });
      await Promise.race([provider.shutdown(), limit]);
      stopping.abort();
    },
  };
}

/**
 * The exporter of OpenTelemetry repeats a request for as long as half a minute, which would hold up a stop. Here each is
 * sent once, and of an outage only the beginning and the end are logged.
 */
function makeExporter(settings: TracingSettings, log: Logger, stopping: AbortSignal): SpanExporter {
  const { url, headers, isProtobuf } = settings;
  const collector = shownUrl(settings);
  const serializer = isProtobuf ? ProtobufTraceSerializer : JsonTraceSerializer;
  const type = isProtobuf ? 'application/x-protobuf' : 'application/json';
  let lost = 0;

  async function send(spans: ReadableSpan[]): Promise<void> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': type },
      body: serializer.serializeRequest(spans) as Uint8Array<ArrayBuffer>,
      // The headers are for this collector alone.
      redirect: 'error',
      signal: AbortSignal.any([stopping, AbortSignal.timeout(SEND_LIMIT_MS)]),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`status ${response.status}`);
  }

  function noteSent(): void {
    if (lost > 0) log.info({ collector, lost }, 'Traces are sent again');
    lost = 0;
  }

  function noteFailure(error: unknown, count: number): void {
    if (lost === 0) log.warn({ collector, reason: reasonOf(error) }, OUTAGE);
    lost += count;
  }

  return {
    export(spans, done) {
      void send(spans)
        .then(noteSent, (error) => noteFailure(error, spans.length))
        .then(() => done({ code: ExportResultCode.SUCCESS }));
    },
    async shutdown() {},
  };
}

/** A query may have a token. */
function shownUrl({ url }: TracingSettings): string {
  return url.replace(/\?.*/s, '?…');
}

const OUTAGE = 'Traces cannot be sent: they are lost until the collector takes them again';

/** Of a failed `fetch`, the error of the connection says why. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: Error & { code?: string } };
  return cause?.code ?? cause?.message ?? message;
}
