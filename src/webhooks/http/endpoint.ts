import { isIP } from 'node:net';
import { type LocalizedMessage, msg, quote } from '../../platform/messages.ts';
import type { AddressRules } from './address.ts';

/** The single reason for every destination that may not be dialed, so that it does not reveal what is there. */
export const NOT_ALLOWED = 'address not allowed';

/** Maximum length of an endpoint's URL in characters; a verification adds its own query to it. */
export const MAX_URL_LENGTH = 2_048;

/** The parsed URL of a webhook. */
export type Endpoint = {
  /** As it is requested: normalized, without a fragment, which is never sent. */
  url: string;
  isHttps: boolean;
  /** Only the name or address: lower case, without brackets or a trailing dot. */
  host: string;
  /** Whether `host` is an address, so that no lookup is needed. */
  isAddress: boolean;
  /** Whether `host` is a name that only the local network knows. */
  isLocal: boolean;
  port: number;
  /** The `Host` header's value. */
  authority: string;
  /** Path and query. */
  path: string;
  /** What the owner should know before saving; null when there is nothing. */
  warning: string | null;
};

/** An endpoint, or why the URL is invalid. */
type ParsedEndpoint = { endpoint: Endpoint; refusal?: never } | { endpoint?: never; refusal: LocalizedMessage };

/**
 * Parses a webhook's URL by the WHATWG rules, and refuses what may not be dialed as far as the text shows; the
 * addresses of a name are checked when it is resolved.
 */
export function parseEndpoint(text: string, rules: AddressRules, maxLength: number = MAX_URL_LENGTH): ParsedEndpoint {
  const tooLong = { refusal: msg('addressTooLong', maxLength) };
  if (text.length > maxLength) return tooLong;
  // Half of a surrogate pair would become U+FFFD.
  const url = text.isWellFormed() ? URL.parse(text) : null;
  if (url === null) return { refusal: msg('addressIncomplete') };
  url.hash = '';
  if (url.href.length > maxLength) return tooLong;
  const isHttps = url.protocol === 'https:';
  if (!isHttps && url.protocol !== 'http:') return { refusal: msg('addressNotHttp') };
  // It would become an Authorization header, and appear in every log of this URL.
  if (url.username || url.password) return { refusal: msg('addressWithUser') };
  if (url.port === '0') return { refusal: msg('addressPortZero') };
  return checkHost(url, isHttps, rules);
}

function checkHost(url: URL, isHttps: boolean, rules: AddressRules): ParsedEndpoint {
  const bracketed = url.hostname.startsWith('[');
  const host = bracketed ? url.hostname.slice(1, -1) : url.hostname.replace(/\.$/, '').toLowerCase();
  const isAddress = isIP(host) !== 0;
  if (!isAddress && !isHostName(host)) return { refusal: msg('addressHostInvalid') };
  const isLocal = !isAddress && isLocalName(host);
  if (isAddress ? !rules.allows(host) : isLocal && !rules.hasOpened) return { refusal: quote(NOT_ALLOWED) };
  const endpoint: Endpoint = {
    url: url.href,
    isHttps,
    host,
    isAddress,
    isLocal,
    port: url.port ? Number(url.port) : isHttps ? 443 : 80,
    authority: `${bracketed ? url.hostname : host}${url.port && `:${url.port}`}`,
    path: url.pathname + url.search,
    warning: isHttps ? null : 'Without https, anyone on the network path can read and change what is sent.',
  };
  return { endpoint };
}

function isHostName(host: string): boolean {
  return host.length <= 253 && host.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label));
}

/** Names of containers, hosts files, multicast DNS (RFC 6762), private use (.internal) and home networks (RFC 8375). */
function isLocalName(host: string): boolean {
  return !host.includes('.') || /\.(localhost|local|internal|localdomain|home\.arpa)$/.test(host);
}
