import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeIpList, networkOf, parseBlock, plainAddress } from './ip.ts';

test('address blocks are read as they are written', () => {
  for (const block of ['1.2.3.4', '1.2.3.0/24', '0.0.0.0/0', '::1', '2001:db8::/32', '::/0', '1.2.3.4/32', '::1/128']) {
    assert.ok(parseBlock(block), block);
  }
  for (const block of [
    '',
    '1.2.3',
    '1.2.3.4/33',
    '::1/129',
    '1.2.3.4/',
    '1.2.3.4/a',
    'fe80::1%eth0',
    'a',
    '1.2.3.4/8/8',
    '01.2.3.4',
    '0x7f.0.0.1',
    '127.1',
    '2130706433',
    ' 1.2.3.4',
    '1.2.3.4/-1',
    '1.2.3.4/0008',
  ]) {
    assert.equal(parseBlock(block), null);
  }
});

test('a list of addresses allows what its blocks hold, in either family', () => {
  const cases: [blocks: string[], address: string, allowed: boolean][] = [
    [[], '8.8.8.8', true],
    [['10.0.0.0/8'], '10.255.255.255', true],
    [['10.0.0.0/8'], '11.0.0.0', false],
    [['10.1.2.3'], '10.1.2.3', true],
    [['10.1.2.3'], '10.1.2.4', false],
    [['10.0.0.0/8'], '::ffff:10.0.0.1', true],
    [['10.0.0.0/8'], '::ffff:a00:1', true],
    [['10.0.0.0/8'], '::10.0.0.1', false],
    [['::ffff:10.0.0.0/104'], '10.0.0.1', true],
    [['::ffff:10.0.0.0/104'], '11.0.0.1', false],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['2001:db8::/32'], '2001:db8:ffff::1', true],
    [['2001:db8::/32'], '2001:db9::1', false],
    [['fe80::/10'], 'fe80::1%eth0', true],
    [['::/0'], '10.0.0.1', true],
    [['0.0.0.0/0', '::/0'], '10.0.0.1', true],
    [['10.0.0.0/8'], 'nonsense', false],
    [['10.0.0.0/8'], '10.1', false],
  ];
  for (const [blocks, address, allowed] of cases) {
    assert.equal(makeIpList(blocks).allows(address), allowed, `${blocks} ${address}`);
  }
});

test('the network of an IPv6 address is its first 64 bits, wherever its zeros are', () => {
  const networks = {
    '2001:db8::5:6:7:8:9': '2001:db8:0:5',
    '2600::5:6:7:8:9': '2600:0:0:5',
    '2600:0:0:5:1:1:1:1': '2600:0:0:5',
    '2001:db8:1:2::': '2001:db8:1:2',
    '2001:db8::': '2001:db8:0:0',
    '::1': '0:0:0:0',
    '192.0.2.1': '192.0.2.1',
    '::ffff:192.0.2.1': '192.0.2.1',
    '::ffff:c000:201': '192.0.2.1',
    'fe80::1%eth0': 'fe80:0:0:0',
    'no address': 'no address',
  };
  assert.deepEqual(Object.fromEntries(Object.keys(networks).map((a) => [a, networkOf(a)])), networks);
});

test('an address is shown as people write it', () => {
  const plain = {
    '::ffff:192.0.2.1': '192.0.2.1',
    '192.0.2.1': '192.0.2.1',
    'fe80::1%eth0': 'fe80::1',
    '2001:DB8:0::1': '2001:db8::1',
    nonsense: 'nonsense',
  };
  assert.deepEqual(Object.fromEntries(Object.keys(plain).map((a) => [a, plainAddress(a)])), plain);
});
