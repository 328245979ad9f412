import type { Cipher } from '../../../platform/lib/cipher.ts';
import { quote } from '../../../platform/messages.ts';
import { right, unclear, wrong } from '../finding.ts';
import { changeFor, forwardTo, inProxy, listenAt } from '../proxy-lines.ts';
import { ask, type Place, type Reply } from './ask.ts';
import { checkCertificate } from './certificate.ts';
import type { DoctorFinding } from './check.ts';
import { checkDns, checkPort, destroy, openTls } from './connection.ts';
import { asBrowser, type Meeting, meet } from './self.ts';
import { proxyOf } from './through.ts';
import { reasonOf, type World } from './world.ts';

/** The way to a public address: what was found on it, and what is at its end, if anything. */
export type Approach = { findings: DoctorFinding[]; place: Place | null; meeting: Meeting | null };

const NOWHERE = { place: null, meeting: null };

/** Goes to a public address as a browser does, and asks what is there. */
export async function approach(url: URL, cipher: Cipher, world: World): Promise<Approach> {
  const [dns, addresses] = await checkDns(url, world);
  if (addresses.length === 0) return { findings: [dns], ...NOWHERE };
  const [port, place] = await checkPort(url, addresses);
  if (!place) return { findings: [dns, port], ...NOWHERE };
  const end = await (url.protocol === 'https:'
    ? approachSecure(place, cipher, world)
    : approachPlain(place, cipher, world));
  return { ...end, findings: [dns, port, ...end.findings] };
}

function greet(place: Place, cipher: Cipher, world: World): Promise<Meeting> {
  return meet(place, cipher, world.now(), asBrowser(place.url));
}

async function approachSecure(place: Place, cipher: Cipher, world: World): Promise<Approach> {
  try {
    const socket = await openTls(place, world.authorities);
    const certificate = checkCertificate(socket, place.url, world.now());
    destroy(socket);
    const findings = [certificate, ...(await checkRedirect(place, world))];
    return { findings, place, meeting: await greet(place, cipher, world) };
  } catch (error) {
    const plain = { ...place, url: withScheme(place.url, 'http:') };
    const meeting = await greet(plain, cipher, world);
    if (meeting.kind === 'none') {
      const why = quote(`TLS cannot be begun with ${place.url.host}: ${reasonOf(error)}.`);
      return { findings: [wrong({ check: 'certificate', seen: '–' }, why, listenAt(place.url))], ...NOWHERE };
    }
    const why = quote(`${place.url.host} speaks http, not https as BASE_URL says.`);
    const change = isForHttps(place.url) ? listenAt(place.url) : `BASE_URL=${originAndPath(plain.url)}`;
    return { findings: [wrong({ check: 'scheme', seen: 'http' }, why, change)], place: plain, meeting };
  }
}

/** Whether a port is one for https: 443, 8443 and the like. What speaks http there lacks a word. */
function isForHttps({ port }: URL): boolean {
  return port === '' || port.endsWith('443');
}

/** Goes on over https where http leads there, or where TLS is spoken. */
async function approachPlain(place: Place, cipher: Cipher, world: World): Promise<Approach> {
  const meeting = await greet(place, cipher, world);
  if (meeting.kind === 'ours') return { findings: [], place, meeting };
  const target = meeting.kind === 'other' ? redirectOf(meeting.reply, place.url) : null;
  const isLedOn = target?.protocol === 'https:' && target.hostname === place.url.hostname;
  const url = isLedOn ? new URL(place.url.pathname, target.origin) : withScheme(place.url, 'https:');
  const secure = { ...place, url };
  const socket = await openTls(secure, world.authorities).catch(() => null);
  if (!socket) return { findings: [], place, meeting };
  destroy(socket);
  const end = await approachSecure(secure, cipher, world);
  const why = quote(`${url.host} speaks https, not http as BASE_URL says.`);
  const scheme = wrong({ check: 'scheme', seen: 'https' }, why, `BASE_URL=${originAndPath(url)}`);
  return { ...end, findings: [...end.findings, scheme] };
}

/** Whether http leads to https, where browsers try it first. A port that is closed is right as well. */
async function checkRedirect({ url, address }: Place, { httpPort }: World): Promise<DoctorFinding[]> {
  if (url.port !== '' && httpPort === 80) return [];
  const plain = new URL(`http://${url.hostname}:${httpPort}/`);
  let reply: Reply;
  try {
    reply = await ask({ url: plain, address });
  } catch (error) {
    return [right({ check: 'redirect', seen: `${plain.host}: ${reasonOf(error)}` })];
  }
  const target = redirectOf(reply, plain);
  const subject = { check: 'redirect', seen: `${reply.status} ${target?.origin ?? ''}`.trim() } as const;
  if (target?.protocol === 'https:') return [right(subject)];
  const why = quote('http does not lead to https, so visitors who type the address without https cannot sign in.');
  return [wrong(subject, why, changeFor(proxyOf(reply), inProxy('redirect')))];
}

function redirectOf({ status, headers }: Reply, url: URL): URL | null {
  return status >= 300 && status < 400 ? URL.parse(headers.location ?? '', url) : null;
}

/** Whether the server itself is at the end of the way. */
export async function judgeEnd(
  { place, meeting }: Approach,
  cipher: Cipher,
  world: World,
  server: string | null,
): Promise<DoctorFinding[]> {
  if (!place || !meeting) return [];
  if (meeting.kind === 'ours') return [right({ check: 'self', seen: place.url.origin })];
  const seen =
    meeting.kind === 'none' ? reasonOf(meeting.error) : `${meeting.reply.status} ${proxyOf(meeting.reply)}`.trim();
  const subject = { check: 'self', seen } as const;
  if (server === null) return [unclear(subject, quote('The server is not running.'))];
  const forward = forwardTo(server);
  if (meeting.kind === 'none') return [wrong(subject, quote(`${place.url.origin} does not respond.`), forward)];
  const target = redirectOf(meeting.reply, place.url);
  if (target && target.host !== place.url.host) {
    const why = quote(`${place.url.origin} leads on to ${target.origin}.`);
    const line = `BASE_URL=${originAndPath(new URL(place.url.pathname, target.origin))}`;
    return [wrong({ check: 'origin', seen: target.origin }, why, line)];
  }
  if (place.url.pathname !== '/') {
    const root = { ...place, url: new URL('/', place.url) };
    if ((await greet(root, cipher, world)).kind === 'ours') {
      const why = quote(`The server is at ${root.url.origin}, not below the path of BASE_URL.`);
      return [wrong({ check: 'path', seen: '/' }, why, `location ${place.url.pathname} { ${forward.line} }`)];
    }
  }
  if ([502, 503, 504].includes(meeting.reply.status)) {
    const why = quote('The proxy does not reach the server.');
    return [wrong(subject, why, changeFor(proxyOf(meeting.reply), forward))];
  }
  const why = quote(
    `Something else responds at ${place.url.origin}: BASE_URL names another server, or the proxy leads elsewhere.`,
  );
  return [wrong(subject, why, changeFor(proxyOf(meeting.reply), forward))];
}

function withScheme(url: URL, scheme: 'http:' | 'https:'): URL {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return new URL(`${scheme}//${url.hostname}:${port}${url.pathname}`);
}

function originAndPath({ origin, pathname }: URL): string {
  return `${origin}${pathname.replace(/\/$/, '')}`;
}
