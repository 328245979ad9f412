import { type LocalizedMessage, msg } from '../../platform/messages.ts';
import { judgeAddress } from './address.ts';
import { type Finding, type RequestCheck, right, unclear, wrong } from './finding.ts';
import { inProxy } from './proxy-lines.ts';
import type { Seen } from './seen.ts';
import { hostnameOf, isDirect, listOf, type ReachSettings, readVisited } from './visited.ts';

/** Judges the way that a request of a browser, or of something that behaves like one, came. */
export function judgeRequest(seen: Seen, settings: ReachSettings): Finding<RequestCheck>[] {
  if (isDirect(seen, settings)) {
    const why = msg('reachPastProxy', settings.baseUrl);
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
    const why = msg('reachHttpsUnconfigured');
    return wrong(subject('https'), why, `BASE_URL=${settings.baseUrl.replace(/^http:/, 'https:')}`);
  }
  // Over https, browsers say how a page is related to what it requests.
  if (isHttps === false && shouldBeHttps && (origin || seen.site === null)) {
    const why = msg('reachHttpUsed');
    return wrong(subject('http'), why, inProxy('redirect'));
  }
  if (!shouldBeHttps) return right(subject('http'));
  if (passed?.toLowerCase() === 'https') return right(subject('https'));
  const why = passed === undefined ? msg('reachHttpsUnreported') : msg('reachHttpReported');
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
  if (hostname === expected.hostname && host === hostname) return msg('reachPortRemoved');
  return isKnown ? msg('reachHostReplaced', expected.host) : msg('reachHostDiffers', expected.host);
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
  const why = msg('reachLinksElsewhere', base.origin);
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
  const why = msg('reachAcceptEncodingLost');
  return unclear({ check: 'compression', seen: seen.encodings ?? '–' }, why, inProxy('encoding'));
}
