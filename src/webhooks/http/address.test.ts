import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseAddress } from '../../platform/http/ip.ts';
import { isSameAddress, makeAddressRules } from './address.ts';

const closed = makeAddressRules([]);
const everything = makeAddressRules(['0.0.0.0/0', '::/0']);

/** The first and the last address of each block that is closed, and one between. */
const forbiddenV4 = [
  ['0.0.0.0', '0.255.255.255', '0.1.2.3'],
  ['10.0.0.0', '10.255.255.255', '10.1.2.3'],
  ['100.64.0.0', '100.127.255.255', '100.100.100.200'],
  ['127.0.0.0', '127.255.255.255', '127.0.0.1'],
  ['169.254.0.0', '169.254.255.255', '169.254.169.254'],
  ['172.16.0.0', '172.31.255.255', '172.17.0.1'],
  ['192.0.0.0', '192.0.0.255', '192.0.0.192'],
  ['192.0.2.0', '192.0.2.255', '192.0.2.1'],
  ['192.88.99.0', '192.88.99.255', '192.88.99.1'],
  ['192.168.0.0', '192.168.255.255', '192.168.1.1'],
  ['198.18.0.0', '198.19.255.255', '198.18.5.6'],
  ['198.51.100.0', '198.51.100.255', '198.51.100.7'],
  ['203.0.113.0', '203.0.113.255', '203.0.113.7'],
  ['224.0.0.0', '239.255.255.255', '224.0.0.251'],
  ['240.0.0.0', '255.255.255.255', '250.1.2.3'],
  ['168.63.129.16', '168.63.129.16', '168.63.129.16'],
] as const;

