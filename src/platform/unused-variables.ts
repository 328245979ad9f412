import { isSecretSetting, settings } from './config.ts';
import { editDistance } from './texts/edit-distance.ts';

type Environment = Record<string, string | undefined>;

/** Below this length, other programs have variables with similar names. */
const SHORTEST_ALIKE = 8;
/** How many letters of a name may be wrong. */
const MAX_WRONG = 2;

/** A line for each variable that is set but has no effect, with what to do instead; no value is repeated. */
export function describeUnused(env: Environment): string[] {
  const names = Object.keys(env).filter((name) => env[name]?.trim() && !isKnown(name) && !isObeyed(name, env[name]));
  return [...describeUnsupported(env), ...names.map(describe).filter((line) => line !== null)];
}

function isKnown(name: string): boolean {
  return name in settings || (name.endsWith('_FILE') && isSecretSetting(name.slice(0, -'_FILE'.length)));
}

/** What is not sent here anyway. */
function isObeyed(name: string, value: string | undefined): boolean {
  return /^OTEL_(METRICS|LOGS)_EXPORTER$/.test(name) && value?.trim() === 'none';
}

/** Values of OpenTelemetry that are legitimate, but not ours. */
function describeUnsupported(env: Environment): string[] {
  const protocols = ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] as const;
  const ofProtocols = protocols
    .filter((name) => !['', 'http/json', 'http/protobuf'].includes(env[name]?.trim() ?? ''))
    .map((name) => `${name}: traces are sent over HTTP only; ${HTTP}`);
  const exporter = env.OTEL_TRACES_EXPORTER?.trim() ?? '';
  const isOurs = ['', 'otlp', 'none'].includes(exporter);
  return isOurs ? ofProtocols : [...ofProtocols, 'OTEL_TRACES_EXPORTER: set it to otlp, or to none for no traces'];
}

const HTTP =
  'set it to http/protobuf or http/json, and the endpoint to the port of the collector for HTTP, which is usually 4318';

function describe(name: string): string | null {
  if (name.startsWith('OTEL_')) return `${name}: it has no effect here; ${remedyOf(name)}`;
  const own = Object.keys(settings);
  const inFile = own.find((known) => name === `${known}_FILE`);
  if (inFile) return `${name}: it has no effect; only secrets may be in files, so set ${inFile}`;
  const meant = own.find((known) => isAlike(name, known));
  return meant ? `${name}: it has no effect; is ${meant} meant?` : null;
}

function remedyOf(name: string): string {
  if (/CERTIFICATE|CLIENT_KEY/.test(name)) return 'NODE_EXTRA_CA_CERTS names further authorities';
  if (/METRIC/.test(name)) return 'metrics are at /metrics (docs/monitoring.md)';
  if (/LOG/.test(name)) return 'the log goes to standard error (docs/monitoring.md)';
  return 'docs/configuration.md lists the variables that have one';
}

function isAlike(name: string, known: string): boolean {
  if (known.length < SHORTEST_ALIKE || name[0] !== known[0]) return false;
  const joined = (text: string) => text.replaceAll('_', '');
  return joined(name) === joined(known) || editDistance(name, known, MAX_WRONG) <= MAX_WRONG;
}
