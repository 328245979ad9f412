import ipaddr from 'ipaddr.js';
import { type Address, type Block, isIn, parseAddress, requireBlock } from '../../platform/http/ip.ts';

/** Decides whether the addresses of a webhook's host are allowed. */
export type AddressRules = {
  /** Whether the operator allowed any range; only then are local names resolved at all. */
  hasOpened: boolean;
  /** Whether an address, in any notation that `node:net` accepts, may be dialed. Invalid ones may not. */
  allows(address: string): boolean;
};

/** The special-purpose blocks of IANA's IPv4 registry, and multicast. 192.88.99.0/24 is the withdrawn relay of 6to4. */
const specialV4 = blocks(
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
);

/** All of IPv6 that is allocated for routing. */
const globalV6 = blocks('2000::/3');

/** What is special inside it: protocol assignments (with Teredo and benchmarking), documentation, 6to4. */
const specialV6 = blocks('2001::/23 2001:db8::/32 2002::/16 3fff::/20');

/**
 * Where clouds return credentials to any process that asks. Some have public addresses (Azure's 168.63.129.16), and
 * allowing a whole private range must not allow these, too.
 */
const metadata = blocks(
  '169.254.169.0/24 169.254.170.0/24 169.254.42.42 169.254.0.23 168.63.129.16 100.100.100.200 192.0.0.192',
  'fd00:ec2::/32 fd20:ce::254 fd00:c1::a9fe:a9fe fd00:42::42 fe80::a9fe:a9fe',
);

/**
 * IPv4 in IPv6: compatible, mapped, SIIT, NAT64 (well-known and local), Teredo, 6to4. A gateway or the kernel would
 * extract the IPv4 address, so these stay refused whatever is allowed: hosts in an allowed 10.0.0.0/8 are reached as
 * 10.0.0.1.
 */
const dressedV4 = blocks('::/96 ::ffff:0:0/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 2001::/32 2002::/16');
/** The well-known prefix under which NAT64 gateways accept packets for IPv4. */
const nat64 = blocks('64:ff9b::/96');
/** `::` and `::1` have the form of compatible addresses but are not. */
const undressed = blocks('::/127');

/**
 * Rules that allow the given blocks, each accepted by `parseBlock`, in addition to the public internet. Cloud metadata
 * addresses, and IPv4 addresses in IPv6 form, stay refused even then; but allowing 64:ff9b::/96, the path to IPv4 in an
 * IPv6-only network, allows the public IPv4 addresses behind it.
 */
export function makeAddressRules(opened: readonly string[]): AddressRules {
  const openedBlocks = blocks(...opened);
  return {
    hasOpened: openedBlocks.length > 0,
    allows(text) {
      const address = parseAddress(text);
      if (address === null || isIn(metadata, address)) return false;
      if (isIn(nat64, address)) {
        const inside = new ipaddr.IPv4(address.toByteArray().slice(12));
        return isIn(openedBlocks, address) && isPublic(inside) && !isIn(metadata, inside);
      }
      if (isDressed(address)) return false;
      return isIn(openedBlocks, address) || isPublic(address);
    },
  };
}

function isPublic(address: Address): boolean {
  if (address.kind() === 'ipv4') return !isIn(specialV4, address);
  return isIn(globalV6, address) && !isIn(specialV6, address);
}

function isDressed(address: Address): boolean {
  return !isIn(undressed, address) && (isIn(dressedV4, address) || isIsatap(address));
}

/** RFC 5214: under any prefix, the interface is 0000:5efe or 0200:5efe followed by the IPv4 address. */
function isIsatap(address: Address): boolean {
  if (address instanceof ipaddr.IPv4) return false;
  const [, , , , high = 0, low] = address.parts;
  return (high & 0xfdff) === 0 && low === 0x5efe;
}

/** Whether two texts are the same address, however they write it. */
export function isSameAddress(one: string, other: string): boolean {
  const [first, second] = [parseAddress(one), parseAddress(other)];
  return one === other || (first !== null && first.toString() === second?.toString());
}

function blocks(...lists: readonly string[]): Block[] {
  return lists.join(' ').split(' ').filter(Boolean).map(requireBlock);
}
