import { BlockList, isIP } from 'node:net';

/** Addresses and CIDR blocks as people write them, for example `203.0.113.7` or `2001:db8::/32`. */
export type IpList = { allows(address: string): boolean };

/** Whether a text is an IPv4 or IPv6 address, or a block of them. */
export function isAddressBlock(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0 || address.includes('%')) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** A list of blocks, each of which `isAddressBlock`. An empty list allows every address. */
export function makeIpList(blocks: readonly string[]): IpList {
  if (blocks.length === 0) return { allows: () => true };
  const list = new BlockList();
  for (const block of blocks) {
    const [address = '', bits] = block.split('/');
    const family = familyOf(address);
    list.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family);
  }
  return {
    allows(address) {
      const plain = plainAddress(address);
      return isIP(plain) !== 0 && list.check(plain, familyOf(plain));
    },
  };
}

/** An IPv4 address that a socket for both families shows as `::ffff:192.0.2.1` is written plainly. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').replace(/%.*$/, '');
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
