import { readFileSync } from 'node:fs';
import { parseBlock } from './http/ip.ts';
import { isPrefix, PREFIXES } from './http/prefix.ts';
import { type LogLevel, logLevels } from './lib/log.ts';
import { readTracing, type TracingSettings, traceSettings } from './lib/trace-settings.ts';
import { findMailInConflicts, type MailInConfig, mailInSettings, readMailIn } from './mail-in-settings.ts';
import { PROVIDERS, provider, type SignInProvider } from './sign-in-settings.ts';

export type Config = {
  port: number;
  host: string;
  baseUrl: string;
  dataDir: string;
  databaseUrl: string | null;
  /** Where to listen for hints if `databaseUrl` points to a pooler; null: at `databaseUrl`. */
  databaseListenUrl: string | null;
  /** A replica for reads that may run there. */
  databaseReadUrl: string | null;
  role: 'web' | 'worker' | 'all';
  /** How many proxies in a row, or which proxy addresses, are trusted to report the client's address. */
  trustProxy: number | string[];
  /** Encrypts the secrets in the store; null: the key in the data folder. */
  secretKey: string | null;
  /** How many days events stay in the log; null: as long as the board. */
  eventsKeepDays: number | null;
  /** Private ranges that webhooks and imports may reach. */
  webhookAllowCidrs: readonly string[];
  /** The mail server; null: mail becomes files. */
  smtpUrl: string | null;
  mailFrom: string;
  /** Mail that comes in; null without a domain for it. */
  mailIn: MailInConfig | null;
  /** Whether an empty store may be created where another one has been. */
  newStore: boolean;
  /** Whether visitors may create sandboxes. */
  sandbox: boolean;
  /** How long the server still accepts requests after SIGTERM, while `/readyz` reports that it is stopping. */
  drainDelayMs: number;
  /** Whose accounts people may sign in with, besides our own. */
  signInProviders: readonly SignInProvider[];
  /** The domains that email addresses of providers may have; none: all. */
  signInDomains: readonly string[];
  /** Maximum number of open connections; further ones are closed immediately. */
  maxConnections: number;
  logLevel: LogLevel;
  /** Null: no traces. */
  tracing: TracingSettings | null;
};

/** A setting: its default, a description of allowed values, and its parser, which returns null for others. */
type Setting<T> = { fallback: string; allowed: string; parse: (text: string) => T | null };

const setting = <T>(fallback: string, allowed: string, parse: (text: string) => T | null): Setting<T> => ({
  fallback,
  allowed,
  parse,
});

/** All settings; a test ensures that docs/configuration.md lists the same ones. */
export const settings = {
  PORT: setting('4000', 'a port number from 1 to 65535', parsePort),
  HOST: setting('127.0.0.1', 'an address or host name to listen on', (text) => (/^[\w.:-]+$/.test(text) ? text : null)),
  BASE_URL: setting('', `an http or https address; its path, if it has one, ${PREFIXES}`, parseOwnUrl),
  DATA_DIR: setting('./data', 'a folder', (text) => text || null),
  DATABASE_URL: setting('', 'postgres://user:password@host:port/database', parseDatabaseUrl),
  DATABASE_LISTEN_URL: setting('', 'postgres://user:password@host:port/database', parseDatabaseUrl),
  DATABASE_READ_URL: setting('', 'postgres://user:password@host:port/database', parseDatabaseUrl),
  ROLE: setting('all', 'web, worker or all', oneOf(['web', 'worker', 'all'] as const)),
  TRUST_PROXY: setting(
    '0',
    'a number of proxies, or addresses and CIDR blocks, but not 0.0.0.0/0 or ::/0, separated by commas',
    parseProxies,
  ),
  SECRET_KEY: setting('', 'at least 16 characters, the same in every process', parseSecret),
  EVENTS_KEEP_DAYS: setting('', 'a number of days from 1 to 36500', parseDays),
  WEBHOOK_ALLOW_CIDRS: setting('', 'addresses and CIDR blocks separated by commas', parseBlocks),
  SMTP_URL: setting(
    '',
    'smtp://user:password@host:port, or smtps://, with special characters of the password percent-encoded (# is %23)',
    parseSmtpUrl,
  ),
  MAIL_FROM: setting('Earshot <earshot@localhost>', 'an email address, with or without a name', parseMailbox),
  ...mailInSettings,
  NEW_STORE: setting('off', 'on or off', oneOf(['on', 'off'] as const)),
  SANDBOX: setting('on', 'on or off', oneOf(['on', 'off'] as const)),
  MAX_CONNECTIONS: setting('4000', 'a number from 1 to 100000', parseConnections),
  DRAIN_DELAY: setting('1', 'a number of seconds from 0 to 60', parseDelay),
  GOOGLE_CLIENT_ID: setting('', 'the id of a client', parseLine),
  GOOGLE_CLIENT_SECRET: setting('', 'the secret of that client', parseLine),
  GITHUB_CLIENT_ID: setting('', 'the id of a client', parseLine),
  GITHUB_CLIENT_SECRET: setting('', 'the secret of that client', parseLine),
  OIDC_ISSUER: setting('', 'an http or https address', parseIssuer),
  OIDC_CLIENT_ID: setting('', 'the id of a client', parseLine),
  OIDC_CLIENT_SECRET: setting('', 'the secret of that client', parseLine),
  OIDC_NAME: setting('OpenID', 'a name of at most 50 characters', parseName),
  OIDC_EMAIL_CLAIM: setting('email', 'the name of a claim', parseLine),
  OIDC_TRUST_EMAIL: setting('off', 'on or off', oneOf(['on', 'off'] as const)),
  SIGN_IN_DOMAINS: setting('', 'domains such as example.com, separated by commas', parseDomains),
  ...traceSettings,
  LOG_LEVEL: setting('info', logLevels.join(', '), oneOf(logLevels)),
};

