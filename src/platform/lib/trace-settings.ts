/** Where traces are sent, and which. */
export type TracingSettings = {
  /** Where the collector takes them. */
  url: string;
  /** Headers of each request to it, such as its token. */
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  /** Of the traces that begin here, the share that is recorded, from 0 to 1. */
  share: number;
  /** Whether requests continue the traces of their callers, who then decide whether they are recorded. */
  followsCallers: boolean;
};

type Sampler = Partial<Pick<TracingSettings, 'share'>> & Pick<TracingSettings, 'followsCallers'>;
type Given = Omit<TracingSettings, 'url' | 'followsCallers'> & { endpoint: string; sampler: Sampler };

/** Added to an endpoint, by https://opentelemetry.io/docs/specs/otel/protocol/exporter/; many have it there already. */
const PATH = '/v1/traces';

/** The other settings of a machine's OpenTelemetry may be there without a collector. */
export function withEndpoint({ endpoint, sampler, ...rest }: Given): TracingSettings | null {
  if (!endpoint) return null;
  return { ...rest, ...sampler, url: endpoint.endsWith(PATH) ? endpoint : endpoint + PATH };
}

/** What samplers say of traces that begin here, other than `OTEL_TRACES_SAMPLER_ARG`. */
const SAMPLERS: Readonly<Record<string, { share?: number }>> = {
  always_on: { share: 1 },
  always_off: { share: 0 },
  traceidratio: {},
};

/** A sampler (https://opentelemetry.io/docs/languages/sdk-configuration/general/); null if it is none of those that we have. */
export function parseSampler(text: string): Sampler | null {
  const own = text.replace(/^parentbased_/, '');
  const sampler = Object.hasOwn(SAMPLERS, own) && SAMPLERS[own];
  return sampler ? { ...sampler, followsCallers: own !== text } : null;
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
