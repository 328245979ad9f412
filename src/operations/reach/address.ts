import { addressOfHop, UNKNOWN_ADDRESS } from '../../platform/http/address.ts';
import { isIn, parseAddress, requireBlock } from '../../platform/http/ip.ts';
import { msg } from '../../platform/messages.ts';
import { type Finding, right, unclear, wrong } from './finding.ts';
import { inProxy } from './proxy-lines.ts';
import type { Seen } from './seen.ts';
import { isOfThisMachine, listOf, type ReachSettings, readVisited } from './visited.ts';

type Found = Finding<'address'>;

/** Whether the client's address is the visitor's: limits count by it, and keys may be bound to it. */
export function judgeAddress(seen: Seen, settings: ReachSettings): Found {
  // The first is the visitor, the others are proxies, and the last reported to that of the connection.
  const hops = listOf(seen.forwardedFor).map(addressOfHop);
  return hops.length === 0 ? withoutHops(seen, settings) : withHops(seen, hops, settings.trustProxy);
}

/** What follows when the address is that of a proxy. */
const SHARED = msg('reachSharedAddress');

function withoutHops(seen: Seen, settings: ReachSettings): Found {
  const subject = { check: 'address', seen: seen.address } as const;
  if (seen.forwarded !== null) {
    const why = msg('reachForwardedUnread', SHARED);
    return wrong(subject, why, inProxy('forwardedFor'));
  }
  if (isFromProxy(seen, settings)) {
    return wrong(subject, msg('reachNoForwardedFor', SHARED), inProxy('forwardedFor'));
  }
  if (!trusts(settings.trustProxy, seen.socket)) return right(subject);
  const why = msg('reachSenderTrusted');
  return wrong(subject, why, 'TRUST_PROXY=0');
}

/** The server itself speaks http, and no visitor is on its machine. */
function isFromProxy(seen: Seen, settings: ReachSettings): boolean {
  if (seen.forwardedProto !== null || seen.forwardedHost !== null) return true;
  const isNear = isOfThisMachine(seen.socket) && !isOfThisMachine(new URL(settings.baseUrl).hostname);
  return isNear || readVisited(seen, settings).isHttps === true;
}

function withHops(seen: Seen, hops: readonly string[], trustProxy: number | readonly string[]): Found {
  const subject = { check: 'address', seen: seen.address } as const;
  if (!trusts(trustProxy, seen.socket)) {
    const named = typeof trustProxy === 'number' ? [] : trustProxy;
    const why = msg('reachProxyUnnamed', seen.socket, SHARED);
    return wrong(subject, why, trusting(named, nameProxies(seen, hops)));
  }
  if (typeof trustProxy === 'number' && trustProxy > hops.length) {
    const why = msg('reachTooFewHops', trustProxy, hops.length);
    return wrong(subject, why, `TRUST_PROXY=${hops.length}`);
  }
  if (seen.address === UNKNOWN_ADDRESS) {
    const why = msg('reachForwardedForInvalid');
    return wrong({ check: 'address', seen: seen.forwardedFor ?? '' }, why, inProxy('forwardedFor'));
  }
  if (!isPrivate(seen.address)) return right(subject);
  if (hops.lastIndexOf(seen.address) > 0) {
    const why = msg('reachAnotherProxy', SHARED);
    const isCount = typeof trustProxy === 'number';
    const line = isCount ? `TRUST_PROXY=${trustProxy + 1}` : trusting(trustProxy, [nameProxy(seen.address, hops[0])]);
    return wrong(subject, why, line);
  }
  const why = msg('reachPrivateNetwork');
  return unclear(subject, why);
}

function trusts(trustProxy: number | readonly string[], address: string): boolean {
  return typeof trustProxy === 'number' ? trustProxy > 0 : isAmong(trustProxy, address);
}

function isAmong(blocks: readonly string[], text: string): boolean {
  const address = parseAddress(text);
  return address !== null && isIn(blocks.map(requireBlock), address);
}

function trusting(named: readonly string[], more: readonly string[]): string {
  return `TRUST_PROXY=${[...new Set([...named, ...more])].join(',')}`;
}

/** The proxy of the connection, and those before it that have private addresses. */
function nameProxies({ socket }: Seen, hops: readonly string[]): string[] {
  const lastPublic = hops.findLastIndex((hop, n) => n === 0 || !isPrivate(hop));
  return [socket, ...hops.slice(lastPublic + 1)].map((proxy) => nameProxy(proxy, hops[0]));
}

const PRIVATE_BLOCKS = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'];

/** Containers change their addresses, so the network of a proxy is named, unless the visitor is in it as well. */
function nameProxy(proxy: string, visitor = ''): string {
  const block = PRIVATE_BLOCKS.find((each) => isAmong([each], proxy));
  return block === undefined || isAmong([block], visitor) ? proxy : block;
}

const PRIVATE = ['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat'];

/** Whether no visitor from the internet has such an address. */
function isPrivate(text: string): boolean {
  return PRIVATE.includes(parseAddress(text)?.range() ?? '');
}