/** Settings with passwords and keys: their values are never repeated, and may be in a file that `NAME_FILE` names. */
const secretSettings: ReadonlySet<string> = new Set([
  ...['DATABASE_URL', 'DATABASE_LISTEN_URL', 'DATABASE_READ_URL', 'SECRET_KEY', 'SMTP_URL'],
  'INBOUND_MAIL_SECRET',
  ...['GOOGLE_CLIENT_SECRET', 'GITHUB_CLIENT_SECRET', 'OIDC_CLIENT_SECRET'],
  ...['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'],
]);

/** Whether the value of a setting is secret. */
export function isSecretSetting(name: string): boolean {
  return secretSettings.has(name);
}

/** Raised with one line for each mistake in the environment. */
export class ConfigError extends Error {}

/**
 * Reads the settings from an environment.
 * @throws ConfigError naming every invalid variable, its value and what is allowed
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const mistakes: string[] = [];
  const textOf = (name: keyof typeof settings): string => {
    const text = env[name]?.trim() ?? '';
    const file = secretSettings.has(name) ? env[`${name}_FILE`]?.trim() : undefined;
    if (!file) return text;
    if (text !== '') mistakes.push(`${name}_FILE: ${name} is set as well; only one of them may be`);
    try {
      return readFileSync(file, 'utf8').trim();
    } catch (error) {
      mistakes.push(`${name}_FILE: ${JSON.stringify(file)} cannot be read (${(error as NodeJS.ErrnoException).code})`);
      return '';
    }
  };
  const read = <K extends keyof typeof settings>(name: K) => {
    const { fallback, allowed, parse } = settings[name] as Setting<unknown>;
    const text = textOf(name) || fallback;
    const value = parse(text);
    if (value === null) {
      const shown = secretSettings.has(name) ? 'the value' : JSON.stringify(withoutCredentials(text));
      mistakes.push(`${name}: ${shown} is not allowed; it must be ${allowed}`);
    }
    return value as Exclude<ReturnType<(typeof settings)[K]['parse']>, null>;
  };
  const port = read('PORT');
  const config: Config = {
    port,
    host: read('HOST'),
    baseUrl: read('BASE_URL') || `http://localhost:${port}`,
    dataDir: read('DATA_DIR'),
    databaseUrl: read('DATABASE_URL') || null,
    databaseListenUrl: read('DATABASE_LISTEN_URL') || null,
    databaseReadUrl: read('DATABASE_READ_URL') || null,
    role: read('ROLE'),
    trustProxy: read('TRUST_PROXY'),
    secretKey: read('SECRET_KEY') || null,
    eventsKeepDays: read('EVENTS_KEEP_DAYS') || null,
    webhookAllowCidrs: read('WEBHOOK_ALLOW_CIDRS'),
    smtpUrl: read('SMTP_URL') || null,
    mailFrom: read('MAIL_FROM'),
    mailIn: readMailIn(read),
    newStore: read('NEW_STORE') === 'on',
    sandbox: read('SANDBOX') === 'on',
    maxConnections: read('MAX_CONNECTIONS'),
    drainDelayMs: read('DRAIN_DELAY'),
    signInProviders: [
      ...provider('google', 'Google', read('GOOGLE_CLIENT_ID'), read('GOOGLE_CLIENT_SECRET'), null),
      ...provider('github', 'GitHub', read('GITHUB_CLIENT_ID'), read('GITHUB_CLIENT_SECRET'), null),
      ...provider('oidc', read('OIDC_NAME'), read('OIDC_CLIENT_ID'), read('OIDC_CLIENT_SECRET'), {
        issuer: read('OIDC_ISSUER'),
        emailClaim: read('OIDC_EMAIL_CLAIM'),
        trustsEmail: read('OIDC_TRUST_EMAIL') === 'on',
      }),
    ],
    signInDomains: read('SIGN_IN_DOMAINS'),
    logLevel: read('LOG_LEVEL'),
    tracing: readTracing(read),
  };
  mistakes.push(...findConflicts(config, mistakes, (name) => textOf(name) !== ''));
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'));
  return config;
}

/** Settings that do not go together, besides the mistakes that are known. */
function findConflicts(
  config: Config,
  known: readonly string[],
  isGiven: (name: keyof typeof settings) => boolean,
): string[] {
  const found: string[] = [];
  if (config.databaseUrl && !config.secretKey && !known.some((line) => line.startsWith('SECRET_KEY'))) {
    found.push(`SECRET_KEY: it is not set; with DATABASE_URL it must be ${settings.SECRET_KEY.allowed}`);
  }
  if (config.databaseListenUrl && !config.databaseUrl) {
    found.push('DATABASE_LISTEN_URL: it has no effect without DATABASE_URL');
  }
  if (config.databaseReadUrl && !config.databaseUrl) {
    found.push('DATABASE_READ_URL: it names a replica of PostgreSQL, and without DATABASE_URL the store is SQLite');
  }
  found.push(...findMailInConflicts(isGiven));
  for (const [prefix, ...names] of PROVIDERS) {
    const all = names.map((name) => `${prefix}_${name}` as const);
    const missing = all.filter((name) => !isGiven(name as keyof typeof settings));
    const given = all.filter((name) => !missing.includes(name));
    if (missing.length > 0 && given.length > 0)
      found.push(`${missing.join(', ')}: not set, though ${given.join(', ')} is`);
  }
  return found;
}

