import { type LocalizedMessage, msg } from '../../platform/messages.ts';
import { judgeAddress } from './address.ts';
import { type Finding, type RequestCheck, right, unclear, wrong } from './finding.ts';
import { inProxy } from './proxy-lines.ts';
import type { Seen } from './seen.ts';
import { hostnameOf, isDirect, listOf, type ReachSettings, readVisited } from './visited.ts';

/** Judges the way that a request of a browser, or of something that behaves like one, came. */
export function judgeRequest(seen: Seen, settings: ReachSettings): Finding<RequestCheck>[] {
  if (isDirect(seen, settings)) {
    const why = msg`You have opened the server itself, past its proxy. Open ${settings.baseUrl} to see what visitors get.`;
    return [unclear({ check: 'origin', seen: seen.host ?? '' }, why)];
  }
  return [judgeAddress, judgeScheme, judgeHost, judgeOrigin, judgeCompression].map((judge) => judge(seen, settings));
}

/** Whether `BASE_URL` begins with what browsers use, and the proxy passes it on. */
export function judgeScheme(seen: Seen, settings: ReachSettings): Finding<'scheme'> {
  const { origin, isHttps } = readVisited(seen, settings);
  const base = new URL(settings.baseUrl);
  const isDomain = settings.domains.includes(origin?.hostname ?? hostnameOf(seen.host));
  const shouldBeHttps = isDomain || base.protocol === 'https:';
  const [passed] = listOf(seen.forwardedProto);
  const subject = (text: string) => ({ check: 'scheme', seen: text }) as const;
  if (isHttps && !shouldBeHttps) {
    const why = msg`Visitors use https, but BASE_URL begins with http: so do links in mails, and cookies are not limited to https.`;
    return wrong(subject('https'), why, `BASE_URL=${settings.baseUrl.replace(/^http:/, 'https:')}`);
  }
  // Over https, browsers say how a page is related to what it requests.
  if (isHttps === false && shouldBeHttps && (origin || seen.site === null)) {
    const why = msg`A browser used http, but BASE_URL begins with https: over http, signing in does not work. Redirect http to https.`;
    return wrong(subject('http'), why, inProxy('redirect'));
  }
  if (!shouldBeHttps) return right(subject('http'));
  if (passed?.toLowerCase() === 'https') return right(subject('https'));
  const why =
    passed === undefined
      ? msg`The proxy does not report that visitors use https.`
      : msg`The proxy reports that visitors use http, though they use https: one in front of it ends TLS.`;
  return wrong(subject(passed ?? 'http'), why, inProxy('scheme'));
}

/** Whether the proxy passes on the host that the visitor's browser named. */
export function judgeHost(seen: Seen, settings: ReachSettings): Finding<'host'> {
  const { origin } = readVisited(seen, settings);
  const base = new URL(settings.baseUrl);
  const subject = { check: 'host', seen: seen.host ?? '–' } as const;
  const expected = origin?.host ?? base.host;
  const host = withoutUsualPort(seen.host, origin ?? base);
  const hostname = hostnameOf(seen.host);
  if (host === expected || (!origin && settings.domains.includes(hostname))) return right(subject);
  return wrong(subject, reasonFor(host, hostname, origin ?? base, origin !== null), inProxy('host'));
}

function reasonFor(host: string, hostname: string, expected: URL, isKnown: boolean): LocalizedMessage {
  if (hostname === expected.hostname && host === hostname) return msg`The proxy removes the port from Host.`;
  return isKnown
    ? msg`The browser asked for ${expected.host}, but the proxy passes on another Host: custom domains do not work.`
    : msg`BASE_URL has ${expected.host}: the proxy passes on another Host, or the page was opened at another address.`;
}

/** Whether visitors use the address that links in mails and feeds begin with. */
export function judgeOrigin(seen: Seen, settings: ReachSettings): Finding<'origin'> {
  const { origin } = readVisited(seen, settings);
  const base = new URL(settings.baseUrl);
  if (!origin) {
    const host = withoutUsualPort(seen.host, base);
    const isRight = host === base.host || settings.domains.includes(hostnameOf(host));
    return isRight ? right({ check: 'origin', seen: host }) : unclear({ check: 'origin', seen: base.host }, null);
  }
  const subject = { check: 'origin', seen: origin.origin } as const;
  if (isSameHost(origin, base) || settings.domains.includes(origin.hostname)) return right(subject);
  const why = msg`Links in mails and feeds begin with ${base.origin}, but visitors use another address.`;
  return wrong(subject, why, `BASE_URL=${origin.origin}${base.pathname.replace(/\/$/, '')}`);
}

/** Whether two URLs have the same host and port, whatever their schemes: those are judged by themselves. */
function isSameHost(one: URL, other: URL): boolean {
  return one.host === other.host || (one.hostname === other.hostname && portOf(one) === portOf(other));
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80');
}

/** A host as URLs have it: without the port that goes without saying. */
function withoutUsualPort(host: string | null, { protocol }: URL): string {
  return URL.parse(`${protocol}//${host}`)?.host ?? host ?? '';
}

/** Whether pages may be sent compressed, at a sixth of their size. The proxy may do it instead. */
function judgeCompression(seen: Seen): Finding<'compression'> {
  if (/\b(br|gzip|zstd)\b/i.test(seen.encodings ?? ''))
    return right({ check: 'compression', seen: seen.encodings ?? '' });
  const why = msg`The proxy removes Accept-Encoding: unless it compresses pages itself, they are sent six times as large.`;
  return unclear({ check: 'compression', seen: seen.encodings ?? '–' }, why, inProxy('encoding'));
}
