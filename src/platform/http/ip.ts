import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** The addresses that begin with the same bits. */
export type Block = readonly [start: Address, bits: number];
/** Addresses and CIDR blocks as people write them, for example `203.0.113.7` or `2001:db8::/32`. */
export type IpList = { allows(address: string): boolean };

/**
 * Parses an address. Null for anything else: one with a zone, and notations that other programs interpret differently,
 * such as `127.1` and `0x7f.0.0.1`.
 */
export function parseAddress(text: string): Address | null {
  if (isIP(text) === 0 || text.includes('%')) return null;
  // The library interprets `::192.0.2.1` as `::ffff:192.0.2.1`, which is a different address.
  return ipaddr.parse(text.replace(/^::(?=\d+\.)/, '0::'));
}

/** Parses an address, or a block of them; null for anything else. */
export function parseBlock(text: string): Block | null {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const start = parseAddress(address);
  if (start === null) return null;
  const length = start.kind() === 'ipv4' ? 32 : 128;
  return Number(bits ?? length) <= length ? [start, Number(bits ?? length)] : null;
}

/** Parses what `parseBlock` has already accepted. */
export function requireBlock(text: string): Block {
  const block = parseBlock(text);
  if (block === null) throw new RangeError(`not an address block: ${text}`);
  return block;
}

/** Whether an address is in one of the blocks: IPv4 blocks contain no address written as IPv6, and vice versa. */
export function isIn(blocks: readonly Block[], address: Address): boolean {
  return blocks.some(([start, bits]) => start.kind() === address.kind() && address.match(start, bits));
}

/**
 * A list of texts that `parseBlock` reads. An empty list allows every address. IPv4 is treated as a part of IPv6 here,
 * so it does not matter how an IPv4 address is written.
 */
export function makeIpList(texts: readonly string[]): IpList {
  if (texts.length === 0) return { allows: () => true };
  const blocks = texts.map((text): Block => {
    const [start, bits] = requireBlock(text);
    return start.kind() === 'ipv4' ? [asIPv6(start), bits + 96] : [start, bits];
  });
  return {
    allows(text) {
      const address = parseAddress(withoutZone(text));
      return address !== null && isIn(blocks, asIPv6(address));
    },
  };
}

/** The address as people write it, where a socket for both families shows IPv4 as `::ffff:192.0.2.1`. */
export function plainAddress(text: string): string {
  // Nearly all are IPv4, and each request has one.
  const short = text.startsWith('::ffff:') ? text.slice('::ffff:'.length) : text;
  if (isIPv4(short)) return short;
  const plain = withoutZone(text);
  return parseAddress(plain) === null ? plain : ipaddr.process(plain).toString();
}

/** The owner of an IPv6 address has very many, which share their first 64 bits: those count together. */
export function networkOf(text: string): string {
  const address = parseAddress(plainAddress(text));
  return address instanceof ipaddr.IPv6 ? address.toNormalizedString().split(':', 4).join(':') : plainAddress(text);
}

function asIPv6(address: Address): Address {
  return address instanceof ipaddr.IPv4 ? address.toIPv4MappedAddress() : address;
}

function withoutZone(text: string): string {
  return text.replace(/%.*$/, '');
}