function parseLine(text: string): string | null {
  return text.length <= 500 && !/\s/.test(text) ? text : null;
}

function parseName(text: string): string | null {
  return [...text].length <= 50 && !/[\r\n]/.test(text) ? text : null;
}

function parseDomains(text: string): string[] | null {
  const domains = text === '' ? [] : text.split(',').map((domain) => domain.trim().toLowerCase());
  return domains.every((domain) => /^[a-z0-9.-]+\.[a-z0-9-]+$/.test(domain)) ? domains : null;
}

function parsePort(text: string): number | null {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535 ? Number(text) : null;
}

function parseBaseUrl(text: string): string | null {
  if (text === '') return text;
  const url = URL.parse(text);
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !/[?#]/.test(text);
  return isPlain ? text.replace(/\/+$/, '') : null;
}

/** The address of the discovery document is what most providers show to be copied. */
function parseIssuer(text: string): string | null {
  return parseBaseUrl(text.replace(/\/\.well-known\/openid-configuration\/?$/, ''));
}

/** The address of this server, whose path proxies pass on or strip. */
function parseOwnUrl(text: string): string | null {
  const url = parseBaseUrl(text);
  return url && !isPrefix(url) ? null : url;
}

function withoutCredentials(text: string): string {
  return text.replace(/(?<=\/\/)[^/]*@/, '…@').replace(/\?.*/s, '?…');
}

function parseDatabaseUrl(text: string): string | null {
  return text === '' || /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? '') ? text : null;
}

/** A block of all addresses (`/0`) would let every caller choose the address it is seen under. */
function parseProxies(text: string): number | string[] | null {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  return /\/0+\b/.test(text) ? null : parseBlocks(text);
}

function parseBlocks(text: string): string[] | null {
  const blocks = text === '' ? [] : text.split(',').map((block) => block.trim());
  return blocks.every(parseBlock) ? blocks : null;
}

function parseSecret(text: string): string | null {
  return text === '' || text.length >= 16 ? text : null;
}

/** A `#`, `/` or `?` in a password would end the host, and the rest of the password would be the host. */
function parseSmtpUrl(text: string): string | null {
  const url = URL.parse(text);
  const isWhole = url && !url.hash && /^\/?$/.test(url.pathname) && /^(\?([^&=]+=[^&]*&?)*)?$/.test(url.search);
  return text === '' || (isWhole && /^smtps?:$/.test(url.protocol) && url.hostname) ? text : null;
}

function parseConnections(text: string): number | null {
  return /^[1-9]\d{0,5}$/.test(text) && Number(text) <= 100_000 ? Number(text) : null;
}

/** 0: not set. */
function parseDays(text: string): number | null {
  return text === '' ? 0 : /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 36_500 ? Number(text) : null;
}

/** Seconds as milliseconds. */
function parseDelay(text: string): number | null {
  return /^\d{1,2}(\.\d{1,3})?$/.test(text) && Number(text) <= 60 ? Math.round(Number(text) * 1_000) : null;
}

/** Line ends would let a value add headers to every mail. */
function parseMailbox(text: string): string | null {
  return /^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(text) ? text : null;
}

function oneOf<const T extends string>(values: readonly T[]): (text: string) => T | null {
  return (text) => values.find((value) => value === text) ?? null;
}
