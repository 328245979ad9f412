import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate, type TLSSocket } from 'node:tls';
import { DAY_MS } from '../../../platform/lib/clock.ts';
import { joinMessages, type LocalizedMessage, quote } from '../../../platform/messages.ts';
import { type Finding, right, wrong } from '../finding.ts';
import { nameIn } from './connection.ts';

/** A fault of a certificate, and what mends it. */
type Fault = { why: LocalizedMessage; line: string };

/** Certificates are renewed after two thirds of their life, or a month before their end: this late, it does not happen. */
const LATE_SHARE = 0.2;
const LATE_MS = 14 * DAY_MS;

/** How Node.js is told of one, when it starts. */
const OWN_AUTHORITY = 'NODE_EXTRA_CA_CERTS=/etc/ssl/our-ca.pem';

/** Whether browsers accept the certificate at the other end of a connection, for the name in a URL. */
export function checkCertificate(socket: TLSSocket, url: URL, now: number): Finding<'certificate'> {
  const certificate = socket.getPeerCertificate();
  const name = nameIn(url);
  const faults = [findDistrust(socket, name), findWrongName(certificate, name), findEnd(certificate, name, now)];
  const found = faults.filter((fault) => fault !== null);
  const until = new Date(certificate.valid_to).toISOString().slice(0, 10);
  const subject = { check: 'certificate', seen: `${namesOf(certificate)}, ${until}` } as const;
  const [first] = found;
  return first ? wrong(subject, joinMessages(...found.map(({ why }) => why)), first.line) : right(subject);
}

/** Names of a certificate that are shown. */
const MAX_NAMES = 5;

function namesOf({ subjectaltname, subject }: PeerCertificate): string {
  const names = subjectaltname?.replace(/(DNS|IP Address):/g, '').split(', ') ?? [subject?.CN ?? '–'];
  return names.slice(0, MAX_NAMES).join(', ');
}

function findDistrust({ authorized, authorizationError }: TLSSocket, name: string): Fault | null {
  // The end is judged from its date, and the name by itself.
  const code = String((authorizationError as NodeJS.ErrnoException | null)?.code ?? authorizationError ?? '');
  if (authorized || /^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|ERR_TLS_CERT_ALTNAME_INVALID)$/.test(code)) return null;
  if (/^(DEPTH_ZERO_)?SELF_SIGNED_CERT$|^DEPTH_ZERO_SELF_SIGNED_CERT$/.test(code)) {
    return { why: quote('The certificate is self-signed, so browsers warn of it.'), line: renewal(name) };
  }
  if (/^UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT_LOCALLY)$/.test(code)) {
    const why = quote(
      `The certificate is sent without the intermediate ones that lead to a known authority. If the authority is your own, run this command with ${OWN_AUTHORITY}.`,
    );
    return { why, line: `ssl_certificate /etc/ssl/${name}/fullchain.pem;` };
  }
  if (code === 'SELF_SIGNED_CERT_IN_CHAIN') {
    const why = quote(
      'The authority of the certificate is not known here: if it is your own, let this command know it.',
    );
    return { why, line: OWN_AUTHORITY };
  }
  const why = quote(`No authority that is known here has signed the certificate (${code}).`);
  return { why, line: renewal(name) };
}

function findWrongName(certificate: PeerCertificate, name: string): Fault | null {
  if (!checkServerIdentity(name, certificate)) return null;
  return { why: quote(`The certificate is for other names than ${name}.`), line: renewal(name) };
}

function findEnd({ valid_from: from, valid_to: to }: PeerCertificate, name: string, now: number): Fault | null {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  if (now < start) return { why: quote('The certificate is not valid yet.'), line: 'timedatectl set-ntp true' };
  if (now > end) return { why: quote('The certificate has expired.'), line: renewal(name) };
  if (end - now > Math.min(LATE_MS, LATE_SHARE * (end - start))) return null;
  return { why: quote('The certificate expires soon, and has not been renewed.'), line: renewal(name) };
}

/** Top-level domains that the internet does not have. */
const INTERNAL = /\.(internal|local|localhost|lan|test|home\.arpa)$/;

/** Certificates for IP addresses and internal names come from an authority of one's own. */
function renewal(name: string): string {
  return isIP(name) || !name.includes('.') || INTERNAL.test(name)
    ? `ssl_certificate /etc/ssl/${name}/fullchain.pem;`
    : `certbot certonly -d ${name}`;
}
