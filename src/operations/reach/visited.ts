import type { Seen } from './seen.ts';

/** The settings that requests are compared with. */
export type ReachSettings = {
  baseUrl: string;
  trustProxy: number | readonly string[];
  /** Custom domains of boards that the request may name. */
  domains: readonly string[];
};

/** Where the browser has the page from, as far as its request tells. */
export type Visited = {
  /** Null if the request does not tell: it is a navigation from elsewhere, or not from a browser. */
  origin: URL | null;
  isHttps: boolean | null;
};

/** What browsers say themselves counts before what proxies say. */
export function readVisited(seen: Seen, settings: ReachSettings): Visited {
  const origin = readOrigin(seen, settings);
  const [passed] = listOf(seen.forwardedProto);
  if (origin) return { origin, isHttps: origin.protocol === 'https:' };
  const isSecure = seen.site !== null && !isOfThisMachine(hostnameOf(seen.host));
  return { origin, isHttps: isSecure || (passed === undefined ? null : passed.toLowerCase() === 'https') };
}

function readOrigin({ from, site, host, forwardedHost }: Seen, { baseUrl, domains }: ReachSettings): URL | null {
  const origin = URL.parse(from ?? '');
  if (!origin || site === 'same-origin') return origin;
  // Without the header, the page may be one of another site.
  const isOurs = [host, forwardedHost, new URL(baseUrl).host].includes(origin.host);
  return site === null && (isOurs || domains.includes(origin.hostname)) ? origin : null;
}

/**
 * Whether a request can have come from this machine past the proxy: as far as it tells, nothing was in between, and it
 * was for an address that only this machine has.
 */
export function isDirect(seen: Seen, settings: ReachSettings): boolean {
  const { forwarded, forwardedFor, forwardedHost, forwardedProto, host } = seen;
  if (forwarded ?? forwardedFor ?? forwardedHost ?? forwardedProto) return false;
  const { origin } = readVisited(seen, settings);
  const hosts = [hostnameOf(host), origin?.hostname ?? 'localhost'];
  return hosts.every(isOfThisMachine) && !isOfThisMachine(new URL(settings.baseUrl).hostname);
}

/** Whether only this machine has a name or address. */
export function isOfThisMachine(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(hostname);
}

export function hostnameOf(host: string | null): string {
  return URL.parse(`http://${host}`)?.hostname ?? '';
}

/** The elements of a list in a header; empty ones do not count. */
export function listOf(header: string | null): string[] {
  return (header ?? '')
    .split(',')
    .map((element) => element.trim())
    .filter((element) => element !== '');
}

/** The names of hosts in a request, each of which may be the custom domain of a board. */
export function hostnamesIn({ host, from }: Seen): string[] {
  const names = [hostnameOf(host), URL.parse(from ?? '')?.hostname ?? ''];
  return [...new Set(names)].filter((name) => name !== '');
}
