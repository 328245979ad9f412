const PAIRS = 'name=value, separated by commas, with values percent-encoded';

/** Where traces are sent, and which. */
export type TracingSettings = {
  /** Where the collector takes them. */
  url: string;
  /** Headers of each request to it, such as its token. */
  headers: Readonly<Record<string, string>>;
  /** Whether they are sent as protocol buffers rather than JSON. */
  isProtobuf: boolean;
  /** What is said of this installation, with its `service.name`. */
  attributes: Readonly<Record<string, string>>;
  /** Of the traces that begin here, the share that is recorded, from 0 to 1. */
  share: number;
  /** Whether requests continue the traces of their callers, who then decide whether they are recorded. */
  followsCallers: boolean;
};

type Sampler = Partial<Pick<TracingSettings, 'share'>> & Pick<TracingSettings, 'followsCallers'>;

/**
 * The environment variables of OpenTelemetry that have an effect: default, description of allowed values, parser
 * (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/).
 */
export const traceSettings = {
  OTEL_SDK_DISABLED: { fallback: 'false', allowed: 'true or false', parse: parseFlag },
  OTEL_TRACES_EXPORTER: { fallback: 'otlp', allowed: 'otlp or none', parse: String },
  OTEL_EXPORTER_OTLP_ENDPOINT: { fallback: '', allowed: 'an http or https address', parse: parseEndpoint },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { fallback: '', allowed: 'an http or https address', parse: parseTarget },
  OTEL_EXPORTER_OTLP_HEADERS: { fallback: '', allowed: PAIRS, parse: parseHeaders },
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: { fallback: '', allowed: PAIRS, parse: parseHeaders },
  OTEL_EXPORTER_OTLP_PROTOCOL: { fallback: 'http/json', allowed: 'http/json or http/protobuf', parse: String },
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: { fallback: '', allowed: 'http/json or http/protobuf', parse: String },
  OTEL_SERVICE_NAME: { fallback: '', allowed: 'a name of at most 50 characters', parse: parseName },
  OTEL_RESOURCE_ATTRIBUTES: { fallback: '', allowed: PAIRS, parse: parsePairs },
  OTEL_TRACES_SAMPLER: {
    fallback: 'traceidratio',
    allowed: 'always_on, always_off or traceidratio, each also with parentbased_ in front of it',
    parse: parseSampler,
  },
  OTEL_TRACES_SAMPLER_ARG: { fallback: '1', allowed: 'a number from 0 to 1', parse: parseShare },
};

type Settings = typeof traceSettings;
type Read = <K extends keyof Settings>(name: K) => Exclude<ReturnType<Settings[K]['parse']>, null>;

/** Added to an endpoint, by https://opentelemetry.io/docs/specs/otel/protocol/exporter/; many have it there already. */
const PATH = '/v1/traces';

/**
 * Null without a collector: the other settings of a machine's OpenTelemetry may be there.
 * @param read reports a mistake and returns null for it in spite of its type; nothing is used then
 */
export function readTracing(read: Read): TracingSettings | null {
  const [base, target] = [read('OTEL_EXPORTER_OTLP_ENDPOINT'), read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')];
  const [headers, ownHeaders] = [read('OTEL_EXPORTER_OTLP_HEADERS'), read('OTEL_EXPORTER_OTLP_TRACES_HEADERS')];
  const protocol = read('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') || read('OTEL_EXPORTER_OTLP_PROTOCOL');
  const attributes = { ...read('OTEL_RESOURCE_ATTRIBUTES') };
  const serviceName = read('OTEL_SERVICE_NAME') || attributes['service.name'] || 'earshot';
  const sampler = read('OTEL_TRACES_SAMPLER');
  const settings = {
    url: target || (base?.endsWith(PATH) ? base : base + PATH),
    headers: Object.keys(ownHeaders ?? {}).length > 0 ? ownHeaders : headers,
    isProtobuf: protocol === 'http/protobuf',
    attributes: { ...attributes, 'service.name': serviceName },
    share: read('OTEL_TRACES_SAMPLER_ARG'),
    ...sampler,
  };
  const isOff = read('OTEL_SDK_DISABLED') || read('OTEL_TRACES_EXPORTER') === 'none';
  return isOff || (!base && !target) ? null : settings;
}

function parseFlag(text: string): boolean | null {
  const flag = text.toLowerCase();
  return flag === 'true' || flag === 'false' ? flag === 'true' : null;
}

function parseTarget(text: string): string | null {
  if (text === '') return text;
  const url = URL.parse(text);
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? text : null;
}

/** A path is added to it. */
function parseEndpoint(text: string): string | null {
  return /[?#]/.test(text) ? null : (parseTarget(text)?.replace(/\/+$/, '') ?? null);
}

function parseName(text: string): string | null {
  return [...text].length <= 50 && !/[\r\n]/.test(text) ? text : null;
}

/** What samplers say of traces that begin here, other than `OTEL_TRACES_SAMPLER_ARG`. */
const SAMPLERS: Readonly<Record<string, { share?: number }>> = {
  always_on: { share: 1 },
  always_off: { share: 0 },
  traceidratio: {},
};

/** A sampler (https://opentelemetry.io/docs/languages/sdk-configuration/general/); null if it is none of those that we have. */
function parseSampler(text: string): Sampler | null {
  const own = text.replace(/^parentbased_/, '');
  const sampler = Object.hasOwn(SAMPLERS, own) && SAMPLERS[own];
  return sampler ? { ...sampler, followsCallers: own !== text } : null;
}

/** `name=value` pairs (https://opentelemetry.io/docs/specs/otel/resource/sdk/); null if they are none. */
function parsePairs(text: string): Record<string, string> | null {
  const pairs = text === '' ? [] : text.split(',').map((pair) => /^([^\s=]+)=(.*)$/.exec(pair.trim()));
  try {
    return Object.fromEntries(pairs.map((pair) => [requireName(pair?.[1]), decodeURIComponent(pair?.[2] ?? '')]));
  } catch {
    return null;
  }
}

function requireName(name: string | undefined): string {
  if (name === undefined) throw new TypeError('a pair without a name');
  return name;
}

/** Pairs that are headers; null if they are none. */
function parseHeaders(text: string): Record<string, string> | null {
  const pairs = parsePairs(text);
  // Usually there are none, and Node loads its `Headers` with the first use.
  if (pairs === null || text === '') return pairs;
  try {
    return Object.fromEntries(new Headers(pairs));
  } catch {
    return null;
  }
}

/** A number from 0 to 1; null if it is none. */
function parseShare(text: string): number | null {
  return /^(0|1|0?\.\d{1,6}|1\.0+)$/.test(text) ? Number(text) : null;
}
