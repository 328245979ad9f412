import type { IncomingMessage } from 'node:http';
import { type Block, isIn, parseAddress, plainAddress, requireBlock } from './ip.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The client's address as people write it, without a port and brackets, or `UNKNOWN_ADDRESS`. */
    readonly address: string;
  }
}

/** The most hops that are followed, as many as `TRUST_PROXY` can count: a header has room for thousands. */
const MAX_HOPS = 99;

/** What stands for all senders whose address a proxy does not tell: they count as one network. */
export const UNKNOWN_ADDRESS = 'unknown';

/**
 * Makes what reads the address of a request's client: that of the connection, or, as long as the sender of a hop is
 * trusted, the one that it reports in `X-Forwarded-For`, where the last entry is the nearest.
 * @param trusted how many proxies in a row, or the addresses and blocks of proxies
 */
export function makeAddressReader(trusted: number | readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = makeTrust(trusted);
  return ({ socket, headers }) => {
    let address = plainAddress(socket.remoteAddress ?? UNKNOWN_ADDRESS);
    if (trusted === 0) return address;
    const reported = String(headers['x-forwarded-for'] ?? '').split(',');
    for (let hop = 0; hop < MAX_HOPS && isTrusted(address, hop); hop++) {
      const next = lastOf(reported);
      if (next === undefined) break;
      address = addressOfHop(next);
    }
    return address;
  };
}

/** Whether the sender of a hop, counted from the server, is a trusted proxy. */
export function makeTrust(trusted: number | readonly string[]): (address: string, hop: number) => boolean {
  if (typeof trusted === 'number') return (_, hop) => hop < trusted;
  const blocks: Block[] = trusted.map(requireBlock);
  return (text) => {
    const address = parseAddress(text);
    return address !== null && isIn(blocks, address);
  };
}

/** Takes the last element of a list; empty ones do not count (RFC 9110, §5.6.1). */
function lastOf(list: string[]): string | undefined {
  for (;;) {
    const last = list.pop()?.trim();
    if (last !== '') return last;
  }
}

/**
 * The address in an entry, of which some proxies write the port as well (Azure and IIS: `203.0.113.7:41234` and
 * `[2001:db8::1]:443`): each connection would be another client.
 */
export function addressOfHop(entry: string): string {
  const [, bracketed, v4] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(entry) ?? [];
  const plain = plainAddress(bracketed ?? v4 ?? entry);
  return parseAddress(plain) === null ? UNKNOWN_ADDRESS : plain;
}
