import { SECOND_MS } from '../lib/clock.ts';

/** The server that an `SMTP_URL` names, and how it is talked to. */
export type SmtpTarget = {
  /** A name, or an address without brackets. */
  host: string;
  port: number;
  /** Host and port, as in a URL. */
  place: string;
  /** Whether TLS is on from the start; else it is turned on if the server offers STARTTLS. */
  isSecure: boolean;
  hasUser: boolean;
};

/** The port that speaks TLS from the start (RFC 8314). */
export const TLS_PORT = 465;
/** The ports of relays, and of servers for the mail of their users, which begin without TLS. */
export const STARTTLS_PORTS: readonly number[] = [25, 587];

export const CONNECT_LIMIT_MS = 30 * SECOND_MS;
/** For `smtp://` to 465: that server waits for TLS, and never greets. */
const HOPELESS_LIMIT_MS = 5 * SECOND_MS;

/** What to change if the scheme of the URL does not suit its port. */
export const USE_SMTPS = 'there TLS is on from the start, so use smtps:// instead of smtp://';
export const USE_SMTP = 'there TLS is turned on by STARTTLS, so use smtp:// instead of smtps://';

/** Reads a valid `SMTP_URL`. */
export function readSmtpUrl(smtpUrl: string): SmtpTarget {
  const { protocol, hostname, port: given, username } = new URL(smtpUrl);
  const isSecure = protocol === 'smtps:';
  const port = Number(given) || (isSecure ? TLS_PORT : 587);
  const host = hostname.replace(/^\[|\]$/g, '');
  return { host, port, place: `${hostname}:${port}`, isSecure, hasUser: username !== '' };
}

/** How long a server may take to accept a connection, to greet, and to turn on TLS, all together. */
export function connectLimitOf(smtpUrl: string): number {
  const { port, isSecure } = readSmtpUrl(smtpUrl);
  return port === TLS_PORT && !isSecure ? HOPELESS_LIMIT_MS : CONNECT_LIMIT_MS;
}

/** What is dangerous or cannot work in an `SMTP_URL`, for the log at startup. */
export function findSmtpProblems(smtpUrl: string): string[] {
  const { port, isSecure } = readSmtpUrl(smtpUrl);
  const isUnchecked = new URL(smtpUrl).searchParams.get('tls.rejectUnauthorized') === 'false';
  return [
    ...(isUnchecked ? [UNCHECKED] : []),
    ...(port === TLS_PORT && !isSecure ? [`SMTP_URL has the port ${port}: ${USE_SMTPS}`] : []),
    ...(STARTTLS_PORTS.includes(port) && isSecure ? [`SMTP_URL has the port ${port}: ${USE_SMTP}`] : []),
  ];
}

const UNCHECKED =
  'SMTP_URL has tls.rejectUnauthorized=false: mail is sent without checking the certificate of the mail server';
