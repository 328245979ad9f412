import type { Cipher } from '../../../platform/lib/cipher.ts';
import { MINUTE_MS, SECOND_MS } from '../../../platform/lib/clock.ts';
import { quote } from '../../../platform/messages.ts';
import { LARGEST_BODY } from '../answer.ts';
import { type Finding, right, unclear, wrong } from '../finding.ts';
import { inProxy } from '../proxy-lines.ts';
import { judgeRequest } from '../request.ts';
import { REACH_PATH, STREAM_PATH, TOKEN_HEADER } from '../token.ts';
import { ask, BodyBrokenError, type Place, type Reply } from './ask.ts';
import type { DoctorFinding } from './check.ts';
import { asBrowser, below, type Meeting, meet } from './self.ts';
import { reasonOf, type World } from './world.ts';

/** A server that was met through a public address. */
export type Met = Extract<Meeting, { kind: 'ours' }>;

/** An address that no one has (RFC 5737), which a request claims. */
const CLAIMED = '192.0.2.77';

/** Judges what arrives of a request, and refines what only a sender can know: its own address. */
export async function checkRequest(
  place: Place,
  met: Met,
  cipher: Cipher,
  world: World,
  domains: readonly string[],
): Promise<DoctorFinding[]> {
  const { details, reply, now } = met;
  const findings = judgeRequest(details.seen, { ...details, domains });
  const address = findings.find((finding) => finding.check === 'address');
  const own = [reply.localAddress, ...world.ownAddresses()];
  const isOwn = own.includes(details.seen.address);
  const others = findings.filter((finding) => finding.check !== 'address' && finding.check !== 'compression');
  if (!address || address.isRight === false) return [...(address ? [address] : []), ...others];
  const claiming = await meet(place, cipher, now, { ...asBrowser(place.url), 'x-forwarded-for': CLAIMED });
  // On the machine of the proxy, the own address may be one of those that are trusted.
  if (!isOwn && claiming.kind === 'ours' && claiming.details.seen.address === CLAIMED) {
    const why = quote('The proxy passes on the address that a visitor claims in X-Forwarded-For.');
    return [wrong({ check: 'address', seen: CLAIMED }, why, inProxy('forwardedFor')), ...others];
  }
  return [isOwn ? right({ check: 'address', seen: details.seen.address }) : address, ...others];
}

/** Whether a cookie passes in both directions, with the attributes that protect it. */
export async function checkCookies(place: Place, met: Met, cipher: Cipher): Promise<Finding<'cookies'>> {
  const [sent = ''] = met.reply.headers['set-cookie'] ?? [];
  const subject = { check: 'cookies', seen: sent.replace(/^([^=]*=)[^;]*/, '$1…') || '–' } as const;
  if (sent === '') {
    const why = quote('The proxy removes Set-Cookie from responses, so signing in does not work.');
    return wrong(subject, why, inProxy('setCookie'));
  }
  const back = await meet(place, cipher, met.now, { ...asBrowser(place.url), cookie: sent.split(';', 1)[0] ?? '' });
  if (back.kind === 'ours' && !back.details.hasCookie) {
    const why = quote('The proxy removes Cookie from requests, so signing in does not work.');
    return wrong(subject, why, inProxy('cookie'));
  }
  const path = /; *Path=([^;]*)/i.exec(sent)?.[1] ?? '';
  if (!place.url.pathname.startsWith(path)) {
    const why = quote('The proxy changes the path of cookies, so browsers do not send them everywhere.');
    return wrong(subject, why, inProxy('cookiePath'));
  }
  if (/; *Secure/i.test(sent) || !met.details.baseUrl.startsWith('https:')) return right(subject);
  const why = quote('The proxy removes Secure from cookies, so browsers also send them over http.');
  return wrong(subject, why, inProxy('cookieFlags'));
}

/** Whether a page arrives compressed, by the server or by the proxy. */
export async function checkCompression({ url, address }: Place): Promise<Finding<'compression'>> {
  try {
    const { headers, status } = await ask({ url: below(url, '/sign-in'), address }, { headers: asBrowser(url) });
    const encoding = headers['content-encoding'];
    const subject = { check: 'compression', seen: encoding ?? '–' } as const;
    if (encoding !== undefined) return right(subject);
    if (status !== 200) return unclear(subject, null);
    return wrong(
      subject,
      quote('Pages arrive uncompressed, six times as large: the proxy removes Accept-Encoding.'),
      inProxy('encoding'),
    );
  } catch (error) {
    return unclear({ check: 'compression', seen: reasonOf(error) }, null);
  }
}

const MIB = 1_048_576;
const SEND_MS = MINUTE_MS;

/** Whether the largest body arrives. What refuses it is told by who responds. */
export async function checkBody({ url, address }: Place, { token }: Met): Promise<Finding<'body'>> {
  const [all, place] = [`${LARGEST_BODY / MIB} MiB`, { url: below(url, REACH_PATH), address }];
  const why = quote(`Files to import, up to ${all} with their form, do not arrive.`);
  try {
    const headers = { ...asBrowser(url), [TOKEN_HEADER]: token, 'content-type': 'application/octet-stream' };
    const reply = await ask(place, { method: 'POST', headers, bodyBytes: LARGEST_BODY, limitMs: SEND_MS });
    if (reply.status === 200 && reply.text === JSON.stringify({ bytes: LARGEST_BODY }))
      return right({ check: 'body', seen: all });
    return wrong({ check: 'body', seen: `${reply.status} (${proxyOf(reply) || 'proxy'})` }, why, inProxy('body'));
  } catch (error) {
    if (!(error instanceof BodyBrokenError)) return unclear({ check: 'body', seen: reasonOf(error) }, null);
    const sent = `${Math.floor(error.sentBytes / MIB)} MiB`;
    return wrong({ check: 'body', seen: quote(`connection closed after about ${sent}`) }, why, inProxy('body'));
  }
}

/** What a proxy calls itself. */
export function proxyOf({ headers }: Reply): string {
  return String(headers.server ?? headers.via ?? '');
}

const FIRST_BYTE_MS = 2 * SECOND_MS;

/** Whether a stream begins at once. */
export async function checkStream({ url, address }: Place, { token }: Met): Promise<Finding<'stream'>> {
  try {
    const headers = {
      ...asBrowser(url),
      [TOKEN_HEADER]: token,
      accept: 'text/event-stream',
      'accept-encoding': 'identity',
    };
    const reply = await ask({ url: below(url, STREAM_PATH), address }, { headers, isForBeginning: true });
    const subject = { check: 'stream', seen: `${Math.round(reply.firstByteMs)} ms` } as const;
    if (reply.firstByteMs < FIRST_BYTE_MS) return right(subject);
    return wrong(
      subject,
      quote('The proxy collects responses before it passes them on, so streams of events arrive late or never.'),
      inProxy('stream'),
    );
  } catch (error) {
    return unclear({ check: 'stream', seen: reasonOf(error) }, null);
  }
}

/** Whether the server and this machine have the same time; on PostgreSQL the server's is that of the database. */
export function checkClock(serverNow: number, now: number): Finding<'clock'> {
  const seconds = Math.round(Math.abs(serverNow - now) / SECOND_MS);
  const subject = { check: 'clock', seen: new Date(serverNow).toISOString() } as const;
  if (seconds <= 60) return right(subject);
  const why = quote(
    `The clock of the server is ${seconds} seconds away from that of this machine: links expire too early or too late.`,
  );
  return wrong(subject, why, 'timedatectl set-ntp true');
}
