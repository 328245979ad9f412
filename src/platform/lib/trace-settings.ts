/** Where traces are sent, and which. */
export type TracingSettings = {
  /** The collector's URL, to which `/v1/traces` is added. */
  endpoint: string;
  /** Headers of each request to it, such as its token. */
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  /** Of the traces that begin here, the share that is recorded, from 0 to 1. */
  share: number;
};

/** The other settings of a machine's OpenTelemetry may be there without a collector. */
export function withEndpoint(tracing: TracingSettings): TracingSettings | null {
  return tracing.endpoint === '' ? null : tracing;
}

/** Headers as `name=value` pairs (https://opentelemetry.io/docs/specs/otel/protocol/exporter/); null if they are none. */
export function parseHeaders(text: string): Record<string, string> | null {
  // Usually there are none, and Node loads its `Headers` with the first use.
  if (text === '') return {};
  const pairs = text.split(',').map((pair) => /^([\w-]+)=(.*)$/.exec(pair.trim()));
  try {
    const headers = pairs.map((pair) => [pair?.[1] ?? '', decodeURIComponent(pair?.[2] ?? '')]);
    return Object.fromEntries(new Headers(Object.fromEntries(headers)));
  } catch {
    return null;
  }
}

/** A number from 0 to 1; null if it is none. */
export function parseShare(text: string): number | null {
  return /^(0|1|0?\.\d{1,6}|1\.0+)$/.test(text) ? Number(text) : null;
}
