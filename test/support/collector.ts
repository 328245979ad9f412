import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { type Received, startReceiver } from './receiver.ts';
import { until } from './until.ts';

type Value = { stringValue?: string; intValue?: number; boolValue?: boolean };
type Pair = { key: string; value: Value };

/** A span as a collector gets it: https://github.com/open-telemetry/opentelemetry-proto, in JSON. */
export type CollectedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code: number };
  links: { traceId: string; spanId: string }[];
  attributes: Record<string, string | number | boolean | undefined>;
};

/** A collector of traces (OTLP over HTTP with JSON) for the length of a test. */
export type Collector = {
  endpoint: string;
  received: readonly Received[];
  spans(): CollectedSpan[];
  /** Waits for spans that meet a condition. */
  find(what: string, condition: (span: CollectedSpan) => boolean, count?: number): Promise<CollectedSpan[]>;
  /** From now on it takes requests and does not respond, until the returned function is called. */
  hang(): () => void;
};

export async function startCollector(t: TestContext): Promise<Collector> {
  let waiting: Promise<void> | undefined;
  const { origin, received } = await startReceiver(t, async (_, response) => {
    await waiting;
    response.setHeader('content-type', 'application/json').end('{}');
  });
  const spans = () => received.flatMap(({ body }) => readSpans(JSON.parse(body.toString())));
  return {
    endpoint: `${origin}/otlp`,
    received,
    spans,
    async find(what, condition, count = 1) {
      await until(what, () => spans().filter(condition).length >= count);
      return spans().filter(condition);
    },
    hang() {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting = promise;
      return resolve;
    },
  };
}

/** An API request, and the trace that it belongs to. */
export async function sendTraced(url: string, apikey: string, query: string, variables = {}, headers = {}) {
  const traceId = randomBytes(16).toString('hex');
  const parentSpanId = randomBytes(8).toString('hex');
  const response = await fetch(`${url}/api/v1/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      apikey,
      ssotype: 'SSO',
      userid: 'ada',
      traceparent: `00-${traceId}-${parentSpanId}-01`,
      ...headers,
    },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  return { traceId, parentSpanId, data, errors, requestId: response.headers.get('x-request-id') };
}

// biome-ignore lint/suspicious/noExplicitAny: JSON from outside
function readSpans({ resourceSpans }: any): CollectedSpan[] {
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  return resourceSpans.flatMap(({ scopeSpans }: any) =>
    // biome-ignore lint/suspicious/noExplicitAny: likewise
    scopeSpans.flatMap(({ spans }: any) =>
      // biome-ignore lint/suspicious/noExplicitAny: likewise
      spans.map((span: any) => ({
        ...span,
        attributes: Object.fromEntries(span.attributes.map(({ key, value }: Pair) => [key, readValue(value)])),
      })),
    ),
  );
}

function readValue({ stringValue, intValue, boolValue }: Value) {
  return stringValue ?? intValue ?? boolValue;
}