const publicV4 = [
  ...['1.0.0.0', '1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...['128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0'],
  ...['192.0.3.0', '192.88.98.255', '192.88.100.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0'],
  ...['198.51.99.255', '198.51.101.0', '203.0.112.255', '203.0.114.0', '223.255.255.255', '168.63.129.15'],
];

const forbiddenV6 = [
  ...['::', '::1', '::2', '::ffff:7f00:1', '::ffff:127.0.0.1', '::7f00:1', '::ffff:0:7f00:1', '::5efe:7f00:1'],
  ...['64:ff9b::a9fe:a9fe', '64:ff9b:1::7f00:1', '2002:7f00:1::', '2001:0:1:2::', '2001:20::1', '2001:1ff::1'],
  ...['fec0::1', 'fe80::1', 'fd00:ec2::254', 'fc00::1', 'ff02::1', '100::1', '2001:db8::1', '3fff::1', '5f00::1'],
  ...['4000::1', '1fff:ffff::1', '2001:470:1:2:0:5efe:7f00:1', '2001:470:1:2:200:5efe:808:808', '8000::', 'ffff::'],
];

const publicV6 = ['2000::1', '2001:200::1', '2001:4860:4860::8888', '2606:4700::1111', '2a00:1450::1', '3ffe:ffff::1'];

const metadata = [
  ...['169.254.169.254', '169.254.170.2', '168.63.129.16', '100.100.100.200', '192.0.0.192', '169.254.42.42'],
  ...['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', 'fe80::a9fe:a9fe'],
];

test('special-purpose addresses are refused to their edges, and their neighbours allowed', () => {
  for (const address of [...forbiddenV4.flat(), ...forbiddenV6]) assert.ok(!closed.allows(address), address);
  for (const address of [...publicV4, ...publicV6]) assert.ok(closed.allows(address), address);
});

test('what is not an address is refused', () => {
  const texts = ['', 'localhost', '127.1', '2130706433', '0x7f.1', '1.1.1.1.', ' 1.1.1.1', '01.1.1.1', '1.1.1.1/8'];
  for (const text of [...texts, '[2606:4700::1111]', '2606:4700::1111%eth0', 'fe80::1%eth0', '::ffff:1.1.1']) {
    assert.ok(!everything.allows(text), text);
    assert.equal(parseAddress(text), null);
  }
});

test('the bytes of an address are read whatever its notation', () => {
  const hex = (address: string) => Buffer.from(parseAddress(address)?.toByteArray() ?? []).toString('hex');
  assert.equal(hex('1.2.3.255'), '010203ff');
  assert.equal(hex('2001:DB8::1:0:a'), '20010db800000000000000010000000a');
  assert.equal(hex('::ffff:1.2.3.4'), '00000000000000000000ffff01020304');
  assert.equal(hex('::1.2.3.4'), '00000000000000000000000001020304');
  assert.equal(hex('1:2:3:4:5:6:7:8'), '00010002000300040005000600070008');
  assert.equal(hex('1::'), `0001${'0'.repeat(28)}`);
  assert.equal(hex('::'), '0'.repeat(32));
});

test('an address is the same however it is written, and IPv4 in IPv6 is another', () => {
  const same = [
    ['1.2.3.4', '1.2.3.4'],
    ['2001:DB8::1', '2001:db8:0:0::0:1'],
    ['::ffff:1.2.3.4', '::ffff:102:304'],
  ] as const;
  for (const [one, other] of same) assert.ok(isSameAddress(one, other), other);
  const others = [
    ['1.2.3.4', '1.2.3.5'],
    ['1.2.3.4', '::ffff:1.2.3.4'],
    ['1.2.3.4', ''],
    ['fe80::1', 'fe80::1%eth0'],
  ] as const;
  for (const [one, other] of others) assert.ok(!isSameAddress(one, other), other);
});

test('an opened block is allowed, its neighbours are not', () => {
  const rules = makeAddressRules(['10.1.0.0/16', '127.0.0.1', 'fd12::/16', '::1']);
  for (const address of ['10.1.0.0', '10.1.255.255', '127.0.0.1', 'fd12::5', '::1', '1.1.1.1']) {
    assert.ok(rules.allows(address), address);
  }
  for (const address of ['10.0.255.255', '10.2.0.0', '127.0.0.2', 'fd13::', '::', '::2', '::ffff:10.1.0.1']) {
    assert.ok(!rules.allows(address), address);
  }
  assert.deepEqual([rules.hasOpened, closed.hasOpened], [true, false]);
});

test('metadata addresses stay refused when everything is opened', () => {
  for (const address of metadata) assert.ok(!everything.allows(address), address);
  for (const address of ['10.0.0.1', '127.0.0.1', '0.0.0.0', '::1', 'fe80::1', 'fd00::1']) {
    assert.ok(everything.allows(address), address);
  }
});

test('opening the NAT64 prefix opens the public IPv4 addresses behind it, and no others', () => {
  const rules = makeAddressRules(['64:ff9b::/96', '10.0.0.0/8']);
  for (const address of ['64:ff9b::1.1.1.1', '64:ff9b::5db8:d70e']) {
    assert.ok(rules.allows(address), address);
    assert.ok(!closed.allows(address), address);
  }
  const refused = ['10.0.0.1', '127.0.0.1', '169.254.169.254', '168.63.129.16', '100.100.100.200'];
  for (const address of refused) assert.ok(!rules.allows(`64:ff9b::${address}`), address);
  for (const address of ['64:ff9b:1::101:101', '::ffff:1.1.1.1', '2002:101:101::'])
    assert.ok(!rules.allows(address), address);
});

test('no forbidden IPv4 address becomes allowed when embedded in IPv6, whatever is opened', () => {
  const numbers = forbiddenV4.map(([first, last]) => fc.integer({ min: toNumber(first), max: toNumber(last) }));
  const interfaceId = fc.integer({ min: 0, max: 0xffff });
  fc.assert(
    fc.property(fc.oneof(...numbers), interfaceId, (number, other) => {
      assert.ok(!closed.allows(toText(number)), toText(number));
      for (const dressed of dress(number, other.toString(16))) {
        assert.ok(parseAddress(dressed), dressed);
        assert.ok(!closed.allows(dressed) && !everything.allows(dressed), dressed);
      }
    }),
    { numRuns: 500 },
  );
});

/** Every way that is known to write an IPv4 address as an IPv6 address. */
function dress(number: number, other: string): string[] {
  const [high, low] = halves(number);
  const [highest, middle] = [(number >>> 24).toString(16), ((number >>> 8) & 0xffff).toString(16)];
  const turned = halves(~number >>> 0);
  return [
    `::ffff:${toText(number)}`,
    `::ffff:${high}:${low}`,
    // Written as a compatible address, 0.0.0.0 and 0.0.0.1 are `::` and `::1`, which an operator may open.
    ...(number > 1 ? [`::${toText(number)}`, `::${high}:${low}`] : []),
    `::ffff:0:${high}:${low}`,
    `fe80::5efe:${high}:${low}`,
    `2001:470:${other}:1:200:5efe:${high}:${low}`,
    `2001:470:${other}:1:0:5efe:${toText(number)}`,
    `64:ff9b::${high}:${low}`,
    `64:ff9b:1:${other}::${high}:${low}`,
    `64:ff9b:1:${other}:${highest}:${middle}:${other}:1`,
    `2002:${high}:${low}::${other}`,
    `2001:0:${high}:${low}:0:${other}:${turned.join(':')}`,
    `2001:0:4136:e378:8000:${other}:${turned.join(':')}`,
  ];
}

function halves(number: number): [string, string] {
  return [(number >>> 16).toString(16), (number & 0xffff).toString(16)];
}

function toNumber(address: string): number {
  return Buffer.from(address.split('.').map(Number)).readUInt32BE();
}

function toText(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 0xff).join('.');
}
