import type { IncomingHttpHeaders } from 'node:http';
import { plainAddress } from '../../platform/http/ip.ts';
import { printable } from '../../platform/texts/text.ts';

/** What the server sees of the way that a request came. All texts are short and printable. */
export type Seen = {
  /** The address of the connection. */
  socket: string;
  /** The client's, as `TRUST_PROXY` has it. */
  address: string;
  host: string | null;
  /** The origin of the page that sent the request, in `Origin` or `Referer`. */
  from: string | null;
  /** `Sec-Fetch-Site`: how that page is related to what it requests. Browsers send it only over https and on localhost. */
  site: string | null;
  forwardedFor: string | null;
  forwardedProto: string | null;
  forwardedHost: string | null;
  /** `Forwarded` (RFC 7239). */
  forwarded: string | null;
  encodings: string | null;
};

/** Long enough for many proxies in a row. */
const MAX_HEADER = 1_000;

/** The parts of a request that are looked at; `address` as `makeAddressReader` reads it. */
export type Sent = { headers: IncomingHttpHeaders; socket: { remoteAddress?: string | undefined }; address: string };

/** Reads what `Seen` has from a request. */
export function readSeen({ headers, socket, address }: Sent): Seen {
  const read = (name: string) => {
    const value = String(headers[name] ?? '').trim();
    return value === '' ? null : printable(value, MAX_HEADER);
  };
  return {
    socket: plainAddress(socket.remoteAddress ?? ''),
    address,
    host: read('host'),
    from: originOf(read('origin') ?? read('referer')),
    site: read('sec-fetch-site'),
    forwardedFor: read('x-forwarded-for'),
    forwardedProto: read('x-forwarded-proto'),
    forwardedHost: read('x-forwarded-host'),
    forwarded: read('forwarded'),
    encodings: read('accept-encoding'),
  };
}

/** Without the path, which can grant access. */
function originOf(url: string | null): string | null {
  const { protocol = '', origin = null } = URL.parse(url ?? '') ?? {};
  return /^https?:$/.test(protocol) ? origin : null;
}
