import { isIPv4, isIPv6 } from 'node:net';

/** Judges the addresses that a webhook's host stands for. */
export type AddressRules = {
  /** Whether the operator opened any range; only then are names of the local network looked up at all. */
  hasOpened: boolean;
  /** Whether an address, in any notation that `node:net` reads, may be dialled. What cannot be read may not. */
  allows(address: string): boolean;
};

type Block = { start: Uint8Array; bits: number };

/**
 * The special-purpose blocks of IANA's IPv4 registry, and multicast. 192.88.99.0/24 is the withdrawn relay of 6to4.
 */
const specialV4 = blocks(
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
);

/** All of IPv6 that is given out to be routed. */
const globalV6 = blocks('2000::/3');

/** What is special inside it: protocol assignments (with Teredo and benchmarking), documentation, 6to4. */
const specialV6 = blocks('2001::/23 2001:db8::/32 2002::/16 3fff::/20');

/**
 * Where clouds answer with credentials, to any process that asks. Some stand on public addresses (Azure's
 * 168.63.129.16), and opening a whole private range must not open these with it.
 */
const metadata = blocks(
  '169.254.169.0/24 169.254.170.0/24 169.254.42.42 169.254.0.23 168.63.129.16 100.100.100.200 192.0.0.192',
  'fd00:ec2::/32 fd20:ce::254 fd00:c1::a9fe:a9fe fd00:42::42 fe80::a9fe:a9fe',
);

/**
 * IPv4 in IPv6: compatible, mapped, SIIT, NAT64 (well-known and local), Teredo, 6to4. A gateway or the kernel would take
 * the IPv4 address out again, so these stay closed whatever is opened: who opens 10.0.0.0/8 is reached as 10.0.0.1.
 */
const dressedV4 = blocks('::/96 ::ffff:0:0/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 2001::/32 2002::/16');
/** The well-known prefix under which NAT64 gateways take packets for IPv4. */
const nat64 = blocks('64:ff9b::/96');
/** `::` and `::1` have the shape of compatible addresses and are none. */
const undressed = blocks('::/127');

/**
 * Rules that open the given blocks, each of which `isAddressBlock`, beside the public Internet.
 * Addresses of cloud metadata, and IPv4 addresses in IPv6 form, stay closed even then; but who opens 64:ff9b::/96, the
 * way to IPv4 of a network that has IPv6 alone, opens the public IPv4 addresses behind it.
 */
export function makeAddressRules(opened: readonly string[]): AddressRules {
  const openedBlocks = blocks(...opened);
  return {
    hasOpened: openedBlocks.length > 0,
    allows(address) {
      const bytes = parseAddress(address);
      if (bytes === null || isIn(metadata, bytes)) return false;
      if (isIn(nat64, bytes))
        return isIn(openedBlocks, bytes) && isPublic(bytes.slice(12)) && !isIn(metadata, bytes.slice(12));
      if (isDressed(bytes)) return false;
      return isIn(openedBlocks, bytes) || isPublic(bytes);
    },
  };
}

function isPublic(bytes: Uint8Array): boolean {
  if (bytes.length === 4) return !isIn(specialV4, bytes);
  return isIn(globalV6, bytes) && !isIn(specialV6, bytes);
}

function isDressed(bytes: Uint8Array): boolean {
  if (bytes.length === 4 || isIn(undressed, bytes)) return false;
  return isIn(dressedV4, bytes) || isIsatap(bytes);
}

/** RFC 5214: under any prefix, the interface is 0000:5efe or 0200:5efe followed by the IPv4 address. */
function isIsatap(bytes: Uint8Array): boolean {
  return ((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
}

function isIn(list: readonly Block[], bytes: Uint8Array): boolean {
  return list.some((block) => contains(block, bytes));
}

function contains({ start, bits }: Block, bytes: Uint8Array): boolean {
  if (start.length !== bytes.length) return false;
  return bytes.every((byte, n) => {
    const compared = Math.min(8, Math.max(0, bits - 8 * n));
    return (byte ^ (start[n] ?? 0)) >> (8 - compared) === 0;
  });
}

/** Whether two texts are the same address, however they write it. */
export function isSameAddress(one: string, other: string): boolean {
  if (one === other) return true;
  const [first, second] = [parseAddress(one), parseAddress(other)];
  return first !== null && second !== null && Buffer.compare(first, second) === 0;
}

/** The 4 or 16 bytes of an address; null for anything else, an address with a zone too. */
export function parseAddress(text: string): Uint8Array | null {
  if (isIPv4(text)) return Uint8Array.from(bytesOfV4(text));
  if (!isIPv6(text) || text.includes('%')) return null;
  const [head = '', tail] = text.split('::');
  const first = bytesOfGroups(head);
  const last = bytesOfGroups(tail ?? '');
  const bytes = new Uint8Array(16);
  bytes.set(first);
  bytes.set(last, 16 - last.length);
  return bytes;
}

function bytesOfGroups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (group.includes('.')) return bytesOfV4(group);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

function bytesOfV4(text: string): number[] {
  return text.split('.').map(Number);
}

function blocks(...lists: readonly string[]): Block[] {
  return lists.join(' ').split(' ').filter(Boolean).map(parseBlock);
}

function parseBlock(text: string): Block {
  const [address = '', bits] = text.split('/');
  const start = parseAddress(address);
  if (start === null) throw new RangeError(`not an address block: ${text}`);
  return { start, bits: bits === undefined ? 8 * start.length : Number(bits) };
}
